//! Numbers that the help of an error names are tried: what "would fit" fits, and what "would divide"
//! divides. Which numbers are nearest is counted here.

use std::path::Path;

use crate::support::program::{fresh_folder, planner_in};

/// A step of the starter with these keys, stated one over the other: status and standard error.
fn stepped(folder: &Path, sets: &[&str]) -> (i32, String) {
    let sets = sets.iter().flat_map(|set| ["--set", *set]);
    let arguments: Vec<&str> = ["step", "starter"].into_iter().chain(sets).collect();
    let run = planner_in(folder, &arguments);
    (run.status, run.stderr)
}

/// The help of the first error.
fn help(text: &str) -> String {
    let at = text.find("= help: ").unwrap_or_else(|| panic!("no help in\n{text}"));
    text[at + "= help: ".len()..].lines().next().unwrap_or_default().to_owned()
}

/// What a help offers, as overrides: `gpus = 248 or 256 would fit` is two.
fn offered(help: &str) -> Vec<String> {
    let mut offers = Vec::new();
    let words: Vec<&str> = help.split([' ', ',', ';']).filter(|word| !word.is_empty()).collect();
    for (at, word) in words.iter().enumerate().filter(|(at, _)| words.get(at + 1) == Some(&"=")) {
        let section = match *word {
            "gpus" => "cluster",
            "global_batch" => "training",
            _ => "parallelism",
        };
        let mut rest = words[at + 2..].iter();
        while let Some(number) = rest.next().filter(|word| word.parse::<u64>().is_ok()) {
            offers.push(format!("{section}.{word}={number}"));
            if rest.next() != Some(&"or") {
                break;
            }
        }
    }
    offers
}

/// The keys are refused with that help, and each of its offers is taken: degrees and GPUs agree. What is offered "without data" is tried without it.
#[track_caller]
fn refused(folder: &Path, sets: &[&str], expected: &str) {
    let (status, text) = stepped(folder, sets);
    assert_eq!(status, 2, "{text}");
    let help = help(&text);
    assert_eq!(help, expected, "{text}");
    let (with, without) = help.split_once("without data").unwrap_or((&help, ""));
    for (part, open) in [(with, false), (without, true)] {
        for offer in offered(part) {
            let mut tried: Vec<&str> = sets.to_vec();
            tried.push(&offer);
            if open {
                tried.push("parallelism.data=auto");
            }
            let (_, text) = stepped(folder, &tried);
            // Heads and batch have rules of their own, which are other errors.
            let about = text.lines().find(|line| line.contains("GPUs") && line.contains("cluster"));
            assert_eq!(about, None, "{sets:?} with {offer}");
        }
    }
}

/// 256 GPUs and a batch of 512 on 32 heads.
#[test]
fn what_a_help_offers_is_taken() {
    let folder = fresh_folder("help-counts");
    let taken = |sets: &[&str], expected: &str| refused(&folder, sets, expected);
    let whole = ["parallelism.tensor=8", "parallelism.pipeline=1"];
    let with = |more: &[&'static str]| [&whole[..], more].concat();
    // Replicas that are stated: 256 is 5.3 · 48.
    taken(&["parallelism.data=48"], "data = 32 or 64 would divide them, or gpus = 240 or 288");
    // All stated: 8 · 31 is 248.
    let data = with(&["parallelism.data=31"]);
    taken(&data, "data = 32 would fit, or gpus = 248, or leave data out");
    // 8 · 3 · 32 is 768; of 256 the 8 · 32 are all, so pipeline 1, and 24 divides 240 and 264.
    let pipeline = with(&["parallelism.data=32", "parallelism.pipeline=3"]);
    taken(&pipeline, "pipeline = 1 would fit, or gpus = 768");
    // 16 · 32 is 512: half of either.
    let tensor = with(&["parallelism.data=32", "parallelism.tensor=16"]);
    taken(&tensor, "data = 16 or tensor = 8 would fit, or gpus = 512, or leave data out");
    // 7 · 31 is 217; neither divides 256, and 7 divides 252 and 259.
    let odd = ["parallelism.tensor=1", "parallelism.pipeline=7", "parallelism.data=31"];
    taken(&odd, "gpus = 217 would fit; without data, gpus = 252 or 259 would");
    // A batch: 32 · 15 is 480, 32 · 16 is 512, and of 500 the divisors about 32.
    let batch = with(&["parallelism.data=32", "training.global_batch=500"]);
    taken(
        &batch,
        "global_batch = 480 or 512 would fit; global_batch 500 can be divided by 1, 2, 4, 5, 10, 20, \
         25, 50",
    );
}

//! Help is short, alike however it is asked for, and what it shows can be typed.

use std::fs;
use std::path::Path;

use crate::support::program::{fresh_folder, planner_in};

/// Most lines of a help, and columns of each.
const LINES: usize = 40;
const COLUMNS: usize = 100;

/// Commands that one runs once: the list names them under `help options` only.
const RARE: [&str; 4] = ["fabric", "calibrate", "generate", "help"];

fn shown(arguments: &[&str]) -> String {
    // Tests run side by side, and help reads no file.
    let run = planner_in(Path::new(env!("CARGO_MANIFEST_DIR")), arguments);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{arguments:?}");
    assert!(run.stdout.lines().count() <= LINES, "{arguments:?}: {}", run.stdout);
    let wide = run.stdout.lines().find(|line| line.chars().count() > COLUMNS);
    assert_eq!(wide, None, "{arguments:?}");
    run.stdout
}

/// Commands of the list, in its order.
fn listed() -> Vec<String> {
    let list = shown(&["help"]);
    let named = list.lines().filter_map(|line| line.strip_prefix("  "));
    named.filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn every_command_has_one_short_help() {
    let list = shown(&["--help"]);
    assert_eq!(list, shown(&["-h"]));
    assert_eq!(list, shown(&["help"]));
    let bare = planner_in(&fresh_folder("bare"), &[] as &[&str]);
    assert_eq!((bare.status, bare.stderr.trim_end()), (2, list.trim_end()));
    let listed = listed();
    assert_eq!(listed.len(), 18, "{list}");
    for command in listed.iter().map(String::as_str).chain(RARE) {
        let long = shown(&[command, "--help"]);
        assert_eq!(long, shown(&[command, "-h"]));
        assert_eq!(long, shown(&["help", command]));
        let examples = long.lines().filter(|line| line.starts_with("  planner ")).count();
        assert_eq!(examples, 2, "{long}");
    }
    let rest = shown(&["help", "options"]);
    for option in ["--set", "--prices", "--part", "--color", "--width", "-h, --help", "schema"] {
        assert!(rest.contains(option), "no `{option}` in\n{rest}");
    }
}

#[test]
fn a_command_offers_only_formats_that_it_writes() {
    let folder = fresh_folder("help-formats");
    for (command, format, other) in [
        ("bill", "xlsx", "npy"),
        ("traffic", "chakra", "netbox"),
        ("network", "graphml", "ledger"),
        ("cables", "netbox", "dot"),
    ] {
        let help = shown(&["help", command]);
        assert!(help.contains(format) && !help.contains(other), "{help}");
    }
    for arguments in [
        ["launch", "starter", "--for", "megatron", "--format", "csv"],
        ["--format", "csv", "launch", "starter", "--for", "megatron"],
    ] {
        assert_eq!(planner_in(&folder, &arguments).status, 2);
    }
}

#[test]
fn old_names_of_commands_stay() {
    let folder = fresh_folder("old-names");
    let same = |old: &[&str], new: &[&str]| {
        let old = planner_in(&folder, old);
        assert_eq!(old, planner_in(&folder, new));
        assert_eq!(old.status, 0, "{}", old.stderr);
    };
    same(&["topology", "starter"], &["network", "starter"]);
    let clos = ["clos", "--endpoints", "64", "--radix", "64"];
    same(&[&["fabric"], &clos[..]].concat(), &[&["network"], &clos[..]].concat());
    let hb = ["hb", "--family", "nvlink5", "--gpus", "72"];
    same(&[&["fabric"], &hb[..]].concat(), &[&["network"], &hb[..]].concat());
    fs::write(folder.join("steps.csv"), STEPS).expect("a writable folder");
    let own = ["steps.csv", "starter"];
    same(&[&["calibrate"], &own[..]].concat(), &[&["validate"], &own[..]].concat());
}

const STEPS: &str = "\
seconds,global_batch,tensor,pipeline,context,interleave,sequence_parallel,zero,micro_batch,recompute
3.4,512,2,1,1,1,true,1,1,none
1.75,256,2,1,1,1,true,1,1,none
";

/// A script as Megatron-LM is started by.
const SCRIPT: &str = "\
python pretrain_gpt.py --num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336 \
--num-attention-heads 32 --seq-length 8192 --swiglu --vocab-size 128256 --micro-batch-size 1 \
--global-batch-size 512 --tensor-model-parallel-size 2 --bf16
";

const CONFIG: &str = "\
{\"model_type\": \"llama\", \"hidden_size\": 4096, \"num_hidden_layers\": 32,
\"num_attention_heads\": 32, \"num_key_value_heads\": 8, \"intermediate_size\": 14336,
\"vocab_size\": 128256, \"max_position_embeddings\": 8192}
";

/// Runs what is typed behind `planner`, with nothing in it that only a shell reads but quotes.
fn run_example(folder: &Path, typed: &str) {
    let words: Vec<String> = typed.split(' ').map(|word| word.replace('\'', "")).collect();
    let run = planner_in(folder, &words);
    assert_eq!(run.status, 0, "planner {typed}\n{}", run.stderr);
}

#[test]
fn every_example_of_help_runs() {
    let folder = fresh_folder("help-examples");
    let commands = listed();
    for command in commands.iter().map(String::as_str).chain(RARE) {
        let help = shown(&["help", command]);
        for example in help.lines().filter_map(|line| line.strip_prefix("  planner ")) {
            let typed = example.split("   ").next().unwrap_or_default();
            run_example(&folder, typed);
        }
        if command == "init" {
            // The others read what it wrote; a small one.
            run_example(&folder, "init --preset starter --force");
            run_example(&folder, "design --format json -o base.json");
            let write = |name: &str, text: &str| {
                fs::write(folder.join(name), text).expect("a writable folder");
            };
            write("rules.toml", "[gate]\nfail_on = \"capex>+1%\"\n");
            write("config.json", CONFIG);
            write("train.sh", SCRIPT);
            write("steps.csv", STEPS);
        }
    }
}

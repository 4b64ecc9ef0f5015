//! The evaluator of scripts held to bash itself, on random scripts.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use planner::import::{Evaluation, ScriptInput, evaluate_script};

use crate::import::random_scripts::Generator;
use crate::support::program::fresh_folder;

/// What makes bash print the words of a program, without reading any folder for patterns; a name
/// that is not set is an error there.
const PROLOGUE: &str = "ulimit -t 1
FUNCNEST=20
set -f -a -u
torchrun() { local w; for w in \"$@\"; do printf '<%s>\\n' \"$w\"; done; echo --; }
export -f torchrun
";

/// Words that bash hands to `torchrun`; `None` of a script that it has something to say of.
fn words_of_bash(folder: &Path) -> Option<String> {
    // The whole group of a script that calls itself in new shells is ended.
    let output = Command::new("timeout")
        .args(["-s", "KILL", "1", "bash", "./main.sh"])
        .current_dir(folder)
        .env_clear()
        .env("PATH", env::var_os("PATH").unwrap_or_default())
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .expect("bash was found before");
    let sound = output.stderr.is_empty() && output.status.success();
    let short = output.stdout.len() < 50_000;
    (sound && short).then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn evaluate(text: &str, part: &str) -> Evaluation {
    evaluate_with_files(text, &|name| (name == "part.sh").then(|| part.to_owned()))
}

/// A script without arguments or environment, whose further files are read so.
fn evaluate_with_files(text: &str, read_file: &dyn Fn(&str) -> Option<String>) -> Evaluation {
    let none = BTreeMap::new();
    let input = ScriptInput {
        name: "main.sh",
        environment: &none,
        preset: &none,
        arguments: &[],
        open: false,
        read_file,
    };
    evaluate_script(text, &input)
}

fn words_of_evaluator(text: &str, part: &str) -> String {
    let made = evaluate(text, part);
    let mut words = String::new();
    for command in made.commands.iter().filter(|command| command.words[0] == "torchrun") {
        for word in &command.words[1..] {
            words.push_str(&format!("<{}>\n", made.holes().shown_text(word)));
        }
        words.push_str("--\n");
    }
    words
}

#[test]
fn words_are_those_that_bash_makes() {
    if !Command::new("timeout").args(["1", "bash", "-c", ":"]).status().is_ok_and(|s| s.success()) {
        let _ = writeln!(std::io::stderr(), "skipped: there is no bash, or no timeout");
        return;
    }
    let asked = env::var("PLANNER_SCRIPTS").ok().and_then(|text| text.parse::<u64>().ok());
    let Some(count) = asked else {
        let _ = writeln!(std::io::stderr(), "skipped: PLANNER_SCRIPTS says how many scripts");
        return;
    };
    let folder = fresh_folder("shell-oracle");
    let (mut same, mut seed) = (0, 0);
    while same < count && seed < 2 * count + 50 {
        seed += 1;
        let mut generator = Generator::new(seed);
        let part = generator.random_script(false);
        let text = generator.random_script(true);
        fs::write(folder.join("part.sh"), &part).expect("written");
        fs::write(folder.join("main.sh"), format!("{PROLOGUE}{text}")).expect("written");
        let Some(expected) = words_of_bash(&folder) else { continue };
        let found = words_of_evaluator(&text, &part);
        assert_eq!(found, expected, "seed {seed}\n{text}\n# part.sh\n{part}");
        same += 1;
    }
    assert_eq!(same, count, "of {seed} scripts that bash was asked to run");
}

#[test]
fn scripts_that_never_end_are_given_up() {
    let cases = [
        "f() { f; f; }\nf",
        "while :; do X=$X$X; done",
        "X=aaaaaaaa; for i in {1..60}; do X=\"$X$X\"; done",
        "eval 'eval \"$0\"'; . ./part.sh",
        "X='eval \"$X\"'; eval \"$X\"",
        "for ((;;)); do for ((;;)); do for ((;;)); do torchrun a; done; done; done",
        &"$(".repeat(5_000),
        &"${X:-".repeat(5_000),
        &"{".repeat(5_000),
        &"[[ ( ".repeat(5_000),
        &"if ".repeat(5_000),
        &"echo $((((".repeat(3_000),
    ];
    for text in cases {
        let _ = evaluate(text, ". ./part.sh\n. ./part.sh");
    }
}

#[test]
fn files_are_asked_for_below_the_folder_alone() {
    let asked = std::cell::RefCell::new(Vec::new());
    let read_file = |name: &str| {
        asked.borrow_mut().push(name.to_owned());
        None
    };
    let text = ". ../out.sh\n. a/../../out.sh\n. /etc/profile\ncd ..; . out.sh\n. a/../in.sh";
    let made = evaluate_with_files(text, &read_file);
    // Of a file elsewhere the name alone, for those that the user names.
    let below = |name: &String| match name.strip_prefix("../") {
        Some(bare) => !bare.contains('/'),
        None => !name.contains("..") && !name.starts_with('/'),
    };
    assert!(asked.borrow().iter().all(below), "{asked:?}");
    assert!(asked.borrow().iter().any(|name| name == "in.sh"));
    assert_eq!(made.missing.len(), 5);
}

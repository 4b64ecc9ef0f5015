//! Words that no reader outside of this project knows: none stands in an output, the README or a
//! page. It does not look at the keys of specs and results, which keep theirs.

use std::fs;
use std::path::Path;

use crate::support::program::{fresh_folder, planner_in};

/// What no output and no page says, in lower case; the words to take instead are in
/// docs/glossary.md.
const HOUSE_WORDS: [&str; 58] = [
    "$/mtoken",
    "a token costs +",
    "after the failures",
    "another objective",
    "at old prices, $",
    "best model",
    "bounds exclude all",
    "by the clock",
    "cheapest token",
    "choose on resilience",
    "cost of a token",
    "cross-rail traffic",
    "domains that stop",
    "exposed data",
    "exposed pipeline",
    "exposed tensor",
    "exposed traffic",
    "for its pace",
    "gate that fails is breached",
    "gate that warns is breached",
    "hold no rank",
    "holds no rank",
    "in today's money",
    "its pace",
    "leaf o'sub",
    "limits that bind",
    "make a token",
    "minimum cut:",
    "moving any one of them",
    "moving one of them",
    "no cheaper per token",
    "no spine across rails",
    "none that the spec states",
    "of capex rests",
    "of the pace",
    "on standby",
    "on the front",
    "pace with its phases",
    "pace without it",
    "per mtok",
    "program was posed",
    "programs were posed",
    "proven optimal among",
    "rests on prices",
    "savings are the design's",
    "sent and not predicted",
    "somebody carries",
    "stand by",
    "standby machines",
    "stands by",
    "t-p-d",
    "tflop/s a gpu",
    "auto: the planner chooses",
    "tokens/s a gpu",
    "what moved",
    "what would change it",
    "where it comes from",
    "worth a gpu",
];

/// What a page may have to name, and no output needs.
const WORDS_OF_PAGES: [&str; 16] = [
    "80 % interval",
    "a kwh",
    "at new quantities",
    "capex and electricity",
    "endpoints",
    "exposed",
    "in stock",
    "interface",
    "interfaces",
    "lm head",
    "of capex",
    "one plane",
    "room to grow",
    "stragglers",
    "transceiver",
    "transceivers",
];

/// Commands whose outputs are read: every section of several ready specs, and the short forms.
const COMMANDS: [&[&str]; 18] = [
    &["design", "starter"],
    &["design", "starter", "--all"],
    &["design", "starter", "-q"],
    &["design", "starter", "--all", "--format", "markdown"],
    &["design", "starter", "--pareto"],
    &["design", "starter", "--sensitivity", "--all"],
    &["design", "gpt3-175b-a100-1536", "--all"],
    &["compare", "starter", "--all"],
    &["compare", "starter", "--with", "demo", "--all"],
    &["step", "starter", "--all"],
    &["traffic", "starter", "--all"],
    &["network", "starter", "--all"],
    &["network", "starter", "--fail", "gpu:3.1", "--all"],
    &["bill", "starter", "--all"],
    &["domain", "starter", "--over", "nvlink4-8", "--all"],
    &["sweep", "starter", "--vary", "cluster.gpus=128,256"],
    &["search", "starter", "--where", "tensor<=2", "--all"],
    &["help", "design"],
];

/// Lower case, one space between words, nothing between backticks: those hold keys, and blocks what
/// a command prints.
fn plain_words(text: &str) -> String {
    let outside: String = text.split('`').step_by(2).collect();
    outside.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Those of some phrases that stand by themselves and not inside of a longer word or key.
fn found_words<'a>(phrases: &[&'a str], text: &str) -> Vec<&'a str> {
    let text = plain_words(text);
    let goes_on = |next: Option<char>| {
        next.is_some_and(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-')
    };
    let stands = |phrase: &str| {
        text.match_indices(phrase).any(|(place, found)| {
            !goes_on(text[..place].chars().next_back())
                && !goes_on(text[place + found.len()..].chars().next())
        })
    };
    phrases.iter().copied().filter(|phrase| stands(phrase)).collect()
}

#[test]
fn outputs_speak_the_words_of_the_field() {
    let folder = fresh_folder("house-words");
    for arguments in COMMANDS {
        let program = planner_in(&folder, arguments);
        assert_eq!(program.status, 0, "{arguments:?}: {}", program.stderr);
        let text = format!("{}\n{}", program.stdout, program.stderr);
        let all = [&HOUSE_WORDS[..], &WORDS_OF_PAGES].concat();
        let found = found_words(&all, &text);
        assert!(found.is_empty(), "planner {}: {found:?}", arguments.join(" "));
    }
}

#[test]
fn pages_speak_the_words_of_the_field() {
    /// What is derived there keeps the names of its quantities.
    const DERIVED: [&str; 2] = ["equations.md", "formulation.md"];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = fs::read_dir(root.join("docs")).expect("docs/ ships");
    let mut paths: Vec<_> = pages
        .map(|page| page.expect("it can be read").path())
        .filter(|path| is_page(path))
        .collect();
    paths.retain(|path| !DERIVED.iter().any(|name| path.ends_with(name)));
    paths.push(root.join("README.md"));
    paths.sort();
    let told = paths.iter().filter_map(|path| {
        let found = found_words(&HOUSE_WORDS, &fs::read_to_string(path).expect("a page is text"));
        (!found.is_empty()).then(|| format!("{}: {found:?}", path.display()))
    });
    let told: Vec<String> = told.collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
}

fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "md")
}

#[test]
fn a_house_word_counts_only_by_itself() {
    let found = |text| found_words(&HOUSE_WORDS, text);
    assert_eq!(found("one machine\n  stands by"), ["stands by"]);
    assert_eq!(found("it understands by heart"), [""; 0]);
    assert_eq!(found("`failures.standby` has how many stand `by`"), [""; 0]);
}

//! Nothing that says what is wrong is without a golden text: neither a variant of an error, nor a
//! text of the command line, of the spec or of a technique's rules. Reads the source.

use std::collections::BTreeSet;
use std::fs;

use crate::messages::beside;
use crate::support::sources::{Source, code, sources};

/// Enums that carry what is wrong for another type that displays them.
const KINDS: [&str; 3] = ["RuleProblemKind", "ProblemKind", "LayoutProblem"];
/// Errors that are one thing, and those that only gather others.
const PLAIN: [&str; 2] = ["UnitError", "ShardError"];
const GATHERING: [&str; 2] = ["Problems", "RuleProblem"];
/// An error that is told with its module.
const SHARED: &str = "Infeasible";

/// Names of the variants of an enum, from its text.
fn variants(text: &str, name: &str) -> Vec<String> {
    let start = text.find(&format!("enum {name} {{")).unwrap_or_else(|| panic!("no enum {name}"));
    let body = &text[start..];
    let body = &body[..body.find("\n}").expect("it ends")];
    body.lines()
        .skip(1)
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.starts_with(|first: char| first.is_ascii_uppercase()))
        .map(|line| line.chars().take_while(char::is_ascii_alphanumeric).collect())
        .collect()
}

/// Every kind of error that the library can make.
fn kinds(all: &[Source]) -> BTreeSet<String> {
    let mut kinds: BTreeSet<String> = PLAIN.iter().map(|name| (*name).to_owned()).collect();
    for source in all {
        let text = code(&source.text);
        let errors = text.match_indices("impl std::error::Error for ").map(|(at, found)| {
            let rest = &text[at + found.len()..];
            rest.chars().take_while(char::is_ascii_alphanumeric).collect::<String>()
        });
        let carried = KINDS.iter().filter(|name| text.contains(&format!("enum {name} {{")));
        for name in errors.chain(carried.map(|name| (*name).to_owned())) {
            if PLAIN.contains(&name.as_str()) || GATHERING.contains(&name.as_str()) {
                continue;
            }
            let shown =
                if name == SHARED { format!("{}::{name}", source.module) } else { name.clone() };
            kinds.extend(variants(&text, &name).iter().map(|word| format!("{shown}::{word}")));
        }
    }
    kinds
}

#[test]
fn every_kind_of_error_has_a_golden_text() {
    let golden = fs::read_to_string(beside("library.txt")).expect("the golden texts");
    let held: BTreeSet<String> =
        golden.lines().filter(|line| !line.starts_with(' ')).map(str::to_owned).collect();
    let kinds = kinds(&sources());
    assert!(kinds.len() > 80, "the source was read: {}", kinds.len());
    let missing: Vec<&String> = kinds.difference(&held).collect();
    assert!(missing.is_empty(), "without a text in tests/messages/library.rs: {missing:?}");
    let gone: Vec<&String> = held.difference(&kinds).collect();
    assert!(gone.is_empty(), "no such error any more: {gone:?}");
}

/// What a text is handed to, or called, where it tells what is wrong or what to do.
const TELLS: [&str; 14] = [
    "anyhow!(",
    "bail!(",
    "usage_error(",
    "_failure(",
    "refuse_check(",
    "refuse_compare(",
    "context(",
    "contradiction(",
    "refuse_several_clusters(",
    "message =",
    "message:",
    "hint =",
    "wanted =",
    "reason =",
];

/// What no test can make the program say: it takes a terminal, a full disk or a bug.
const UNSEEN: [&str; 8] = [
    "too many programs write to it",
    "can't write to standard output",
    "can't write to standard output: it is closed",
    "too many links follow each other",
    "it has no file name",
    "the result is no text, and standard output is a terminal",
    "write it to a file with `-o FILE`",
    // It stands in the screen, on standard output.
    "{first} GPUs have a design within these limits; `{} --vary cluster.gpus={}` compares sizes",
];

/// Words from which a text is a sentence and no name.
const WORDS: usize = 3;

/// Files whose texts are held: where the command line, the spec and the techniques refuse.
fn refuses(source: &Source) -> bool {
    let path = source.path.as_str();
    (path.starts_with("src/cli/") || path.starts_with("src/spec/") || path.starts_with("src/technique/"))
        // What a user can't cause: a clap parser of its own has its own words.
        && !["src/cli/args.rs", "src/cli/mod.rs"].contains(&path)
}

/// The texts of a file that tell what is wrong.
fn told(text: &str) -> Vec<String> {
    let mut told = Vec::new();
    // A quote as a character opens no text.
    let text = text.replace("'\"'", "' '");
    let mut rest = text.as_str();
    let mut before = String::new();
    while let Some(start) = rest.find('"') {
        before.push_str(&rest[..start]);
        let (literal, length) = literal(&rest[start + 1..]);
        let statement = before.rfind([';', '}']).map_or(before.as_str(), |at| &before[at..]);
        let tells = TELLS.iter().any(|mark| statement.contains(mark));
        if tells && literal.split_whitespace().count() >= WORDS {
            told.push(literal);
        }
        before.push_str("\"\"");
        rest = &rest[start + 1 + length..];
    }
    told
}

/// A literal up to its closing quote, and how long it is in the source.
fn literal(text: &str) -> (String, usize) {
    let mut literal = String::new();
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (literal, at + 1),
            '\\' => match characters.next() {
                // A line break that the source only has for its own width.
                Some((_, '\n')) => {
                    while characters.next_if(|(_, next)| next.is_whitespace()).is_some() {}
                }
                Some((_, 'n')) => literal.push(' '),
                Some((_, escaped)) => literal.push(escaped),
                None => break,
            },
            other => literal.push(other),
        }
    }
    (literal, text.len())
}

/// The fixed parts of a text with `{…}` in it.
fn fixed(literal: &str) -> Vec<String> {
    let plain = literal.replace("{{", "\u{1}").replace("}}", "\u{2}");
    let mut parts = vec![String::new()];
    let mut inside = false;
    for character in plain.chars() {
        match character {
            '{' => {
                inside = true;
                parts.push(String::new());
            }
            '}' => inside = false,
            _ if inside => {}
            other => parts.last_mut().expect("there is a first").push(other),
        }
    }
    parts.iter().map(|part| part.replace('\u{1}', "{").replace('\u{2}', "}")).collect()
}

/// All golden texts, line breaks as spaces.
fn all_golden() -> String {
    let mut all = String::new();
    for folder in ["tests/messages", "tests/spec_errors", "tests/spec/price_books"] {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for entry in fs::read_dir(folder).expect("a folder of tests") {
            let path = entry.expect("a readable folder").path();
            if path.extension().is_some_and(|ending| ending == "txt") {
                all.push_str(&fs::read_to_string(path).expect("a text"));
            }
        }
    }
    all.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_refusal_of_the_command_line_and_the_spec_has_a_golden_text() {
    let golden = all_golden();
    let (mut checked, mut missing) = (0, Vec::new());
    let told_alone: BTreeSet<&str> = UNSEEN.into_iter().collect();
    for source in sources().iter().filter(|source| refuses(source)) {
        for text in told(&code(&source.text)) {
            checked += 1;
            let held = told_alone.contains(text.as_str())
                || fixed(&text).iter().all(|part| {
                    golden.contains(&part.split_whitespace().collect::<Vec<_>>().join(" "))
                });
            if !held {
                missing.push(format!("{}: {text}", source.path));
            }
        }
    }
    assert!(checked > 60, "the source was read: {checked}");
    assert!(missing.is_empty(), "no golden text says\n{}", missing.join("\n"));
}

#[test]
fn the_search_finds_what_it_has_to() {
    let source = r#"
        let hint = "leave out \"this\", or \
                    that";
        Err(Failure::refused(anyhow!("`{name}` is {} at all", 1), "no"));
        let title = "four words and more";
    "#;
    assert_eq!(told(source), ["leave out \"this\", or that", "`{name}` is {} at all"]);
    assert_eq!(fixed("a {x} b {{c}}"), ["a ", " b {c}"]);
}

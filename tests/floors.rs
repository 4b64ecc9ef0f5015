//! The architecture as a test: a file uses only its own module and lower floors, and heavy crates
//! stay where they belong. Reads the source text, so that no macro or re-export hides an import.

#[path = "support/sources.rs"]
mod sources;

use std::collections::BTreeMap;

use sources::{Source, code, sources};

/// Modules by floor, lowest first (docs/architecture.md). Within a floor, modules that stand in
/// one group may use the groups before it.
const FLOORS: [&[&[&str]]; 8] = [
    &[&["units"]],
    &[&["workload"], &["parallel"], &["hardware"], &["scenario"]],
    &[&["step"], &["technique", "collective"], &["traffic", "memory"], &["fabric"]],
    &[&["reliability"], &["timing", "cost", "routing"]],
    &[&["sizing"]],
    &[
        &["search"],
        &["design"],
        &["quantity"],
        &["compare", "explain", "gate", "validate"],
        &["sweep"],
    ],
    &[&["spec"], &["results"], &["report"]],
    &[&["cli"]],
];

/// Two modules of a floor that may not see each other, whatever the order above.
const APART: [(&str, &str); 5] = [
    ("report", "spec"),
    ("report", "results"),
    ("results", "spec"),
    ("fabric", "traffic"),
    ("fabric", "step"),
];

/// Crates and the modules that may name them; all others may not.
const CRATES: [(&str, &[&str]); 12] = [
    ("good_lp", &["sizing"]),
    ("petgraph", &["fabric"]),
    ("serde", &["spec", "report"]),
    ("serde_json", &["spec", "results", "report", "gate"]),
    ("toml", &["spec"]),
    ("comfy_table", &["report"]),
    ("png", &["report"]),
    ("annotate_snippets", &["spec"]),
    ("clap", &["cli"]),
    ("anyhow", &["cli", "main"]),
    ("signal_hook", &["cli"]),
    ("rustix", &["cli"]),
];

/// What reads the world: files, clock, environment, randomness, threads.
const WORLD: [&str; 6] =
    ["std::fs", "std::io", "std::env", "std::time", "std::process", "std::thread"];

/// The one file that starts threads: no result depends on them, and a test says so.
const THREADS: &str = "src/search/workers.rs";

/// What a report may name of it: exports write to whatever the caller hands them.
const WRITERS: [&str; 2] = ["std::io::Write", "std::io::Error"];

/// Position of a module: floor, then group within it.
fn position(module: &str) -> Option<(usize, usize)> {
    FLOORS.iter().enumerate().find_map(|(floor, groups)| {
        let group = groups.iter().position(|group| group.contains(&module))?;
        Some((floor, group))
    })
}

/// Modules that `text` names as `crate::…`, also from inside braces.
fn named(text: &str) -> Vec<String> {
    let mut modules = Vec::new();
    for (start, _) in text.match_indices("crate::") {
        let before = text[..start].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &text[start + "crate::".len()..];
        if let Some(list) = rest.strip_prefix('{') {
            modules.extend(first_segments(list));
        } else {
            modules.push(identifier(rest));
        }
    }
    modules
}

/// The first path segment of each entry of a use list, up to its closing brace.
fn first_segments(list: &str) -> Vec<String> {
    let mut depth = 0;
    let mut entries = vec![String::new()];
    for character in list.chars() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => entries.push(String::new()),
            other => entries.last_mut().expect("there is a first entry").push(other),
        }
    }
    entries.iter().map(|entry| identifier(entry.trim())).filter(|name| !name.is_empty()).collect()
}

fn identifier(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// What is wrong with one file.
fn breaches(source: &Source) -> Vec<String> {
    let own = source.module.as_str();
    if own == "lib" {
        return Vec::new();
    }
    let Some(here) = position(own).or((own == "main").then_some((FLOORS.len(), 0))) else {
        return vec![format!("{}: module `{own}` has no floor", source.path)];
    };
    let text = code(&source.text);
    let mut breaches = Vec::new();
    for module in named(&text) {
        if module == own {
            continue;
        }
        match position(&module) {
            None => breaches.push(format!("{}: `crate::{module}` has no floor", source.path)),
            Some(there) if there >= here => {
                breaches.push(format!("{}: uses `{module}` of a higher floor", source.path));
            }
            Some(_) if APART.contains(&(own, &module)) => {
                breaches.push(format!("{}: `{own}` must not know `{module}`", source.path));
            }
            Some(_) => {}
        }
    }
    for (name, modules) in CRATES {
        if text.contains(&format!("{name}::")) && !modules.contains(&own) {
            breaches.push(format!("{}: uses the crate `{name}`", source.path));
        }
    }
    let text = match own {
        "report" => WRITERS.iter().fold(text, |text, name| text.replace(name, "")),
        _ => text,
    };
    let text = if source.path == THREADS { text.replace("std::thread", "") } else { text };
    if here.0 < FLOORS.len() - 1 {
        for world in WORLD.iter().filter(|world| text.contains(*world)) {
            breaches.push(format!("{}: reads the world through `{world}`", source.path));
        }
    }
    breaches
}

#[test]
fn a_file_uses_only_lower_floors() {
    let breaches: Vec<String> = sources().iter().flat_map(breaches).collect();
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
}

/// Words and JSON of a report say the same of the same sheets; neither reads the other, but that
/// words hand over to JSON where that is asked for.
#[test]
fn json_and_sheets_know_no_words() {
    let apart = |source: &&Source| {
        ["src/report/json/", "src/report/sheet/"].iter().any(|of| source.path.starts_with(of))
    };
    let all = sources();
    let files: Vec<&Source> = all.iter().filter(apart).collect();
    assert!(files.len() > 20, "{}", files.len());
    for source in files {
        assert!(!code(&source.text).contains("view::"), "{}: uses words", source.path);
    }
}

#[test]
fn every_floor_above_the_nouns_is_inhabited() {
    let mut files: BTreeMap<usize, usize> = BTreeMap::new();
    for (floor, _) in sources().iter().filter_map(|source| position(&source.module)) {
        *files.entry(floor).or_default() += 1;
    }
    assert_eq!(files.len(), FLOORS.len(), "{files:?}");
}

#[track_caller]
fn refused(path: &str, text: &str, expected: &str) {
    let found = breaches(&Source::new(path, text));
    assert!(found.iter().any(|breach| breach.contains(expected)), "{found:?}");
}

#[test]
fn the_check_can_fail() {
    refused("src/units/a.rs", "use crate::cost::Cost;", "higher floor");
    refused("src/units/a.rs", "fn f() -> crate::design::Plan { todo() }", "higher floor");
    refused("src/cost/a.rs", "use crate::{units::Usd, design::Plan};", "higher floor");
    refused("src/report/a.rs", "use crate::spec::read;", "must not know `spec`");
    refused("src/spec/a.rs", "use crate::report::Look;", "higher floor");
    refused("src/fabric/a.rs", "use crate::traffic::Summary;", "must not know `traffic`");
    refused("src/cost/a.rs", "use good_lp::variable;", "crate `good_lp`");
    refused("src/timing/a.rs", "let now = std::time::Instant::now();", "reads the world");
    refused("src/search/run.rs", "use std::thread;", "reads the world");
    refused("src/novel/a.rs", "", "has no floor");
    assert!(breaches(&Source::new("src/cost/a.rs", "use crate::units::Usd;")).is_empty());
    assert!(breaches(&Source::new("src/cost/a.rs", "/// [`crate::design`]\n")).is_empty());
}

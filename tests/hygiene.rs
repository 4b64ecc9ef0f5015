//! Rules of the repository that no compiler knows.

#[allow(dead_code, reason = "these rules ask for no module")]
#[path = "support/sources.rs"]
mod sources;

use std::fs;
use std::path::Path;

use sources::{Source, code, sources};

/// Longest file: above it, a file is more than one concept.
const MOST_LINES: usize = 400;

/// The length that the middle file should not exceed.
const MEDIAN_LINES: usize = 150;

/// Files that are allowed to be longer, each with its reason.
const LONG_FILES: [(&str, &str); 0] = [];

/// What must not be left behind, put together so that this file does not contain it.
fn leftovers() -> [String; 6] {
    let bang = "!";
    [
        format!("todo{bang}"),
        format!("unimplemented{bang}"),
        format!("dbg{bang}"),
        ["FIX", "ME"].concat(),
        ["TO", "DO"].concat(),
        [".unwr", "ap()"].concat(),
    ]
}

#[track_caller]
fn none(breaches: &[String]) {
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
}

#[test]
fn nothing_is_left_open_and_nothing_unwraps() {
    let leftovers = leftovers();
    let found: Vec<String> = sources()
        .iter()
        .flat_map(|source| {
            let code = code(&source.text);
            leftovers
                .iter()
                .filter(|leftover| code.contains(leftover.as_str()))
                .map(|leftover| format!("{}: `{leftover}`", source.path))
                .collect::<Vec<_>>()
        })
        .collect();
    none(&found);
}

#[test]
fn every_file_says_what_it_is_for() {
    let found: Vec<String> = sources()
        .into_iter()
        .filter(|source| !source.text.starts_with("//! "))
        .map(|source| format!("{}: does not open with `//!`", source.path))
        .collect();
    none(&found);
}

#[test]
fn files_are_one_concept_long() {
    let lengths: Vec<(usize, Source)> =
        sources().into_iter().map(|source| (source.text.lines().count(), source)).collect();
    let found: Vec<String> = lengths
        .iter()
        .filter(|(lines, source)| {
            *lines > MOST_LINES && !LONG_FILES.iter().any(|(path, _)| *path == source.path)
        })
        .map(|(lines, source)| format!("{}: {lines} lines, at most {MOST_LINES}", source.path))
        .collect();
    none(&found);
    let mut all: Vec<usize> = lengths.iter().map(|(lines, _)| *lines).collect();
    all.sort_unstable();
    let median = all[all.len() / 2];
    assert!(median <= MEDIAN_LINES, "the middle file has {median} lines");
}

#[test]
fn imports_name_what_they_take() {
    let found: Vec<String> = sources()
        .iter()
        .filter(|source| {
            code(&source.text)
                .lines()
                .any(|line| line.trim_start().starts_with("use ") && line.contains("::*"))
        })
        .map(|source| format!("{}: imports with `*`", source.path))
        .collect();
    none(&found);
}

#[test]
fn no_path_of_anyones_machine_is_in_the_project() {
    let homes = ["home", "root", "Users", "tmp"].map(|folder| format!("\"/{folder}/"));
    let mut files = sources();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["README.md", "docs/architecture.md", "docs/decisions.md", ".ci/run"] {
        let text = fs::read_to_string(root.join(name)).unwrap_or_default();
        files.push(Source::new(name, &text));
    }
    let found: Vec<String> = files
        .iter()
        .flat_map(|file| {
            homes
                .iter()
                .filter(|home| {
                    let bare = format!(" {}", home.trim_start_matches('"'));
                    file.text.contains(home.as_str()) || file.text.contains(&bare)
                })
                .map(|home| format!("{}: {home}", file.path))
                .collect::<Vec<_>>()
        })
        .collect();
    none(&found);
}

//! docs/equations.md and the code that cites it: numbers are unique and in order, and every
//! section that is cited exists. Whether a formula is right is other tests' business.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_equation_has_a_number_of_its_own_in_order() {
    let numbers = numbers();
    assert!(numbers.len() > 50, "{} equations", numbers.len());
    for pair in numbers.windows(2) {
        assert!(pair[0] < pair[1], "{:?} stands before {:?}", pair[0], pair[1]);
    }
}

#[test]
fn every_cited_equation_exists() {
    let known: BTreeSet<(u32, u32)> = numbers().into_iter().collect();
    let chapters: BTreeSet<u32> = known.iter().map(|(chapter, _)| *chapter).collect();
    let mut cited = 0;
    for file in files() {
        let text = fs::read_to_string(&file).expect("a text file");
        for (_, rest) in
            text.match_indices("equations.md §").map(|(at, found)| (at, &text[at + found.len()..]))
        {
            cited += 1;
            let number =
                section(rest).unwrap_or_else(|| panic!("{}: § {rest:.10}", file.display()));
            let exists = match number {
                (chapter, None) => chapters.contains(&chapter),
                (chapter, Some(equation)) => known.contains(&(chapter, equation)),
            };
            assert!(exists, "{}: docs/equations.md has no §{number:?}", file.display());
        }
    }
    assert!(cited > 0, "nothing is cited");
}

/// Numbers of the equations, as they stand.
fn numbers() -> Vec<(u32, u32)> {
    let text = fs::read_to_string(root().join("docs/equations.md")).expect("the equations");
    text.lines()
        .filter_map(|line| line.strip_prefix("**§"))
        .map(|rest| match section(rest) {
            Some((chapter, Some(equation))) => (chapter, equation),
            _ => panic!("an equation is numbered `§chapter.number`: {rest}"),
        })
        .collect()
}

/// Reads `4.2` or `4` off the start of a text.
fn section(text: &str) -> Option<(u32, Option<u32>)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let digits = text[..end].trim_end_matches('.');
    match digits.split_once('.') {
        Some((chapter, equation)) => Some((chapter.parse().ok()?, Some(equation.parse().ok()?))),
        None => Some((digits.parse().ok()?, None)),
    }
}

/// Sources, tests and presets.
fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> =
        ["src", "tests", "presets"].map(|folder| root().join(folder)).into();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("a directory") {
            let path = entry.expect("a readable directory").path();
            let text = path.extension().is_some_and(|end| end == "rs" || end == "toml");
            if path.is_dir() {
                open.push(path);
            } else if text && !path.ends_with("equations.rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

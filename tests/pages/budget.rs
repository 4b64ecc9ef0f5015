//! Pages stay short: `docs/budget.toml` lists every page with the most words that it may have.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Pages of the list, by their path, with their words.
fn budget() -> Vec<(String, usize)> {
    let text = fs::read_to_string(root().join("docs/budget.toml")).expect("there is a budget");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '[']));
    lines
        .map(|line| {
            let (page, words) = line.split_once(" = ").expect("`\"page\" = words`");
            (page.trim_matches('"').to_owned(), words.parse().expect("a number of words"))
        })
        .collect()
}

/// The README and every page in `docs/`.
pub(crate) fn pages() -> Vec<String> {
    budget().into_iter().map(|(page, _)| page).collect()
}

#[test]
fn the_budget_has_every_page_and_no_other() {
    let folder = fs::read_dir(root().join("docs")).expect("there are docs");
    let paths: Vec<PathBuf> = folder.map(|entry| entry.expect("it can be read").path()).collect();
    let mut found: Vec<String> = paths
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .filter_map(|path| Some(format!("docs/{}", path.file_name()?.to_str()?)))
        .collect();
    found.push("README.md".to_owned());
    found.sort();
    let mut listed = pages();
    listed.sort();
    assert_eq!(listed, found, "a page that joins docs/ replaces one, or has a row in the budget");
}

/// A word has a letter or a digit: bars of tables are none.
#[test]
fn no_page_is_longer_than_its_budget() {
    let words = |page: &str| {
        let text = fs::read_to_string(root().join(page)).expect("there is such a page");
        text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count()
    };
    let long: Vec<String> = budget()
        .iter()
        .filter(|(page, most)| words(page) > *most)
        .map(|(page, most)| format!("{page}: {} words, at most {most}", words(page)))
        .collect();
    assert!(long.is_empty(), "say it once, and shorter: {}", long.join("; "));
}

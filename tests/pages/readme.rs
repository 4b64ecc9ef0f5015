//! The README and the page on the code are true: every command in them runs, and the output that
//! they show is what comes out.

use std::fs;
use std::path::Path;

use crate::support::program::{fresh_folder, planner_in};

/// Pages that show what commands print.
const PAGES: [&str; 3] = ["README.md", "docs/from-scenario-to-plan.md", "docs/walkthrough.md"];

/// A block of the README between fences.
struct Block {
    language: String,
    lines: Vec<String>,
}

fn blocks() -> Vec<Block> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("README.md")).expect("there is a README");
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), open.as_mut()) {
            (Some(language), None) => {
                open = Some(Block { language: language.to_owned(), lines: Vec::new() });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => block.lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a fence of the README is not closed");
    blocks
}

/// Arguments of `planner` in a command of the README: also through `cargo run … -- `.
fn arguments(command: &str) -> Option<Vec<String>> {
    let command = command.split('#').next().unwrap_or_default().trim();
    let tail = match command.strip_prefix("planner ") {
        Some(tail) => tail,
        None => command.strip_prefix("cargo run --release --locked -- ")?,
    };
    Some(tail.split_whitespace().map(|word| word.trim_matches('\'').to_owned()).collect())
}

#[test]
fn every_command_of_the_readme_runs() {
    let folder = fresh_folder("readme");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut ran = 0;
    for block in blocks().iter().filter(|block| block.language == "sh") {
        for line in &block.lines {
            let Some(arguments) = arguments(line) else { continue };
            // Paths of the project work from its root; everything else from an empty folder.
            let place = if line.contains("presets/") { root } else { &folder };
            let done = planner_in(place, &arguments);
            assert_eq!(done.status, 0, "{line}\n{}", done.stderr);
            ran += 1;
        }
    }
    assert!(ran >= 5, "only {ran} commands of the README were found");
}

/// A page with the output of each shown command put in anew.
fn renewed(page: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join(page)).expect("there is such a page");
    let mut lines = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.strip_prefix("$ ") {
            Some(command) if inside => {
                let arguments = arguments(command).expect("it is a command of the planner");
                lines.push(line.to_owned());
                lines.extend(planner_in(root, &arguments).stdout.lines().map(str::to_owned));
            }
            _ if inside && line != "```" => {}
            _ => {
                inside = line == "```console";
                lines.push(line.to_owned());
            }
        }
    }
    lines.join("\n") + "\n"
}

/// Where this fails because the output was meant to change: run it once with `RENEW_README=1`,
/// and read what it wrote.
#[test]
fn the_output_that_a_page_shows_is_what_comes_out() {
    for page in PAGES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
        let shown = fs::read_to_string(&path).expect("there is such a page");
        assert!(shown.contains("\n```console\n$ "), "{page} shows no output");
        let renewed = renewed(page);
        if std::env::var_os("RENEW_README").is_some() {
            fs::write(&path, &renewed).expect("the page can be written");
            continue;
        }
        for (place, (old, new)) in shown.lines().zip(renewed.lines()).enumerate() {
            assert_eq!(old, new, "line {} of {page} is no longer true", place + 1);
        }
        assert_eq!(shown.lines().count(), renewed.lines().count(), "{page}: another length");
    }
}

//! The document of the integer program names functions and fields that exist, and every
//! constraint that is written has its row in the document.

use std::fs;

const DOCUMENT: &str = "docs/formulation.md";

fn text(path: &str) -> String {
    fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR")))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Rows of the table under a heading, cell by cell; backticks taken off.
fn rows(heading: &str) -> Vec<Vec<String>> {
    let document = text(DOCUMENT);
    let section = document.split("\n## ").find(|section| section.starts_with(heading));
    let section = section.unwrap_or_else(|| panic!("{DOCUMENT} has a section `{heading}`"));
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect()
    };
    section.lines().filter(|line| line.starts_with('|')).skip(2).map(cells).collect()
}

#[test]
fn every_constraint_has_a_function_of_its_name_and_the_reverse() {
    let files = ["constraints.rs", "solve.rs", "stages.rs"];
    let code: String = files.iter().map(|file| text(&format!("src/sizing/{file}"))).collect();
    let mut documented: Vec<String> = Vec::new();
    for row in rows("Constraints") {
        let [name, _, function] = &row[..] else { panic!("{row:?}") };
        let is_named = function.starts_with(name.trim_end_matches('s'));
        assert!(is_named && function.contains("_row"), "`{function}` makes the rows of `{name}`");
        assert!(code.contains(&format!("fn {function}(")), "no function `{function}`");
        assert!(code.contains(&format!("/// `{name}")), "no doc comment names `{name}`");
        documented.push(name.clone());
    }
    // Variables stand in the same file, and say what they are behind a `=`.
    let comments = code.lines().filter_map(|line| line.trim().strip_prefix("/// `"));
    for line in comments.filter(|line| !line.contains("` = ")) {
        let name: String =
            line.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
        assert!(documented.contains(&name), "`{name}` has no row in {DOCUMENT}");
    }
}

#[test]
fn every_variable_and_column_field_exists() {
    let program = text("src/sizing/constraints.rs");
    for row in rows("Variables") {
        for field in row[2].split(',') {
            assert!(program.contains(&format!("pub(super) {}:", field.trim())), "{row:?}");
        }
    }
    let problem = text("src/sizing/problem.rs");
    for row in rows("Columns") {
        assert!(problem.contains(&format!("pub {}:", row[2])), "{row:?}");
    }
}

#[test]
fn every_file_that_the_document_names_exists() {
    let document = text(DOCUMENT);
    let names = document.split('`').filter(|name| name.ends_with(".rs"));
    for name in names {
        let found = [format!("src/sizing/{name}"), format!("src/{name}"), name.to_owned()]
            .iter()
            .any(|path| fs::metadata(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).is_ok());
        assert!(found, "{DOCUMENT} names `{name}`, which is nowhere");
    }
}

//! Equal input gives equal bytes: every command, every format, twice.

use crate::program::{fresh_folder, planner_in};

const SPECS: [&str; 3] = ["starter", "gpt3-175b-a100-1536", "deepseek-v3-h800-2048"];

#[test]
fn the_same_spec_gives_the_same_bytes() {
    let folder = fresh_folder("determinism");
    for spec in SPECS {
        for command in ["design", "step", "traffic"] {
            for format in ["table", "json", "csv", "markdown", "html"] {
                let arguments = [command, spec, "--format", format];
                let first = planner_in(&folder, &arguments);
                assert_eq!(first.status, 0, "{arguments:?}\n{}", first.stderr);
                assert_eq!(first, planner_in(&folder, &arguments), "{arguments:?}");
            }
        }
    }
}

#[test]
fn a_comparison_gives_the_same_bytes() {
    let folder = fresh_folder("determinism-compare");
    let arguments = ["compare", "starter", "--baseline", "clos", "--format", "json"];
    let first = planner_in(&folder, &arguments);
    assert_eq!(first.status, 0, "{}", first.stderr);
    assert_eq!(first, planner_in(&folder, &arguments));
}

#[test]
fn colour_is_never_in_what_is_not_a_terminal() {
    let folder = fresh_folder("determinism-colour");
    let plain = planner_in(&folder, &["design", "starter"]);
    let coloured = planner_in(&folder, &["design", "starter", "--color", "always"]);
    assert!(!plain.stdout.contains('\u{1b}'));
    assert!(coloured.stdout.contains('\u{1b}'));
}

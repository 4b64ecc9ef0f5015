//! Equal input gives equal bytes: every command, every format, twice.

use crate::support::program::{fresh_folder, planner_in};

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

/// Nine machines, each with layouts of its own, and one that no layout fits: more of them than threads.
#[test]
fn threads_change_no_byte_of_a_design() {
    let folder = fresh_folder("determinism-threads");
    let open = [
        "--set",
        "cluster.node=[\"dgx-h100\", \"hgx-b200\", \"gb200-nvl72\"]",
        "--set",
        "cluster.nic=[\"ndr-400g\", \"bf3-b3140h\", \"xdr-800g\"]",
        "--set",
        "cluster.gpus=64",
        "--set",
        "parallelism.tensor=\"auto\"",
        "--set",
        "parallelism.pipeline=\"auto\"",
    ];
    for format in ["table", "json", "html"] {
        let on = |jobs| {
            let arguments = ["design", "starter", "--format", format, "--jobs", jobs];
            let said = planner_in(&folder, &[&arguments[..], &open].concat());
            assert_eq!(said.status, 0, "{format} {jobs}: {}", said.stderr);
            said
        };
        let one = on("1");
        assert_eq!(one, on("2"), "{format}");
        assert_eq!(one, on("4"), "{format}");
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

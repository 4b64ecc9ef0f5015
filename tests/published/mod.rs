//! Published numbers, all in one table: what a paper prints, how close the planner has to come,
//! and what it makes of the paper's own spec. `cargo test --test engine published:: -- --nocapture` shows it.

mod harness;
mod measured;
mod models;
mod rail_only_v1;
mod rail_only_v5;
mod table;

use std::path::Path;

use planner::spec::presets::{self, PresetKind};
use table::Row;

#[test]
#[expect(clippy::print_stdout, reason = "the table is the point of the test")]
fn published_numbers_are_reproduced() {
    let rows: Vec<Row> =
        [measured::rows(), models::rows(), rail_only_v1::rows(), rail_only_v5::rows()]
            .into_iter()
            .flatten()
            .collect();
    for row in &rows {
        println!("{row}");
    }
    let misses: Vec<String> =
        rows.iter().filter(|row| !row.holds()).map(ToString::to_string).collect();
    assert!(misses.is_empty(), "{} of {} rows:\n{}", misses.len(), rows.len(), misses.join("\n"));
}

/// A table that lost its rows would hold just as well.
#[test]
fn every_figure_has_its_rows() {
    let counts = [
        measured::rows().len(),
        models::rows().len(),
        rail_only_v1::rows().len(),
        rail_only_v5::rows().len(),
    ];
    assert_eq!(counts, [2, 27 + 8, 35 + 12 + 9 + 3 + 18 + 4 + 5, 3 + 4]);
}

/// A shipped spec of a paper answers plain `planner design` and `planner step`, and its network is
/// the paper's: rails that never block.
#[test]
fn every_paper_is_designed_without_a_flag() {
    let papers: Vec<String> = presets::list_presets()
        .into_iter()
        .filter(|entry| entry.kind == PresetKind::Paper)
        .map(|entry| entry.name)
        .collect();
    assert!(papers.len() >= 5, "{papers:?}");
    for name in papers {
        for command in ["design", "step"] {
            let arguments = [command, &name, "--format", "json"];
            let done = crate::support::program::planner_in(
                Path::new(env!("CARGO_MANIFEST_DIR")),
                &arguments,
            );
            assert_eq!(done.status, 0, "{command} {name}\n{}", done.stderr);
            let sheet: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
            assert_eq!(sheet["memory"]["fits"], true, "{command} {name}");
            if command == "design" && name.starts_with("rail-only") {
                assert_eq!(sheet["fabric"]["kind"], "rail-only", "{name}");
                assert_eq!(sheet["fabric"]["bisection_share"], 1.0, "{name}");
            }
        }
    }
}

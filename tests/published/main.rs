//! Published numbers, all in one table: what a paper prints, how close the planner has to come,
//! and what it makes of the paper's own spec. `cargo test --test published -- --nocapture` shows it.

mod harness;
mod measured;
mod models;
mod rail_only_v1;
mod rail_only_v5;
mod table;

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
    assert_eq!(counts, [2, 27 + 8, 35 + 12 + 9 + 18 + 4 + 5, 3 + 4]);
}

//! The MPS format in its free form: fields are parted by spaces. Names no number.

use std::fmt::Write as _;

use crate::sizing::ProgramTable;

/// A program in that format.
pub(super) fn mps_text(told: &[String], table: &ProgramTable) -> String {
    let mut out = String::new();
    for line in told {
        let _ = writeln!(out, "* {line}");
    }
    let _ = writeln!(out, "NAME design\nROWS\n N cost");
    for row in &table.rows {
        let _ = writeln!(out, " {} {}", if row.at_least { 'G' } else { 'L' }, row.name);
    }
    let mut entries: Vec<Vec<(&str, f64)>> = vec![Vec::new(); table.columns.len()];
    for (column, value) in &table.objective {
        entries[*column].push(("cost", *value));
    }
    for row in &table.rows {
        for (column, value) in &row.terms {
            entries[*column].push((&row.name, *value));
        }
    }
    let _ = writeln!(out, "COLUMNS");
    let mut whole = false;
    for (column, entries) in table.columns.iter().zip(&entries) {
        if column.integer != whole {
            whole = column.integer;
            let _ = writeln!(out, " M 'MARKER' '{}'", if whole { "INTORG" } else { "INTEND" });
        }
        // One that stands in no row is named all the same.
        let nothing = [("cost", 0.0)];
        let entries = if entries.is_empty() { &nothing[..] } else { entries };
        for (row, value) in entries {
            let _ = writeln!(out, " {} {row} {value}", column.name);
        }
    }
    if whole {
        let _ = writeln!(out, " M 'MARKER' 'INTEND'");
    }
    let _ = writeln!(out, "RHS");
    for row in &table.rows {
        let _ = writeln!(out, " RHS {} {}", row.name, row.bound);
    }
    let _ = writeln!(out, "BOUNDS");
    for variable in &table.columns {
        if variable.low < variable.high {
            let _ = writeln!(
                out,
                " LO BND {} {}\n UP BND {} {}",
                variable.name, variable.low, variable.name, variable.high
            );
        } else {
            let _ = writeln!(out, " FX BND {} {}", variable.name, variable.low);
        }
    }
    out + "ENDATA\n"
}

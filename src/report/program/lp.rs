//! The LP format of CPLEX. Names no number.

use std::fmt::Write as _;

use crate::sizing::ProgramTable;

/// Terms on one line: readers take lines of up to some hundred characters.
const TERMS: usize = 4;

/// A program in that format.
pub(super) fn lp_text(told: &[String], table: &ProgramTable) -> String {
    let mut out = String::new();
    for line in told {
        let _ = writeln!(out, "\\ {line}");
    }
    let sum = |terms: &[(usize, f64)]| {
        let mut text = String::new();
        for (place, (column, value)) in or_nothing(terms).iter().enumerate() {
            let sign = if *value < 0.0 { '-' } else { '+' };
            let gap = if place > 0 && place % TERMS == 0 { "\n  " } else { " " };
            let name = &table.columns[*column].name;
            let _ = write!(text, "{gap}{sign} {} {name}", value.abs());
        }
        text
    };
    let _ = writeln!(out, "Minimize\n cost:{}\nSubject To", sum(&table.objective));
    for row in &table.rows {
        let sense = if row.at_least { ">=" } else { "<=" };
        let _ = writeln!(out, " {}:{} {sense} {}", row.name, sum(&row.terms), row.bound);
    }
    let _ = writeln!(out, "Bounds");
    for variable in &table.columns {
        let _ = writeln!(out, " {} <= {} <= {}", variable.low, variable.name, variable.high);
    }
    let _ = writeln!(out, "General");
    for variable in table.columns.iter().filter(|variable| variable.integer) {
        let _ = writeln!(out, " {}", variable.name);
    }
    out + "End\n"
}

/// Terms of an empty sum: some reader or other asks for one.
fn or_nothing(terms: &[(usize, f64)]) -> &[(usize, f64)] {
    if terms.is_empty() { &[(0, 0.0)] } else { terms }
}

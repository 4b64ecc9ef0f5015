//! The integer program as other solvers read it: LP and MPS.

use std::fmt::Write as _;

use crate::design::Plan;
use crate::sizing::{PosedProgram, Program, ProgramTable};

/// How a program is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramFormat {
    /// The LP format of CPLEX, which most solvers read.
    Lp,
    /// MPS in its free form.
    Mps,
}

impl ProgramFormat {
    /// That of a file of that name: MPS where it ends in `.mps`, else LP.
    #[must_use]
    pub fn from_file_name(name: &str) -> Self {
        if name.to_lowercase().ends_with(".mps") { Self::Mps } else { Self::Lp }
    }
}

/// The program of a plan's answer; `None` where its fabric was counted and not chosen.
#[must_use]
pub fn program_text(plan: &Plan, format: ProgramFormat) -> Option<String> {
    let posed = plan.solver.programs.answer.as_ref()?;
    let table = posed.program_table();
    let told = program_comments(&plan.name, posed, &table);
    Some(match format {
        ProgramFormat::Lp => lp_text(&told, &table),
        ProgramFormat::Mps => mps_text(&told, &table),
    })
}

/// What is said of a program, line by line.
fn program_comments(name: &str, posed: &PosedProgram, table: &ProgramTable) -> Vec<String> {
    let found = if posed.is_optimal() { "optimum" } else { "best found" };
    let mut lines = vec![
        format!("integer program of the design of {name}"),
        format!(
            "minimised: what {} in thousands of dollars, or draws in kW",
            match posed.program {
                Program::Choices(_) => "the cluster costs (per token at the design's speed)",
                Program::One(_) | Program::Stages(_) => "networks cost, machines left out,",
            }
        ),
        "columns x: builds that are fast enough and may be in a best answer; made: whether a choice \
         is, at its machines' price (docs/formulation.md)"
            .to_owned(),
        format!("{found}: {}", posed.cost.get() / 1e3),
        format!("proof: {}", posed.proof_reason()),
        "column = value in the answer, meaning".to_owned(),
    ];
    let entry = |variable: &crate::sizing::ProgramVariable| {
        format!("  {} = {}, {}", variable.name, variable.value, variable.meaning)
    };
    lines.extend(table.columns.iter().map(entry));
    // Names come from specs: none of them ends a line.
    let fit = |line: &String| line.replace(|c: char| c.is_control(), " ");
    lines.iter().map(fit).collect()
}

/// Terms on one line: readers take lines of up to some hundred characters.
const TERMS: usize = 4;

/// A program in that format.
fn lp_text(told: &[String], table: &ProgramTable) -> String {
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

/// A program in that format.
fn mps_text(told: &[String], table: &ProgramTable) -> String {
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

//! The integer program of an answer as a file that other solvers read: LP or MPS. The first lines, which
//! solvers skip, say what each variable counts and what the answer makes of it.

mod lp;
mod mps;

use crate::design::Plan;
use crate::sizing::{PosedProgram, ProgramTable};

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
        ProgramFormat::Lp => lp::lp_text(&told, &table),
        ProgramFormat::Mps => mps::mps_text(&told, &table),
    })
}

/// What is said of a program, line by line.
fn program_comments(name: &str, posed: &PosedProgram, table: &ProgramTable) -> Vec<String> {
    let found = if posed.is_optimal() { "optimum" } else { "best found" };
    let mut lines = vec![
        format!("integer program of the design of {name}"),
        "minimised: what the network costs in thousands of dollars, or draws in kW, machines left out"
            .to_owned(),
        "columns x: builds that are fast enough and may be in a best answer (docs/formulation.md)"
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

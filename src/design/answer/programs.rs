//! The integer programs behind an answer: how many there were, what the solver did for them, and the one
//! whose optimum the answer is. Poses none.

use crate::sizing::{Options, PosedProgram, Work};

/// The integer programs behind an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Programs {
    /// Name of the solver that those were given to which needed one.
    pub solver: &'static str,
    /// How many were posed for the choice, and what the solver did for them. What a report says
    /// besides the design (other designs, limits that bind) took more.
    pub work: Work,
    /// That of the answer; `None` where a fabric was counted and not chosen.
    pub answer: Option<PosedProgram>,
    /// Variables of that.
    pub columns: u64,
    /// Its constraints.
    pub rows: u64,
    /// Its coefficients that are not 0, without those of the objective.
    pub nonzeros: u64,
}

impl Programs {
    /// Those of an answer.
    pub(crate) fn from_answer(answer: PosedProgram, work: Work, options: &Options) -> Self {
        let table = answer.program_table();
        Self {
            solver: options.back_end.name(),
            work,
            columns: table.columns.len() as u64,
            rows: table.rows.len() as u64,
            nonzeros: table.rows.iter().map(|row| row.terms.len() as u64).sum(),
            answer: Some(answer),
        }
    }
}

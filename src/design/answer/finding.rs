//! What is told of a design besides the fabric itself. Finds nothing.

use super::alternative::{Alternative, NotSized};
use super::plan::SolverReport;
use super::warning::Warning;

/// What was found besides the fabric itself.
#[derive(Clone, Debug)]
pub(crate) struct PlanInputs {
    pub(crate) solver: SolverReport,
    pub(crate) alternatives: Vec<Alternative>,
    pub(crate) not_sized: Vec<NotSized>,
    pub(crate) warnings: Vec<Warning>,
}

impl PlanInputs {
    /// Of a design that no other was held against.
    pub(crate) fn new_without_study(solver: SolverReport) -> Self {
        Self { solver, alternatives: Vec::new(), not_sized: Vec::new(), warnings: Vec::new() }
    }
}

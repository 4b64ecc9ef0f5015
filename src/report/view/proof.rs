//! How far a design is proven, and what the proof does not range over.

use super::super::number;
use crate::design::{SolverReport, SolverStatus};

/// How the answer came about, in a sentence.
pub(super) fn solver(solver: &SolverReport) -> String {
    let candidates = number::counted(solver.candidates, "candidate", "candidates");
    let status = match solver.status {
        SolverStatus::Optimal => format!("proven optimal among {candidates}"),
        SolverStatus::GapLimit => format!(
            "within {} of the best possible, as asked, among {candidates}",
            number::percent(solver.gap)
        ),
        SolverStatus::NodeLimit => {
            let rival = solver.rival.as_ref().map_or(String::new(), |name| format!(" ({name})"));
            format!(
                "not proven optimal: the best found within the limit of the search among \
                 {candidates}; something up to {:.3} % better may exist{rival}",
                solver.gap * 100.0
            )
        }
    };
    format!("{status} (proof: {}){}", solver.name, not_searched(solver))
}

/// What the proof does not range over.
fn not_searched(solver: &SolverReport) -> String {
    let fixed: Vec<&str> = solver.fixed.iter().map(|of| of.key).collect();
    let fixed = match fixed.is_empty() {
        true => String::new(),
        false => format!(
            "; of layouts with these keys as they are, as \"auto\" may find a better one: {}",
            fixed.join(", ")
        ),
    };
    let first = match solver.chosen_first.is_empty() {
        true => String::new(),
        false => format!(
            "; these keys are of the layout with the shortest step on a full-bisection Clos, chosen \
             before any network was priced, so other values are outside the proof too: {}",
            solver.chosen_first.join(", ")
        ),
    };
    fixed + &first
}

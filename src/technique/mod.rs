//! Training techniques as functions from a step to a step: each changes who says how much, what
//! is kept, or what may hide, and nothing else. Matrix, clock and memory read the result as they
//! read any step, so that what a technique saves is computed and never quoted.
//!
//! A [`Recipe`] is all that a step follows from; [`Recipe::heaviest_step`] makes it and passes it
//! through every technique that is on. The multi-level cycle makes several steps of one run
//! instead:
//! [`Recipe::run_phases`]. Knows no hardware: what a byte or a FLOP takes is the clock's business.

mod apply;
mod demo;
mod offload_and_overlap;
mod phased_training;
mod recipe;

pub use apply::technique_assumptions;
pub use demo::{break_even_replicas, own_payload};
pub use phased_training::divide_model;
pub use recipe::{Phase, Recipe, schedule_techniques, technique_schedule};

use super::workload::Technique;
use recipe::TechniqueRow;

/// Every technique, in the order in which they change a step: what is communicated first, then what
/// hides it, then what is kept.
static ROWS: [TechniqueRow; Technique::ALL.len()] = [
    phased_training::SIL_ROW,
    offload_and_overlap::NARROW_PIPELINE_ROW,
    offload_and_overlap::FUSED_TENSOR_ROW,
    demo::DEMO_ROW,
    offload_and_overlap::OFFLOAD_ROW,
    offload_and_overlap::SWAP_ROW,
    offload_and_overlap::MESSAGE_DRIVEN_ROW,
    phased_training::MULTILEVEL_ROW,
];

/// Whether a technique frees memory that only fewer stages use.
#[must_use]
pub fn frees_memory(technique: Technique) -> bool {
    technique_row(technique).frees_memory
}

/// The row of a technique.
fn technique_row(technique: Technique) -> &'static TechniqueRow {
    ROWS.iter().find(|row| row.technique == technique).expect("every technique has a row")
}

#[cfg(test)]
mod tests {
    use super::{ROWS, technique_row};
    use crate::workload::Technique;

    #[test]
    fn every_technique_has_one_row() {
        for technique in Technique::ALL {
            assert_eq!(technique_row(technique).technique, technique);
            assert_eq!(ROWS.iter().filter(|row| row.technique == technique).count(), 1);
        }
    }
}

//! Training techniques as functions from a step to a step: each changes who says how much, what
//! is kept, or what may hide, and nothing else. Matrix, clock and memory read the result as they
//! read any step, so that what a technique saves is computed and never quoted.
//!
//! A [`Recipe`] is all that a step follows from; [`Recipe::heaviest_step`] makes it and passes it through
//! every technique that is on. The multi-level cycle makes several steps of one run instead:
//! [`Recipe::run_phases`]. Knows no hardware: what a byte or a FLOP takes is the clock's business.

mod apply;
mod demo;
mod fused_tensor;
mod message_driven;
mod multilevel;
mod narrow_pipeline;
mod notes;
mod offload;
mod phase;
mod recipe;
mod row;
mod schedule;
mod sil;
mod swap;
mod tensors;

pub use demo::{break_even_replicas, own_payload};
pub use multilevel::divide_model;
pub use notes::technique_assumptions;
pub use phase::Phase;
pub use recipe::Recipe;
pub use schedule::{schedule_techniques, technique_schedule};
pub use tensors::{Tensor, rank_matrices};

use crate::workload::Technique;
use row::TechniqueRow;

/// Every technique, in the order in which they change a step: what is communicated first, then what
/// hides it, then what is kept.
static ROWS: [TechniqueRow; Technique::ALL.len()] = [
    sil::SIL_ROW,
    narrow_pipeline::NARROW_PIPELINE_ROW,
    fused_tensor::FUSED_TENSOR_ROW,
    demo::DEMO_ROW,
    offload::OFFLOAD_ROW,
    swap::SWAP_ROW,
    message_driven::MESSAGE_DRIVEN_ROW,
    multilevel::MULTILEVEL_ROW,
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

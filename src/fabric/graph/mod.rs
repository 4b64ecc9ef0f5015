//! The explicit graph of a fabric: every endpoint, switch and link.
//!
//! It is wired by rules of its own from the plan that the closed form counts, and is the check
//! on it: port budgets, striping, connectivity, bisection. It routes nothing.

mod aftermath;
mod assembled;
mod broken;
mod check;
mod failure;
mod flat;
mod loss;
mod narrowest;
mod node;
mod pieces;
mod sample;
mod wired;
mod wiring;

pub use aftermath::Aftermath;
pub use broken::OutOfService;
pub use check::GraphCensus;
pub use failure::{Failure, FailureProblem};
pub use loss::SingleLoss;
pub use narrowest::{Bisection, MinimumCut};
pub use node::{FabricCable, FabricNode};
pub use pieces::{Piece, PieceGroup};
pub use sample::FailureChances;
pub use wired::FabricGraph;

use super::{Assembly, FabricProblem, Request};
use wiring::Wiring;

impl FabricGraph {
    /// Wires a requested fabric of any family.
    ///
    /// # Errors
    /// As [`super::counts`]; and where the fabric has more than [`Self::MOST_NODES`] nodes.
    pub fn new(request: &Request<'_>) -> Result<Self, FabricProblem> {
        request.refuse_ignored_settings()?;
        if request.kind.is_tree() {
            Wiring::wire_request(request)
        } else {
            flat::wire_non_tree(request)
        }
    }

    /// Wires a fabric that was put together from builds: a design.
    ///
    /// # Errors
    /// Where the builds serve fewer rails than there are, or the fabric has more than
    /// [`Self::MOST_NODES`] nodes or links.
    pub fn from_assembly(assembly: &Assembly<'_>) -> Result<Self, FabricProblem> {
        assembled::wire_assembly(assembly)
    }
}

//! The explicit graph of a fabric: every endpoint, switch and link.
//!
//! It is wired by rules of its own from the plan that the closed form counts, and is the check
//! on it: port budgets, striping, connectivity, bisection. It routes nothing.

mod aftermath;
mod bisection;
mod fabric_graph;
mod failed_parts;
mod failure;
mod single_loss;
mod wire_builds;
mod wire_tree;

pub use aftermath::Aftermath;
pub use bisection::{Bisection, MinimumCut};
pub use fabric_graph::{FabricCable, FabricGraph, FabricNode, GraphCensus};
pub use failed_parts::OutOfService;
pub use failure::{Failure, FailureChances, FailureProblem};
pub use single_loss::{Piece, PieceGroup, SingleLoss};

use super::{Assembly, FabricProblem, Request};
use wire_tree::Wiring;

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
            wire_builds::wire_non_tree(request)
        }
    }

    /// Wires a fabric that was put together from builds: a design.
    ///
    /// # Errors
    /// Where the builds serve fewer rails than there are, or the fabric has more than
    /// [`Self::MOST_NODES`] nodes or links.
    pub fn from_assembly(assembly: &Assembly<'_>) -> Result<Self, FabricProblem> {
        wire_builds::wire_assembly(assembly)
    }
}

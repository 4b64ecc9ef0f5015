//! The graph of a designed fabric: every switch, port and cable of the plan. Designs nothing.

use std::fmt;

use super::plan::Plan;
use crate::fabric::{FabricGraph, FabricKind, FabricProblem};

/// Why a plan's fabric can't be wired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WiringProblem {
    /// The fabric was given by its counts alone.
    CountsOnly(FabricKind),
    /// The rules of the family refuse it.
    Fabric(FabricProblem),
}

impl fmt::Display for WiringProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CountsOnly(kind) => {
                write!(f, "this `{kind}` fabric is known by its counts alone: it can't be wired")
            }
            Self::Fabric(problem) => problem.fmt(f),
        }
    }
}

impl std::error::Error for WiringProblem {}

/// Wires the fabric of a plan, cable by cable.
///
/// # Errors
/// Where the plan does not know what its fabric was counted from, or it is too large to hold.
pub fn wiring(plan: &Plan) -> Result<FabricGraph, WiringProblem> {
    let blueprint = plan.blueprint.as_ref().ok_or(WiringProblem::CountsOnly(plan.fabric.kind))?;
    blueprint.build_fabric_graph().map_err(WiringProblem::Fabric)
}

//! The graph of a designed fabric: every switch, port and cable of the plan. Designs nothing.

use std::fmt;

use super::plan::Plan;
use crate::fabric::{
    Counts, FabricGraph, FabricKind, FabricProblem, Ratio, Request, Split, SwitchChoice, Tier, tree,
};
use crate::scenario::Scenario;

/// Why a plan's fabric can't be wired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WiringProblem {
    /// The family has no wiring rules.
    Kind(FabricKind),
    /// Switches of several models, or leafs of several kinds, share a layer.
    Mixed,
    /// The rules of the family refuse it.
    Fabric(FabricProblem),
}

impl fmt::Display for WiringProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(kind) => write!(f, "a `{kind}` fabric has no wiring rules yet"),
            Self::Mixed => f.write_str(
                "the design mixes models or kinds of leaf, which one graph can't show yet: set \
                 `cluster.switches` to a single model",
            ),
            Self::Fabric(problem) => problem.fmt(f),
        }
    }
}

impl std::error::Error for WiringProblem {}

/// Wires the fabric of a plan, cable by cable, and holds it against the plan's counts.
///
/// # Errors
/// Where the fabric is no tree of alike switches, or is too large to hold.
pub fn wiring(scenario: &Scenario, plan: &Plan) -> Result<FabricGraph, WiringProblem> {
    let request = request(scenario, &plan.fabric)?;
    let counted = tree(&request).map_err(WiringProblem::Fabric)?;
    if switches(&counted) != switches(&plan.fabric) || counted.links() != plan.fabric.links() {
        return Err(WiringProblem::Mixed);
    }
    FabricGraph::new(&request).map_err(WiringProblem::Fabric)
}

/// The request whose answer the counts are, where they are those of a tree of alike switches.
fn request<'a>(scenario: &'a Scenario, counts: &Counts) -> Result<Request<'a>, WiringProblem> {
    let trees = [FabricKind::RailOnly, FabricKind::RailOptimized, FabricKind::Clos];
    if !trees.contains(&counts.kind) {
        return Err(WiringProblem::Kind(counts.kind));
    }
    let leaf = counts.tiers.first().ok_or(WiringProblem::Kind(counts.kind))?;
    let switch = scenario
        .catalogue
        .switches
        .iter()
        .find(|switch| switch.name == leaf.model)
        .filter(|_| counts.tiers.len() == counts.depth())
        .filter(|_| counts.tiers.iter().all(|tier| tier.model == leaf.model))
        .ok_or(WiringProblem::Mixed)?;
    let split = match leaf.up {
        0 => Split::AtLeast(Ratio::ONE),
        up => Split::Fixed { down: leaf.down, up },
    };
    let choice = SwitchChoice::Model(switch);
    let whole = Request::new(counts.kind, counts.endpoints, counts.rails, choice, counts.link);
    // The link of the counts is already that of one plane.
    Ok(Request {
        planes: counts.planes,
        split,
        tiers: u32::try_from(counts.depth()).ok(),
        ports_per_uplink: (counts.uplink / counts.link).round().max(1.0) as u32,
        ..whole
    })
}

/// Layers with their number of switches.
fn switches(counts: &Counts) -> Vec<(&'static str, u64)> {
    counts.tiers.iter().map(|tier: &Tier| (tier.name.name(), tier.count)).collect()
}

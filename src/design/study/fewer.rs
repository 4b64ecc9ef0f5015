//! How many GPUs have a design where so many have none: a number of GPUs is what a spec asks for, so
//! no other command looks at fewer. Says nothing of the time that a run then takes.

use super::limit::is_shared;
use super::unmet::reason_for_no_design;
use crate::design::candidate::infeasible::Infeasible;
use crate::scenario::Scenario;
use crate::sizing::Options;

/// Sizes are this part of the cluster and multiples of it.
const PARTS: u64 = 8;
/// Sizes that are told.
const TOLD: usize = 3;

/// Sizes of a cluster below its own, the largest first of which one has a design, then the next ones,
/// which may have none. Empty where no limit that grows with the cluster is in the way, where no size
/// that was looked at has a design, and of several clusters.
#[must_use]
pub fn fewer_gpus_that_work(
    scenario: &Scenario,
    failed: &Infeasible,
    options: &Options,
) -> Vec<u32> {
    if scenario.is_several() || !is_of_size(failed) {
        return Vec::new();
    }
    let all = scenario.cluster.gpus;
    let machine = scenario.cluster.nodes.iter().map(|node| node.gpus).max().unwrap_or(1).max(1);
    let whole = |parts: u64| {
        let gpus = u64::from(all) * parts / PARTS;
        u32::try_from(gpus).ok().map(|gpus| gpus / machine * machine)
    };
    let mut sizes: Vec<u32> = (1..PARTS).rev().filter_map(whole).filter(|gpus| *gpus > 0).collect();
    sizes.dedup();
    let has_design = |gpus: &u32| {
        let mut fewer = scenario.clone();
        fewer.cluster.gpus = *gpus;
        reason_for_no_design(&fewer, options).is_none()
    };
    match sizes.iter().position(has_design) {
        Some(first) => sizes.into_iter().skip(first).take(TOLD).collect(),
        None => Vec::new(),
    }
}

/// A limit is in the way of which a smaller cluster takes less.
fn is_of_size(failed: &Infeasible) -> bool {
    match failed {
        Infeasible::Clash(moves) | Infeasible::Together(moves) => {
            moves.iter().any(|limit_move| is_shared(&limit_move.limit))
        }
        Infeasible::Limits { budget, power, .. } => budget.is_some() || power.is_some(),
        Infeasible::Racks { .. } => true,
        _ => false,
    }
}

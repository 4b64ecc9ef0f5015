//! How far a designed cluster can grow before its fabric has to change. Designs nothing.

use crate::design::candidate::job::Job;
use crate::fabric::{Counts, TierName};

/// GPUs that could be added, whole HB domains only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Headroom {
    /// On ports of leafs that are free: no switch is added.
    pub on_free_ports: u64,
    /// By more switches of the same models and the same division of a leaf's ports, before another
    /// tier is needed.
    pub before_another_tier: u64,
}

/// The headroom of a fabric; `None` where it is no tree.
///
/// A leaf has at least one link to every spine above it, so that a spine has no more leafs below
/// it than ports; the same holds for pods below a core. The largest model of a tier is taken where
/// models mix, and of leafs the one with most ports down (docs/equations.md §7.12).
pub(super) fn fabric_headroom(job: &Job<'_>, counts: &Counts) -> Option<Headroom> {
    if !counts.kind.is_tree() {
        return None;
    }
    let read = |name: TierName| counts.tiers.iter().filter(move |tier| tier.name == name);
    let planes = u64::from(counts.planes.max(1));
    let nics = u64::from(job.machine.node.nics.max(1));
    let down: u64 = read(TierName::Leaf).map(|tier| tier.count * u64::from(tier.down)).sum();
    let free = down.saturating_sub(counts.host_links) / (planes * nics);
    // Rails of their own each have such a tree, others share one.
    let trees = if counts.kind.joins_rails() { 1 } else { nics };
    // Above the leafs a link may take several ports.
    let each = |name| if name == TierName::Leaf { 1 } else { counts.ports_per_uplink() };
    let most = |name| read(name).map(|tier| u64::from(tier.down / each(name))).max();
    most(TierName::Leaf)?;
    let endpoints = TierName::ALL
        .into_iter()
        .filter_map(most)
        .fold(1_u64, |all, down| all.saturating_mul(down));
    let domains = endpoints.saturating_mul(trees) / nics;
    let gpus = u64::from(job.machine.node.gpus);
    let more = domains.saturating_sub(u64::from(job.networked_domains()));
    Some(Headroom { on_free_ports: free.min(more) * gpus, before_another_tier: more * gpus })
}

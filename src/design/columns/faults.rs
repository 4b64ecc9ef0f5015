//! What can fail in a fabric and what is left.

use super::routes::{paths_at_level, route_run, routed_slowdowns};
use crate::design::effort;
use crate::design::job::fleet::faults_of_machines;
use crate::design::job::job::Job;
use crate::design::job::machine::{Level, all_but_one};
use crate::design::job::run::{JobRun, pace_at_nic_rate_share};
use crate::fabric::{
    Aftermath, Counts, FabricGraph, LinkClass, Piece, PieceGroup, SwitchTier, TierName,
};
use crate::reliability::{FailureYear, Failures, Fault, PerYear, failure_year};
use crate::routing::{Paths, RoutingManner, RoutingRules};

/// What a loss leaves, and the share of its pace that each workload keeps then, the leading one
/// first.
pub(crate) type LossEffect = (PieceLoss, Vec<f64>);

/// A year of a job's cluster on a fabric of that level, of which the loss of each kind of piece
/// leaves so much.
pub(crate) fn failure_year_on_fabric(
    job: &Job<'_>,
    level: Level,
    losses: &[LossEffect],
) -> FailureYear {
    let rates = &job.scenario.failures;
    let paces = if job.runs.len() == 1 { Vec::new() } else { job.step_times(level) };
    let network = losses.iter().zip(pieces_in_use(job, losses)).map(|((left, kept), pieces)| {
        let together = match &kept[..] {
            [alone] => *alone,
            each => job.combined_pace_share(&paces, each),
        };
        network_fault(job, rates, left, pieces, together)
    });
    failure_year(
        merge_like_faults(faults_of_machines(&job.fleet(), rates).into_iter().chain(network)),
        rates,
        job.standby,
    )
}

/// What the loss of one piece of each kind leaves of a fabric that is wired, or else counted.
pub(super) fn fabric_left_after_losses(
    job: &Job<'_>,
    counts: &Counts,
    graph: impl FnOnce() -> Option<FabricGraph>,
) -> Vec<PieceLoss> {
    // Beyond that size a look at each kind of piece takes longer than the design.
    let graph = (job.endpoints() <= effort::INTERFACES_ROUTED).then(graph).flatten();
    graph.map_or_else(
        || losses_from_counts(counts, job.networked_domains()),
        |graph| losses_of_wired_fabric(&graph),
    )
}

/// The share of its pace that each workload keeps after each loss.
pub(super) fn paces_after_losses(
    job: &Job<'_>,
    counts: &Counts,
    level: Level,
    left: &[PieceLoss],
) -> Vec<LossEffect> {
    left.iter().map(|left| (left.clone(), each_keeps(job, counts, level, left))).collect()
}

fn each_keeps(job: &Job<'_>, counts: &Counts, level: Level, left: &PieceLoss) -> Vec<f64> {
    job.runs_at_level(level)
        .into_iter()
        .map(|run| pace_share_after_loss(run, counts, level, left))
        .collect()
}

/// What the loss of one piece of each kind leaves of a fabric that is wired, or else counted.
pub(crate) fn loss_effects(
    job: &Job<'_>,
    counts: &Counts,
    level: Level,
    graph: Option<&FabricGraph>,
) -> Vec<LossEffect> {
    if let Some(graph) = graph.filter(|_| level.member.is_some()) {
        return effects_of_loss_on_cables(job, counts, level, graph);
    }
    // Beyond that size a look at each kind of piece takes longer than the design.
    let all = match graph.filter(|_| job.endpoints() <= effort::INTERFACES_ROUTED) {
        Some(graph) => losses_of_wired_fabric(graph),
        None => losses_from_counts(counts, job.networked_domains()),
    };
    paces_after_losses(job, counts, level, &all)
}

/// As `loss_effects`, of a fabric that is timed on its cables: the step is routed again without the
/// first piece of each kind.
fn effects_of_loss_on_cables(
    job: &Job<'_>,
    counts: &Counts,
    level: Level,
    graph: &FabricGraph,
) -> Vec<LossEffect> {
    let each = graph.example_pieces().into_iter().map(|PieceGroup { piece, count, first }| {
        let aftermath = graph.aftermath_of_loss(first);
        let left = PieceLoss::from_aftermath(piece, count, &aftermath);
        let below = each_keeps(job, counts, level, &left);
        if below.iter().all(|value| *value <= 0.0) || left.stopped >= u64::from(job.domains) {
            return (left, vec![0.0; below.len()]);
        }
        let paths =
            paths_at_level(level, Paths::with_failures(graph, &graph.parts_lost_with(first)));
        let absent = &aftermath.stopped;
        let manner =
            RoutingManner { rules: RoutingRules::SPREAD, absent, ..RoutingManner::default() };
        let above = |run: &JobRun<'_>| {
            route_run(run, level, &paths, manner).map_or(0.0, |found| {
                let after =
                    run.effective_step_time_corrected(level, &routed_slowdowns(run, &found));
                (run.effective_step_time_by_clock(level) / after).min(1.0)
            })
        };
        let runs = job.runs_at_level(level).into_iter();
        let kept = runs.zip(below).map(|(run, below)| below.min(above(run))).collect();
        (left, kept)
    });
    each.collect()
}

/// Faults that mean the same in one row.
fn merge_like_faults(all: impl Iterator<Item = Fault>) -> Vec<Fault> {
    let mut found: Vec<Fault> = Vec::new();
    for fault in all {
        match found.iter_mut().find(|other_fault| other_fault.is_like(&fault)) {
            Some(known) => known.pieces += fault.pieces,
            None => found.push(fault),
        }
    }
    found
}

/// Pieces of each kind of which the loss means anything: of NICs and their links those of machines
/// that train, and not those of machines that stand by. Kinds share these out by their pieces, so
/// that all of them add up.
fn pieces_in_use(job: &Job<'_>, losses: &[LossEffect]) -> Vec<u64> {
    let (trained, cabled) = (u64::from(job.domains), u64::from(job.networked_domains().max(1)));
    let (mut nics, mut links) = (0_u64, 0_u64);
    let of_kind = |(left, _): &LossEffect| {
        let before = match left.piece {
            Piece::Nic => &mut nics,
            Piece::Link(LinkClass::Host) => &mut links,
            Piece::Link(_) | Piece::Switch(_) => return left.pieces,
        };
        let up_to = |all: u64| (all * trained).div_ceil(cabled);
        let first = up_to(*before);
        *before += left.pieces;
        up_to(*before) - first
    };
    losses.iter().map(of_kind).collect()
}

/// A fault of the network, from what one such loss leaves and the pace that is kept then.
fn network_fault(
    job: &Job<'_>,
    rates: &Failures,
    left: &PieceLoss,
    pieces: u64,
    kept: f64,
) -> Fault {
    let (part, rate, repair) = match left.piece {
        Piece::Nic => ("NIC".to_owned(), rates.nic, rates.repair_time()),
        Piece::Link(class) => (format!("{} link", class.name()), rates.link, rates.link_repair()),
        Piece::Switch(tier) => {
            (format!("{} switch", tier.name()), rates.switch, rates.switch_repair())
        }
    };
    let node = job.machine.node;
    // What slows a job down hits the domains below one switch, or those of one NIC.
    let hit = if left.stopped > 0 { left.stopped } else { left.slowed };
    Fault {
        part,
        pieces,
        rate: PerYear::from_events(rate),
        repair,
        network: true,
        stops: left.stopped > 0,
        // Domains that are only slower may be replaced too, as long as others are not.
        domains: if hit < u64::from(job.domains) { hit } else { 0 },
        // Machines that stand by are hit too: the job has no GPU there.
        gpus: (hit * u64::from(node.gpus)).min(job.lead_run().layout().gpus()),
        kept,
    }
}

/// Share of its pace that a workload keeps where nothing is replaced; 0 where it stands.
pub(crate) fn pace_share_after_loss(
    run: &JobRun<'_>,
    counts: &Counts,
    level: Level,
    left: &PieceLoss,
) -> f64 {
    let share = |(left, count): (u64, u64)| left as f64 / count.max(1) as f64;
    // The other NICs of a domain carry what its lost ones did, over the HB domain.
    let carried = match left.stopped {
        0 => Some(1.0),
        _ => u32::try_from(left.nics_of_each)
            .ok()
            .and_then(|count| run.machine.nic_share_after_cutoff(count)),
    };
    let Some(carried) = carried else { return 0.0 };
    let nics = carried.min(share(left.ports));
    // What a leaf switch of one plane can't carry up the others do; of one that is cut off nothing
    // goes up.
    let cut = left.stopped > 0 && left.uplinks.0 == 0;
    let uplinks = if cut { 1.0 } else { share(left.uplinks).max(all_but_one(counts.planes)) };
    if nics <= 0.0 || uplinks <= 0.0 {
        return 0.0;
    }
    let before = run.effective_step_time_by_clock(level);
    let thinner = level_with_fewer_uplinks(counts, level, left.uplinks.1, uplinks);
    let above = if uplinks < 1.0 { run.effective_step_time_by_clock(thinner) } else { before };
    let below = if nics < 1.0 { pace_at_nic_rate_share(run, level, nics) } else { before };
    let after = above.max(below);
    if after > before { before / after } else { 1.0 }
}

/// Level of a leaf switch that has so many uplinks of which a share is left. It need not be the
/// slowest one of the fabric, which sets the level.
fn level_with_fewer_uplinks(counts: &Counts, level: Level, uplinks: u64, share: f64) -> Level {
    let alike = |tier: &&SwitchTier| tier.name == TierName::Leaf && u64::from(tier.up) == uplinks;
    let widest = counts.tiers.iter().filter(alike).max_by_key(|tier| tier.down);
    let bordered = level.leaf_domains.or(counts.leaf_domains);
    let Some((leaf, _)) = widest.filter(|leaf| leaf.down > 0 && leaf.up > 0).zip(bordered) else {
        return level.with_uplink_share(counts.leaf_domains, share);
    };
    let own = (f64::from(leaf.up) / f64::from(leaf.down)).min(1.0) * share;
    // Spines that join all rails carry what stays within a rail too.
    let joined = level.across > 0.0 && level.across >= level.within;
    let domains = if counts.kind.has_rails() { leaf.down } else { leaf.down / counts.rails.max(1) };
    Level {
        leaf_domains: Some(domains.max(1)),
        within: own,
        across: if joined { own } else { level.across * share },
        ..level
    }
}

/// What is left when one piece of a kind is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PieceLoss {
    pub(crate) piece: Piece,
    pub(in crate::design) pieces: u64,
    /// HB domains with NICs that no longer reach the others.
    pub(in crate::design) stopped: u64,
    /// NICs that each of those lost, at most.
    nics_of_each: u64,
    /// HB domains with NICs that lost a part of their ports.
    pub(in crate::design) slowed: u64,
    /// Least ports that such a NIC has left, and how many it had.
    pub(in crate::design) ports: (u64, u64),
    /// Least uplinks that a leaf switch has left, and how many it had.
    pub(in crate::design) uplinks: (u64, u64),
}

impl PieceLoss {
    /// What is left of a fabric, when so many of a kind of piece are there and one is out of
    /// service.
    pub(crate) fn from_aftermath(piece: Piece, pieces: u64, left: &Aftermath) -> Self {
        let stopped = left.stopped.len() as u64;
        Self {
            piece,
            pieces,
            stopped,
            nics_of_each: (left.cut_off + left.separated).div_ceil(stopped.max(1)),
            slowed: left.weakened.len() as u64,
            ports: left.least_ports,
            uplinks: left.least_uplinks,
        }
    }
}

/// Of a wired fabric: one piece of each kind is taken out of it.
fn losses_of_wired_fabric(graph: &FabricGraph) -> Vec<PieceLoss> {
    let left = |PieceGroup { piece, count, first }: PieceGroup| {
        PieceLoss::from_aftermath(piece, count, &graph.aftermath_of_loss(first))
    };
    graph.failable_pieces().into_iter().map(left).collect()
}

/// Of a fabric that is only counted: leaf switches are taken to be alike, each with links to as
/// many switches above it as it has uplinks.
fn losses_from_counts(counts: &Counts, domains: u32) -> Vec<PieceLoss> {
    let planes = u64::from(counts.planes.max(1));
    let rails = u64::from(counts.rails.max(1));
    let intact = |piece, pieces| PieceLoss {
        piece,
        pieces,
        stopped: 0,
        nics_of_each: 0,
        slowed: 0,
        ports: (planes, planes),
        uplinks: (1, 1),
    };
    // A NIC loses one of its ports, or the only one.
    let ports_lost = |loss: PieceLoss, nics: u64| {
        let each = if counts.kind.has_rails() { 1 } else { rails };
        let hit = nics.div_ceil(each).min(domains.into());
        match planes {
            1 => PieceLoss {
                stopped: hit,
                nics_of_each: nics.div_ceil(hit.max(1)).min(rails),
                ..loss
            },
            _ => PieceLoss { slowed: hit, ports: (planes - 1, planes), ..loss },
        }
    };
    let nic = intact(Piece::Nic, counts.endpoints);
    let mut all = vec![
        PieceLoss { stopped: 1, nics_of_each: 1, ..nic },
        ports_lost(intact(Piece::Link(LinkClass::Host), counts.host_links), 1),
    ];
    let leafs = counts.switches_in_tier(TierName::Leaf).max(1);
    let fewest =
        counts.tiers.iter().filter(|tier| tier.name == TierName::Leaf).map(|tier| tier.up).min();
    let uplinks = u64::from(fewest.unwrap_or(0) / counts.ports_per_uplink());
    for SwitchTier { name, count, .. } in &counts.tiers {
        let loss = intact(Piece::Switch(*name), *count);
        all.push(match name {
            TierName::Leaf => ports_lost(loss, counts.host_links.div_ceil(leafs)),
            _ if uplinks > 0 => PieceLoss { uplinks: (uplinks - 1, uplinks), ..loss },
            _ => loss,
        });
    }
    let upper = [
        (LinkClass::LeafSpine, counts.leaf_spine_links),
        (LinkClass::SpineCore, counts.spine_core_links),
    ];
    for (class, links) in upper.into_iter().filter(|(_, links)| *links > 0 && uplinks > 0) {
        all.push(PieceLoss {
            uplinks: (uplinks - 1, uplinks),
            ..intact(Piece::Link(class), links)
        });
    }
    let others = counts.other_links.iter();
    all.extend(others.map(|group| intact(Piece::Link(group.class), group.count)));
    all
}

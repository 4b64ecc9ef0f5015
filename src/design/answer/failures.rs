//! What can fail in a cluster on its fabric, and what each loss means to the step that runs there: by
//! taking one piece of each kind out of the wired fabric. Designs nothing (docs/equations.md §11).

use std::sync::Arc;

use super::losses::{Left, counted, wired};
use super::rounds::MOST_ROUTED;
use super::single_point::SinglePoint;
use super::warning::Warning;
use crate::cost::Cost;
use crate::design::candidate::job::Job;
use crate::design::candidate::machine::{Level, all_but_one};
use crate::design::candidate::slower::{on_less, on_slower_nics};
use crate::fabric::{Counts, FabricGraph, Piece, Tier, TierName};
use crate::reliability::{Failures, Fault, FaultYear, PerYear, Response, Trays, Year, year};
use crate::scenario::{Limits, Loss};
use crate::units::{Seconds, Usd};

/// A year of failures on a fabric.
#[derive(Clone, Debug, PartialEq)]
pub struct FailureReport {
    /// The year, fault by fault.
    pub year: Year,
    /// What of the cost of ownership a year pays for time that does not train.
    pub usd_lost: Usd,
    /// Whether each loss was looked at in the wired fabric; else by its counts alone.
    pub wired: bool,
    /// The least share of its pace on a non-blocking network that any loss leaves which
    /// `limits.survive` names; `None` where it names none.
    pub pace_left: Option<f64>,
    /// The trays of an HB domain, where it has several, and the GPUs of a group that has to share one: those
    /// that split every matrix.
    pub trays: Option<(Trays, u32)>,
    /// What a network takes of which no link or switch stops the whole job alone, where the cheapest
    /// has one that does and the spec doesn't say whether that matters.
    pub single_point: Option<SinglePoint>,
}

impl FailureReport {
    /// Days of a year that do not train.
    #[must_use]
    pub fn days_lost(&self) -> f64 {
        (1.0 - self.year.goodput) * PerYear::DAYS
    }

    /// Days of a year that faults of the network take.
    #[must_use]
    pub fn network_days_lost(&self) -> f64 {
        self.year.network_lost() * PerYear::DAYS
    }
}

/// A loss that leaves less than `limits.survive` asks for: one that sizing counts otherwise than it is
/// wired.
pub(super) fn too_little_left(report: &FailureReport, limits: &Limits) -> Option<Warning> {
    /// Rounding of quotients of times.
    const ROUNDING: f64 = 1e-9;
    let asked = limits.survive_pace;
    let left = report.pace_left.filter(|left| *left < asked * (1.0 - ROUNDING))?;
    Some(Warning::TooLittleLeft { asked, left })
}

/// The part of the network whose loss the job can't but wait for; of several kinds the one that takes
/// most of a year.
pub(super) fn single_point(report: &FailureReport) -> Option<Warning> {
    let waits = |of: &&FaultYear| {
        of.fault.network && of.response == Response::Wait && of.fault.all().get() > 0.0
    };
    let all: Vec<&FaultYear> = report.year.faults.iter().filter(waits).collect();
    let lost = |of: &FaultYear| -> f64 {
        all.iter().filter(|other| other.fault.part == of.fault.part).map(|other| other.lost).sum()
    };
    let worst = *all.iter().reduce(|most, of| if lost(of) > lost(most) { of } else { most })?;
    let rows = || all.iter().filter(|of| of.fault.part == worst.fault.part);
    Some(Warning::SinglePoint {
        part: worst.fault.part.clone(),
        pieces: rows().map(|of| of.fault.pieces).sum(),
        repair: worst.fault.repair,
        lost: lost(worst),
        without: None,
        domains: rows().map(|of| of.fault.domains).max().unwrap_or(0),
    })
}

/// A year of failures of a job's cluster on a fabric, which costs so much.
pub(crate) fn failures(
    job: &Job<'_>,
    counts: &Counts,
    level: Level,
    graph: Option<&FabricGraph>,
    cost: &Cost,
) -> FailureReport {
    let rates = &job.scenario.failures;
    // Beyond that size a look at each kind of piece takes longer than the design.
    let graph = graph.filter(|_| job.endpoints() <= MOST_ROUTED);
    let losses = losses(job, counts, level, graph);
    let network = losses.iter().map(|(left, kept)| of_network(job, rates, left, *kept));
    let faults = merged(of_machines(job, rates).into_iter().chain(network));
    let year = year(faults, rates);
    let limits = &job.scenario.limits;
    FailureReport {
        usd_lost: cost.of_a_year(1.0 - year.goodput),
        year,
        wired: graph.is_some(),
        pace_left: limits
            .names_losses()
            .then(|| least_left(job, counts.planes, level, &losses, limits)),
        trays: trays(job),
        single_point: None,
    }
}

/// Trays of an HB domain, where it has several, with the tensor degree of the leading workload.
fn trays(job: &Job<'_>) -> Option<(Trays, u32)> {
    let node = job.machine.node;
    let tray = node.tray.filter(|tray| *tray < node.gpus && node.gpus.is_multiple_of(*tray))?;
    Some((job.scenario.failures.trays(node.gpus, tray), job.lead.layout().tensor))
}

/// Faults that mean the same in one row.
fn merged(all: impl Iterator<Item = Fault>) -> Vec<Fault> {
    let mut found: Vec<Fault> = Vec::new();
    for fault in all {
        match found.iter_mut().find(|of| of.is_like(&fault)) {
            Some(known) => known.pieces += fault.pieces,
            None => found.push(fault),
        }
    }
    found
}

/// Faults of machines and of what runs on them.
fn of_machines(job: &Job<'_>, rates: &Failures) -> Vec<Fault> {
    let domain = u64::from(job.machine.node.gpus);
    let gpus = u64::from(job.scenario.cluster.gpus);
    let machine = |part: &str, pieces: u64, rate: f64| Fault {
        part: part.to_owned(),
        pieces,
        rate: PerYear::of(rate),
        repair: rates.repair(),
        network: false,
        stops: true,
        domains: 1,
        gpus: domain,
        kept: 0.0,
    };
    let software = machine("software", gpus, rates.software);
    vec![
        machine("GPU", gpus, rates.gpu),
        machine("GPU memory", gpus, rates.memory),
        machine("host, per GPU", gpus, rates.host),
        machine("HB domain", job.domains.into(), rates.domain),
        // Nothing is broken: it starts again where it was.
        Fault { repair: Seconds::ZERO, domains: 0, kept: 1.0, ..software },
    ]
}

/// A fault of the network, from what one such loss leaves and the pace that is kept then.
fn of_network(job: &Job<'_>, rates: &Failures, left: &Left, kept: f64) -> Fault {
    let (part, rate, repair) = match left.piece {
        Piece::Nic => ("NIC".to_owned(), rates.nic, rates.repair()),
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
        pieces: left.pieces,
        rate: PerYear::of(rate),
        repair,
        network: true,
        stops: left.stopped > 0,
        // Domains that are only slower may be replaced too, as long as others are not.
        domains: if hit < u64::from(job.domains) { hit } else { 0 },
        gpus: hit * u64::from(node.gpus),
        kept,
    }
}

/// What the loss of one piece of each kind leaves of a fabric that is wired, or else counted, each with the
/// share of its pace that the leading workload keeps.
fn losses(
    job: &Job<'_>,
    counts: &Counts,
    level: Level,
    graph: Option<&FabricGraph>,
) -> Vec<(Left, f64)> {
    let all = match graph {
        Some(graph) => wired(graph),
        None => counted(counts, job.domains),
    };
    let with_pace = |left: Left| {
        let kept = kept(job, counts, level, &left);
        (left, kept)
    };
    all.into_iter().map(with_pace).collect()
}

/// The least share of its pace on a non-blocking network at which the leading workload goes on after any
/// loss that limits name, by the counts of a fabric.
pub(crate) fn pace_left(job: &Job<'_>, counts: &Counts, level: Level, limits: &Limits) -> f64 {
    least_left(job, counts.planes, level, &losses(job, counts, level, None), limits)
}

/// Likewise from what each loss leaves, in so many planes.
fn least_left(
    job: &Job<'_>,
    planes: u32,
    level: Level,
    losses: &[(Left, f64)],
    limits: &Limits,
) -> f64 {
    let named = |(left, _): &&(Left, f64)| match left.piece {
        Piece::Nic => false,
        Piece::Link(_) => limits.survives(Loss::Link),
        Piece::Switch(_) => limits.survives(Loss::Switch),
    };
    let run = &job.lead;
    let own = run.reference / run.time(level).total();
    let each = losses.iter().filter(named).map(|(_, kept)| own * kept);
    let plane = limits.survives(Loss::Plane).then(|| match all_but_one(planes) {
        share if share > 0.0 => run.reference / on_less(run, level, share, &Arc::default()),
        _ => 0.0,
    });
    each.chain(plane).fold(own, f64::min)
}

/// Share of its pace that the leading workload keeps where nothing is replaced; 0 where it stands.
pub(crate) fn kept(job: &Job<'_>, counts: &Counts, level: Level, left: &Left) -> f64 {
    let run = &job.lead;
    let share = |(left, of): (u64, u64)| left as f64 / of.max(1) as f64;
    // The other NICs of a domain carry what its lost ones did, over the HB domain.
    let carried = match left.stopped {
        0 => Some(1.0),
        _ => u32::try_from(left.nics_of_each).ok().and_then(|of| job.machine.carried_without(of)),
    };
    let Some(carried) = carried else { return 0.0 };
    let nics = carried.min(share(left.ports));
    // What a leaf switch of one plane can't carry up the others do; of one that is cut off nothing goes
    // up.
    let cut = left.stopped > 0 && left.uplinks.0 == 0;
    let uplinks = if cut { 1.0 } else { share(left.uplinks).max(all_but_one(counts.planes)) };
    if nics <= 0.0 || uplinks <= 0.0 {
        return 0.0;
    }
    let before = run.time(level).total();
    let thinner = thinner(counts, level, left.uplinks.1, uplinks);
    let above = if uplinks < 1.0 { run.time(thinner).total() } else { before };
    let below = if nics < 1.0 { on_slower_nics(run, level, nics, &Arc::default()) } else { before };
    let after = above.max(below);
    if after > before { before / after } else { 1.0 }
}

/// Level of a leaf switch that has so many uplinks of which a share is left. It need not be the slowest one
/// of the fabric, which sets the level.
fn thinner(counts: &Counts, level: Level, uplinks: u64, share: f64) -> Level {
    let alike = |tier: &&Tier| tier.name == TierName::Leaf && u64::from(tier.up) == uplinks;
    let widest = counts.tiers.iter().filter(alike).max_by_key(|tier| tier.down);
    let bordered = level.leaf_domains.or(counts.leaf_domains);
    let Some((leaf, _)) = widest.filter(|leaf| leaf.down > 0 && leaf.up > 0).zip(bordered) else {
        return level.thinned(counts.leaf_domains, share);
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

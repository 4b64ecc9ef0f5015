//! A year of failures of a design as it is reported, and what of it a reader is warned of. Designs
//! nothing (docs/equations.md §11).

use super::alternatives::SinglePoint;
use super::warning::Warning;
use crate::cost::Cost;
use crate::design::candidate::machine_cost::run_days;
use crate::design::columns::faults::{LossEffect, failure_year_on_fabric, loss_effects};
use crate::design::effort;
use crate::design::job::job::Job;
use crate::design::job::machine::{Level, all_but_one};
use crate::design::job::run::{JobRun, pace_at_link_rate_share};
use crate::fabric::{Counts, FabricGraph, Piece};
use crate::reliability::{FailureYear, FaultResponse, FaultYear, PerYear, Trays};
use crate::scenario::{Limits, Loss};
use crate::units::{ROUNDING, Seconds, Usd};

/// A year of failures on a fabric.
#[derive(Clone, Debug, PartialEq)]
pub struct FailureReport {
    /// The year, fault by fault.
    pub year: FailureYear,
    /// What of the cost of ownership a year pays for time that does not train.
    pub usd_lost: Usd,
    /// Whether each loss was looked at in the wired fabric; else by its counts alone.
    pub wired: bool,
    /// The least share of its pace on a non-blocking network that any loss leaves which
    /// `limits.survive` names; `None` where it names none.
    pub pace_left: Option<f64>,
    /// The trays of an HB domain, where it has several, and the GPUs of a group that has to share
    /// one: those that split every matrix.
    pub trays: Option<(Trays, u32)>,
    /// Trays of an HB domain that hold no rank, where they can take the place of broken ones.
    pub spare_trays: u32,
    /// What a network takes of which no link or switch stops the whole job alone, where the
    /// cheapest has one that does and the spec doesn't say whether that matters.
    pub single_point: Option<SinglePoint>,
}

impl FailureReport {
    /// Days of a year that do not train.
    #[must_use]
    pub fn days_lost(&self) -> f64 {
        (1.0 - self.year.goodput) * PerYear::DAYS
    }

    /// With what the cost of a cluster pays for time that does not train.
    pub(crate) fn with_cost_of_lost_time(self, cost: &Cost) -> Self {
        Self { usd_lost: cost.ownership_cost_of_share(1.0 - self.year.goodput), ..self }
    }

    /// Days of a year that faults of the network take.
    #[must_use]
    pub fn network_days_lost(&self) -> f64 {
        self.year.network_lost() * PerYear::DAYS
    }
}

/// A loss that leaves less than `limits.survive` asks for: one that sizing counts otherwise than it
/// is wired.
pub(in crate::design) fn warn_too_little_left(
    report: &FailureReport,
    limits: &Limits,
) -> Option<Warning> {
    let asked = limits.survive_pace;
    let left = report.pace_left.filter(|left| *left < asked * (1.0 - ROUNDING))?;
    Some(Warning::TooLittleLeft { asked, left })
}

/// Runs that keep to `limits.days` where machines alone fail, and not with what breaks of the
/// network: parts and stages are sized by the former.
pub(in crate::design) fn warn_late_with_failures(
    job: &Job<'_>,
    level: Level,
    report: &FailureReport,
) -> Vec<Warning> {
    let one = |run: &JobRun<'_>| {
        let limit = run.workload.limits.longest_run(&job.scenario.limits)?;
        let (asked, days) =
            (limit / Seconds::DAY, run_days(run, run.effective_step_time_by_clock(level))?);
        let takes = days / report.year.goodput;
        let late = |days: f64| days > asked * (1.0 + ROUNDING);
        let late_by_network = late(takes) && !late(days / job.fleet().goodput_upper_bound());
        let workload = (job.runs.len() > 1).then(|| run.workload.name.clone());
        late_by_network.then_some(Warning::LateWithFailures { workload, asked, takes })
    };
    job.runs_at_level(level).into_iter().filter_map(one).collect()
}

/// The part of the network whose loss the job can't but wait for; of several kinds the one that
/// takes most of a year.
pub(in crate::design) fn single_point(report: &FailureReport) -> Option<Warning> {
    let waits = |year: &&FaultYear| {
        year.fault.network
            && year.response == FaultResponse::Wait
            && year.fault.rate_of_any().events() > 0.0
    };
    let all: Vec<&FaultYear> = report.year.faults.iter().filter(waits).collect();
    let lost = |year: &FaultYear| -> f64 {
        all.iter().filter(|other| other.fault.part == year.fault.part).map(|other| other.lost).sum()
    };
    let worst =
        *all.iter().reduce(|most, year| if lost(year) > lost(most) { year } else { most })?;
    let rows = || all.iter().filter(|year| year.fault.part == worst.fault.part);
    Some(Warning::SinglePoint {
        part: worst.fault.part.clone(),
        pieces: rows().map(|year| year.fault.pieces).sum(),
        repair: worst.fault.repair,
        lost: lost(worst),
        without: None,
        domains: rows().map(|year| year.fault.domains).max().unwrap_or(0),
    })
}

/// A year of failures of a job's cluster on a fabric; what it costs is added when that is known.
pub(crate) fn failure_report(
    job: &Job<'_>,
    counts: &Counts,
    level: Level,
    graph: Option<&FabricGraph>,
) -> FailureReport {
    let losses = loss_effects(job, counts, level, graph);
    let limits = &job.scenario.limits;
    FailureReport {
        usd_lost: Usd::ZERO,
        year: failure_year_on_fabric(job, level, &losses),
        wired: graph.is_some() && job.endpoints() <= effort::INTERFACES_ROUTED,
        pace_left: limits
            .names_losses()
            .then(|| least_left(job, counts.planes, level, &losses, limits)),
        trays: job.fleet().trays().map(|trays| (trays, job.lead_run().layout().tensor)),
        spare_trays: job.fleet().spare_trays(),
        single_point: None,
    }
}

/// The least share of its pace on a non-blocking network at which any workload goes on after any
/// loss that limits name, by the counts of a fabric.
pub(crate) fn min_pace_after_loss(
    job: &Job<'_>,
    counts: &Counts,
    level: Level,
    limits: &Limits,
) -> f64 {
    least_left(job, counts.planes, level, &loss_effects(job, counts, level, None), limits)
}

/// As `min_pace_after_loss`, from what each loss leaves, in so many planes.
fn least_left(
    job: &Job<'_>,
    planes: u32,
    level: Level,
    losses: &[LossEffect],
    limits: &Limits,
) -> f64 {
    let named = |(left, _): &&LossEffect| match left.piece {
        Piece::Nic => false,
        Piece::Link(_) => limits.has_to_survive(Loss::Link),
        Piece::Switch(_) => limits.has_to_survive(Loss::Switch),
    };
    let of_run = |(number, run): (usize, &JobRun<'_>)| {
        let own = run.full / run.effective_step_time_by_clock(level);
        let each = losses.iter().filter(named).map(|(_, kept)| own * kept[number]);
        let plane = limits.has_to_survive(Loss::Plane).then(|| match all_but_one(planes) {
            share if share > 0.0 => run.full / pace_at_link_rate_share(run, level, share),
            _ => 0.0,
        });
        each.chain(plane).fold(own, f64::min)
    };
    job.runs_at_level(level).into_iter().enumerate().map(of_run).fold(f64::INFINITY, f64::min)
}

//! Step after failures; a year of failures beside other fabrics.

use std::fmt;

use super::baseline::job_of_plan;
use crate::design::assemble::hall_cables::WiringProblem;
use crate::design::assemble::routing_check::{RoutingRound, correct_clock_on_fabric, link_name};
use crate::design::columns::faults::{PieceLoss, pace_share_after_loss};
use crate::design::columns::four_tier_trees::level_of_counts;
use crate::design::columns::routes::{paths_at_level, route_run, routed_slowdowns};
use crate::design::job::job::Job;
use crate::design::job::machine::Level;
use crate::design::job::run::JobRun;
use crate::design::job::scenario_runs::RobustScenarios;
use crate::design::plan::failure_report::{FailureReport, failure_report};
use crate::design::plan::plan::Plan;
use crate::fabric::{
    Aftermath, Blueprint, Counts, FabricGraph, FabricKind, Failure, FailureChances, FailureProblem,
    Piece, Request, SwitchChoice, TierName,
};
use crate::reliability::{FailureYear, Failures, PerYear, poisson_quantile};
use crate::routing::{Paths, RoutedCall, RoutingManner, RoutingRules};
use crate::scenario::Scenario;
use crate::search::NoLayout;
use crate::units::Seconds;

/// What fails.
#[derive(Clone, Debug)]
pub struct FailureRequest {
    pub named: Vec<Failure>,
    /// Parts drawn at random besides, and which draw.
    pub drawn: Option<(FailureChances, u64)>,
}

impl FailureRequest {
    /// What of it fails in a fabric: the named parts, and those of the draw.
    #[must_use]
    pub fn failures_on_graph(&self, graph: &FabricGraph) -> Vec<Failure> {
        let drawn =
            self.drawn.iter().flat_map(|(chances, seed)| graph.sample_failures(chances, *seed));
        self.named.iter().cloned().chain(drawn).collect()
    }
}

/// A fabric after failures.
#[derive(Clone, Debug)]
pub struct AftermathReport {
    /// What it is: `design` first.
    pub name: String,
    pub failures: Vec<Failure>,
    pub left: Aftermath,
    /// The workload that the design leads with.
    pub lead: DegradedStep,
    pub others: Vec<DegradedStep>,
}

/// How a workload goes on after failures.
#[derive(Clone, Debug, PartialEq)]
pub struct DegradedStep {
    pub name: String,
    /// A step before; of a run with phases its pace.
    pub before: Seconds,
    /// As `before`, on what is left, once the domains that stopped are replaced; endless where none
    /// is left to replace them, or some message has no way.
    pub after: Seconds,
    /// Share of its pace at which it goes on with nothing replaced, by the clock; 0 where it
    /// stands.
    pub kept: f64,
    /// The communication that is slowed down most; `None` where none is.
    pub slowest: Option<SlowedCall>,
}

/// A communication on what is left of a fabric.
#[derive(Clone, Debug, PartialEq)]
pub struct SlowedCall {
    pub label: &'static str,
    pub link: String,
    /// How many times as long that takes as the step time took for granted.
    pub times: f64,
}

/// Why failures can't be tried.
#[derive(Clone, Debug)]
pub enum AftermathProblem {
    /// The plan's fabric can't be wired.
    Wiring(WiringProblem),
    /// The design has no such part.
    Failure(FailureProblem),
    /// The plan's layout breaks a rule: it does not where the plan is of this scenario.
    Layout(NoLayout),
}

impl fmt::Display for AftermathProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wiring(problem) => problem.fmt(f),
            Self::Failure(problem) => problem.fmt(f),
            Self::Layout(problem) => problem.fmt(f),
        }
    }
}

impl std::error::Error for AftermathProblem {}

/// The design after failures, and the other fabrics after the same. A fabric that lacks a part by
/// that name, or is too large to wire, is left out.
///
/// # Errors
/// Where the design itself has no such part or can't be wired.
pub fn after_failures(
    scenario: &Scenario,
    plan: &Plan,
    graph: &FabricGraph,
    failing: &FailureRequest,
) -> Result<Vec<AftermathReport>, AftermathProblem> {
    let job = job_of_plan(scenario, plan).map_err(AftermathProblem::Layout)?;
    let design = aftermath_report(&job, "design", &plan.fabric, plan.level, graph, failing)
        .map_err(AftermathProblem::Failure)?;
    let mut all = vec![design];
    for (name, fabric) in reference_fabrics(plan) {
        let graph = |blueprint: &Blueprint| blueprint.build_fabric_graph().ok();
        let other = graph(&fabric.blueprint);
        let wired = (&fabric.counts, level_of_counts(&fabric.counts, job.machine.balance));
        all.extend(other.and_then(|graph| {
            aftermath_report(&job, name, wired.0, wired.1, &graph, failing).ok()
        }));
    }
    Ok(all)
}

fn aftermath_report(
    job: &Job<'_>,
    name: &str,
    counts: &Counts,
    level: Level,
    graph: &FabricGraph,
    failing: &FailureRequest,
) -> Result<AftermathReport, FailureProblem> {
    let failures = failing.failures_on_graph(graph);
    let left = graph.aftermath_of_failures(&failures)?;
    let broken = graph.parts_out_of_service(&failures)?;
    let going = |run: &JobRun<'_>| {
        // What routing makes of one fabric says nothing of another.
        let (runs, scenarios) = (vec![vec![run.clone()]], RobustScenarios::default());
        let alone = Job { runs, scenarios, ..job.clone() }.without_routing_corrections();
        correct_clock_on_fabric(&alone, level, graph, RoutingRound::default());
        let (after, slowest) =
            step_after_failure(&alone, level, graph, Paths::with_failures(graph, &broken), &left);
        let before = alone.lead_run().effective_step_time(level);
        let below = pace_share_after_loss(
            alone.lead_run(),
            counts,
            level,
            &PieceLoss::from_aftermath(Piece::Nic, 1, &left),
        );
        // On a fabric that is timed on its cables the clock knows of no uplinks: what is routed
        // holds.
        let kept = match level.member {
            Some(_) if after > Seconds::ZERO => below.min(before / after),
            _ => below,
        };
        DegradedStep { name: run.workload.name.clone(), before, after, kept, slowest }
    };
    let lead = going(job.lead_run());
    let others = job.one_run_per_workload().skip(1).map(going).collect();
    Ok(AftermathReport { name: name.to_owned(), failures, left, lead, others })
}

/// The step of the leading workload of a job on what is left, and what slows it down most. Domains
/// that stopped take no part: others elsewhere do their work at the old pace.
fn step_after_failure(
    job: &Job<'_>,
    level: Level,
    graph: &FabricGraph,
    paths: Paths,
    left: &Aftermath,
) -> (Seconds, Option<SlowedCall>) {
    if left.stopped.len() as u64 >= u64::from(job.domains) {
        return (Seconds::ENDLESS, None);
    }
    let run = job.lead_run();
    let paths = paths_at_level(level, paths);
    let manner = RoutingManner {
        rules: RoutingRules::SPREAD,
        absent: &left.stopped,
        ..RoutingManner::default()
    };
    let Ok(routed) = route_run(run, level, &paths, manner) else {
        return (Seconds::ENDLESS, None);
    };
    let strain = routed_slowdowns(run, &routed);
    let after = run.effective_step_time_corrected(level, &strain);
    let slowed = |call: &&RoutedCall| call.slowdown_against_clock() > SEEN;
    let slowest = routed.worst_call().filter(slowed).map(|call| SlowedCall {
        label: call.label,
        link: link_name(graph, call.outcome.sprayed.link),
        times: call.slowdown_against_clock(),
    });
    (after, slowest)
}

/// Less is rounding.
const SEEN: f64 = 1.0 + 1e-6;

/// A year of failures on several fabrics for the same GPUs.
#[derive(Clone, Debug, PartialEq)]
pub struct Reliability {
    /// How often parts fail and how the job comes back.
    pub failures: Failures,
    /// GPUs that are swapped together when one breaks: those of an HB domain.
    pub unit: u32,
    /// The design first.
    pub fabrics: Vec<FabricYear>,
}

/// A year on one fabric.
#[derive(Clone, Debug, PartialEq)]
pub struct FabricYear {
    pub name: String,
    pub switches: u64,
    /// Spare switches that suffice 99 % of the time until new ones come.
    pub spare_switches: u64,
    /// NICs below a leaf switch, on average.
    pub nics_of_a_leaf: u64,
    /// What fails, and what that takes of the year.
    pub report: FailureReport,
}

impl FabricYear {
    /// The year.
    #[must_use]
    pub const fn year(&self) -> &FailureYear {
        &self.report.year
    }
}

/// Time until a new switch comes: an assumption, eight weeks.
const LEAD: Seconds = Seconds::from_days(8.0 * 7.0);
/// Share of the time for which spares should suffice.
const FILL: f64 = 0.99;

/// A year of the design beside rail-only and a full-bisection Clos of the same switches, planes
/// and GPUs; a fabric that can't be built is left out.
///
/// # Errors
/// Rules that the plan's layout breaks: none where the plan is of this scenario.
pub fn compare_reliability(scenario: &Scenario, plan: &Plan) -> Result<Reliability, NoLayout> {
    let job = job_of_plan(scenario, plan)?;
    let rate = PerYear::from_events(scenario.failures.switch);
    let read = |name: String, counts: &Counts, report: FailureReport| FabricYear {
        name,
        switches: counts.switch_count(),
        spare_switches: poisson_quantile(
            rate.for_pieces(counts.switch_count()).expected_events(LEAD),
            FILL,
        ),
        nics_of_a_leaf: counts.host_links.div_ceil(counts.switches_in_tier(TierName::Leaf).max(1)),
        report,
    };
    let mut fabrics = vec![read("design".to_owned(), &plan.fabric, plan.failures.clone())];
    let others = reference_fabrics(plan).into_iter();
    fabrics.extend(others.map(|(name, other)| {
        let report = failures_on_fabric(&job, plan, &other);
        read(name.to_owned(), &other.counts, report)
    }));
    let unit = plan.nodes.node.gpus;
    Ok(Reliability { failures: scenario.failures, unit, fabrics })
}

/// A year on another fabric, of a cluster that costs what the plan's does.
fn failures_on_fabric(job: &Job<'_>, plan: &Plan, other: &ReferenceFabric) -> FailureReport {
    let level = level_of_counts(&other.counts, job.machine.balance);
    let graph = other.blueprint.build_fabric_graph().ok();
    failure_report(&job.without_routing_corrections(), &other.counts, level, graph.as_ref())
        .with_cost_of_lost_time(&plan.cost)
}

/// Another fabric for the same NICs.
pub(crate) struct ReferenceFabric {
    pub(crate) counts: Counts,
    pub(crate) blueprint: Blueprint,
}

/// Rail-only and a full-bisection Clos of the design's largest switch, where they can be built and
/// are not what was designed.
pub(crate) fn reference_fabrics(plan: &Plan) -> Vec<(&'static str, ReferenceFabric)> {
    let names = [
        (FabricKind::RailOnly, "rail-only, non-blocking"),
        (FabricKind::Clos, "full-bisection Clos"),
    ];
    let unlike = |(_, fabric): &(&str, ReferenceFabric)| {
        fabric.counts.switch_count() != plan.fabric.switch_count()
    };
    names
        .into_iter()
        .filter_map(|(kind, name)| Some((name, non_blocking_fabric(&plan.fabric, kind)?)))
        .filter(unlike)
        .collect()
}

/// A non-blocking fabric of another family for the same NICs, of the design's largest switch.
fn non_blocking_fabric(counts: &Counts, kind: FabricKind) -> Option<ReferenceFabric> {
    let radix = counts.tiers.iter().map(|tier| tier.radix).max()?;
    let switch = SwitchChoice::Radix(radix);
    let request = Request::new(kind, counts.endpoints, counts.rails, switch, counts.link);
    let blueprint = Blueprint::from_tree(&Request { planes: counts.planes, ..request });
    Some(ReferenceFabric { counts: blueprint.network_counts().ok()?, blueprint })
}

//! A year of failures on a design, beside the other ways to join the same GPUs. Designs nothing.

use super::job_of::job_of_plan;
use crate::design::answer::failures::{FailureReport, failure_report};
use crate::design::answer::plan::Plan;
use crate::design::candidate::job::Job;
use crate::design::fabric::trees::level_of_counts;
use crate::fabric::{Blueprint, Counts, FabricKind, Request, SwitchChoice, TierName};
use crate::reliability::{FailureYear, Failures, PerYear, poisson_quantile};
use crate::scenario::Scenario;
use crate::search::NoLayout;
use crate::units::Seconds;

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
    /// What it is.
    pub name: String,
    /// Switches.
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

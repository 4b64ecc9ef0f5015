//! Routes the step of a design; rounds of correction.

use super::assemble::assemble_plan;
use crate::design::columns::routes::{graph_paths, route_robust_run, route_run, routed_slowdowns};
use crate::design::effort;
use crate::design::job::job::Job;
use crate::design::job::machine::Level;
use crate::design::job::run::JobRun;
use crate::design::job::scenario_runs::RobustRun;
use crate::design::plan::plan::Plan;
use crate::design::plan::plan_values::PlanInputs;
use crate::design::plan::routing_report::{
    CallReport, CarriedScenario, HotLink, LoadReport, Robustness, RoutedStep, RoutingReport,
};
use crate::fabric::{Blueprint, Counts, FabricGraph, LinkClass, Regularity};
use crate::hardware::LinkPricing;
use crate::routing::{
    Link, Load, NotRouted, RoutedCall, RoutedStepLoads, RoutingManner, RoutingRules, SlowestLink,
};
use crate::scenario::Assumption;
use crate::units::Seconds;

/// Routes the steps of a job over a wired fabric, and keeps what takes longer than the clock says.
fn verify_by_routing(job: &Job<'_>, level: Level, graph: &FabricGraph) -> RoutingReport {
    let all = match route_steps(job, level, graph, RoutingManner::default()) {
        Ok(routed) => routed,
        Err(reason) => return RoutingReport::Unverified(reason.to_string()),
    };
    let on_cables = level.member.is_some();
    let mut step = RoutedStep { holds: true, on_cables, calls: Vec::new(), loads: Vec::new() };
    let several = all.len() > 1;
    for (run, routed) in &all {
        let name = if several { run.workload.name.as_str() } else { "" };
        let routed_step = routed_step_report(routed, graph, name);
        step.holds &= routed_step.holds;
        step.calls.extend(routed_step.calls);
        step.loads.extend(routed_step.loads);
    }
    record_slower_steps(level, &all, false);
    RoutingReport::Routed(step)
}

/// The plan of a job on the fabric that a blueprint gives, wired once: what the loss of each kind
/// of piece leaves of it, and what routing the step over it finds.
pub(crate) fn route_and_report(
    job: &Job<'_>,
    counts: &Counts,
    level: Level,
    blueprint: &Blueprint,
    finding: PlanInputs,
) -> Plan {
    let graph = blueprint.build_fabric_graph();
    let plan = assemble_plan(job, counts, level, graph.as_ref().ok(), finding);
    let routing = match &graph {
        Ok(graph) => verify_by_routing(job, level, graph),
        Err(problem) => RoutingReport::Unverified(problem.to_string()),
    };
    let robust = route_robust_scenarios(job, counts, level, graph.as_ref().ok());
    let more = routing
        .routing_warning()
        .into_iter()
        .chain(robust.as_ref().and_then(Robustness::not_carried_warning));
    let warnings = [plan.warnings, more.collect()].concat();
    let regularity = Regularity::from_blueprint(blueprint);
    let is_irregular = regularity.as_ref().is_some_and(|found| !found.is_regular());
    let shapes = is_irregular.then(|| shapes_not_compared(job)).flatten();
    let assumptions = plan.assumptions.into_iter().chain(shapes).collect();
    Plan {
        warnings,
        assumptions,
        routing: Some(routing),
        robust,
        blueprint: Some(blueprint.clone()),
        regularity,
        ..plan
    }
}

/// What the proof of an irregular network does not range over, where modules are counted whole.
fn shapes_not_compared(job: &Job<'_>) -> Option<Assumption> {
    (job.scenario.cluster.links == LinkPricing::Parts).then(|| Assumption {
        topic: Assumption::SHAPES.to_owned(),
        text: "leaf switches have the fewest links that so many of them can have: with other \
               numbers of machines on each an irregular network may take a few modules less, which \
               the proof leaves out"
            .to_owned(),
        default: false,
    })
}

/// Routes the steps of a job, spread evenly, and keeps what takes longer than the clock says: in
/// later rounds of every level with a leaf border. False where nothing takes longer; what can't be
/// routed can't be known.
pub(crate) fn correct_clock_by_routing(
    job: &Job<'_>,
    level: Level,
    blueprint: &Blueprint,
    round: RoutingRound,
) -> bool {
    blueprint
        .build_fabric_graph()
        .is_ok_and(|graph| correct_clock_on_fabric(job, level, &graph, round))
}

/// As [`correct_clock_by_routing`], of a fabric that is wired.
pub(crate) fn correct_clock_on_fabric(
    job: &Job<'_>,
    level: Level,
    graph: &FabricGraph,
    round: RoutingRound,
) -> bool {
    let manner = RoutingManner { rules: RoutingRules::SPREAD, ..RoutingManner::default() };
    let wide = round.applies_to_all_levels();
    let slower = route_steps(job, level, graph, manner)
        .is_ok_and(|all| record_slower_steps(level, &all, wide));
    correct_scenario_clock(job, level, graph, wide) || slower
}

/// Keeps what takes longer than the clock says; true where something does.
fn record_slower_steps(level: Level, all: &[RoutedRun<'_, '_>], wide: bool) -> bool {
    let mut any = false;
    for (run, routed) in all {
        if !routed.is_within_clock_time() {
            run.record_correction(level, &routed_slowdowns(run, routed), wide);
            any = true;
        }
    }
    any
}

/// A run with its step, routed.
type RoutedRun<'j, 'a> = (&'j JobRun<'a>, RoutedStepLoads);

/// The steps of a job on the wired fabric.
fn route_steps<'j, 'a>(
    job: &'j Job<'a>,
    level: Level,
    graph: &FabricGraph,
    manner: RoutingManner<'_>,
) -> Result<Vec<RoutedRun<'j, 'a>>, NotRouted> {
    let paths = graph_paths(level, graph);
    let read = |run: &'j JobRun<'a>| Ok((run, route_run(run, level, &paths, manner)?));
    job.runs_at_level(level).into_iter().map(read).collect()
}

/// Names of the ends of a link.
pub(crate) fn link_name(graph: &FabricGraph, link: Option<Link>) -> String {
    let name = |node: usize| graph.node(node).map(|node| node.name()).unwrap_or_default();
    match link {
        Some(Link::Nic { nic, leaf }) => {
            format!("{}/{}", name(graph.endpoint_nodes()[nic].index()), name(leaf))
        }
        Some(Link::Switches { low, high }) => format!("{}/{}", name(low), name(high)),
        None => String::new(),
    }
}

fn routed_step_report(routed: &RoutedStepLoads, graph: &FabricGraph, workload: &str) -> RoutedStep {
    let hot = |peak: &SlowestLink| HotLink { time: peak.time, link: link_name(graph, peak.link) };
    let call = |call: &RoutedCall| CallReport {
        workload: workload.to_owned(),
        label: call.label,
        kind: call.kind,
        messages: call.messages,
        forwarded: call.forwarded,
        granted: call.granted,
        seen: call.outcome.seen_oversubscription(),
        over_nic: call.outcome.link_to_nic_ratio(),
        detour: call.outcome.detour,
        sprayed: hot(&call.outcome.sprayed),
        adaptive: call.outcome.adaptive.as_ref().map(hot),
        hashed: call.outcome.hashed.as_ref().map(hot),
    };
    let load = |load: &Load| LoadReport {
        workload: workload.to_owned(),
        class: LinkClass::name(load.class),
        links: load.links,
        rate: load.rate,
        mean: load.mean_bytes(),
        most: load.most,
        link: link_name(graph, load.fullest),
    };
    RoutedStep {
        holds: routed.is_within_clock_time(),
        on_cables: false,
        calls: routed.calls.iter().map(call).collect(),
        loads: routed.loads.iter().map(load).collect(),
    }
}

/// Routes every scenario of a job, spread evenly, and keeps what takes longer than the clock says;
/// true where something does. What can't be routed can't be known.
fn correct_scenario_clock(job: &Job<'_>, level: Level, graph: &FabricGraph, wide: bool) -> bool {
    if job.scenarios.runs.is_empty() {
        return false;
    }
    let paths = graph_paths(level, graph);
    let mut any = false;
    for run in &job.scenarios.runs {
        let Ok(found) = route_robust_run(run, level, &paths) else { continue };
        if !found.is_within_clock_time() {
            run.run.record_correction(
                run.slower_placement_level(level),
                &routed_slowdowns(&run.run, &found),
                wide,
            );
            any = true;
        }
    }
    any
}

/// What a fabric makes of the scenarios of its job; `None` where none were asked for.
fn route_robust_scenarios(
    job: &Job<'_>,
    counts: &Counts,
    level: Level,
    graph: Option<&FabricGraph>,
) -> Option<Robustness> {
    let asked = job.scenario.robust.as_ref()?;
    if job.scenarios.runs.is_empty() && job.scenarios.left_out.is_empty() {
        return None; // a job of a plan that was made before
    }
    let paths = graph.map(|graph| graph_paths(level, graph));
    let row = |run: &RobustRun<'_>| {
        let found = paths.as_ref().map(|paths| route_robust_run(run, level, paths));
        let step = match &found {
            Some(Ok(found)) if !found.is_within_clock_time() => {
                run.run.effective_step_time_corrected(
                    run.slower_placement_level(level),
                    &routed_slowdowns(&run.run, found),
                )
            }
            _ => run.step_time(level),
        };
        let not_routed = match found {
            Some(Ok(_)) => None,
            Some(Err(reason)) => Some(reason.to_string()),
            None => Some("its cables are not known".to_owned()),
        };
        CarriedScenario {
            name: run.name.clone(),
            step,
            slowdown: step / run.run.full,
            most: run.longest_step,
            uplinks: least_uplinks(job, run, counts, level),
            not_routed,
        }
    };
    Some(Robustness {
        max_slowdown: asked.max_slowdown,
        scenarios: job.scenarios.runs.iter().map(row).collect(),
        left_out: job.scenarios.left_out.clone(),
        price: None,
    })
}

/// The least uplinks of a leaf switch within a rail over its endpoints with which a scenario is
/// fast enough by the clock, all else as it is; 0 where no leaf switch has a border, `None` where
/// no number will do.
fn least_uplinks(job: &Job<'_>, run: &RobustRun<'_>, counts: &Counts, level: Level) -> Option<f64> {
    let Some(leaf) = level.leaf_domains.or(counts.leaf_domains) else { return Some(0.0) };
    let joint = level.across > 0.0 && (level.across - level.within).abs() <= JOINT * level.within;
    let fast = |uplinks: u32| {
        let within = f64::from(uplinks) / f64::from(leaf);
        let across = if joint { within } else { level.across };
        let spread = (job.machine.balance, counts.planes);
        let pace: Seconds = run.step_time(Level::with_leaf_border(
            Some(leaf),
            [within, across],
            spread.0,
            spread.1,
        ));
        pace <= run.longest_step
    };
    // Steps get no longer as uplinks are added.
    let (mut low, mut high) = (1, leaf);
    while low < high {
        let middle = low.midpoint(high);
        if fast(middle) { high = middle } else { low = middle + 1 }
    }
    fast(high).then(|| f64::from(high) / f64::from(leaf))
}

/// Relative rounding of a share of uplinks.
const JOINT: f64 = 1e-9;

/// One of the times that the best answer is routed, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RoutingRound {
    number: u32,
    /// Rounds that correct single levels.
    narrow: u32,
}

impl Default for RoutingRound {
    fn default() -> Self {
        Self { number: 0, narrow: effort::ROUTING_ROUNDS }
    }
}

impl RoutingRound {
    /// The first one of clusters of so many interfaces.
    pub(in crate::design) const fn first_round(interfaces: u64) -> Self {
        Self {
            number: 0,
            narrow: if interfaces <= effort::FEW_INTERFACES {
                effort::ROUTING_ROUNDS_OF_FEW
            } else {
                effort::ROUTING_ROUNDS
            },
        }
    }

    pub(in crate::design) const fn is_first(self) -> bool {
        self.number == 0
    }

    /// The next one; `None` where there were enough.
    pub(crate) fn next_round(self) -> Option<Self> {
        let next = self.number + 1;
        (next < self.narrow + effort::WIDE_ROUTING_ROUNDS).then_some(Self { number: next, ..self })
    }

    /// What was found of one level holds for all with a leaf border from now on: single levels took
    /// too many rounds.
    pub(in crate::design) const fn applies_to_all_levels(self) -> bool {
        self.number >= self.narrow
    }
}

#[cfg(test)]
mod tests {
    use super::RoutingRound;

    #[test]
    fn narrow_rounds_come_first_and_more_of_small_clusters() {
        for (first, narrow) in [
            (RoutingRound::default(), 8),
            (RoutingRound::first_round(8193), 8),
            (RoutingRound::first_round(8192), 64),
        ] {
            let all: Vec<RoutingRound> =
                std::iter::successors(Some(first), |round| round.next_round()).collect();
            let wide = all.iter().filter(|round| round.applies_to_all_levels()).count();
            assert_eq!((all.len() - wide, wide), (narrow, 16));
            assert!(all[0].is_first() && !all[narrow - 1].applies_to_all_levels());
        }
    }
}

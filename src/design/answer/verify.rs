//! Routes the step of a design over its fabric, cable by cable, and says whether the step time's
//! bandwidth assumption holds. Changes nothing in the design.

use super::assemble::assemble_plan;
use super::carrying::{self, route_robust_scenarios};
use super::finding::PlanInputs;
use super::plan::Plan;
use super::robustness::Robustness;
use super::rounds::RoutingRound;
use super::routed::{CallReport, HotLink, LoadReport, RoutedStep, RoutingReport};
use crate::design::candidate::job::Job;
use crate::design::candidate::machine::Level;
use crate::design::candidate::run::JobRun;
use crate::design::fabric::routes::{graph_paths, route_run, routed_slowdowns};
use crate::fabric::{Blueprint, Counts, FabricGraph, LinkClass, Regularity};
use crate::hardware::LinkPricing;
use crate::routing::{
    Link, Load, NotRouted, RoutedCall, RoutedStepLoads, RoutingManner, RoutingRules, SlowestLink,
};
use crate::scenario::Assumption;

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

/// The plan of a job on the fabric that a blueprint gives, wired once: what the loss of each kind of piece
/// leaves of it, and what routing the step over it finds.
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
    let irregular = regularity.as_ref().filter(|found| !found.is_regular());
    let shapes = irregular.and_then(|_| shapes_not_compared(job));
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
        text: "leaf switches have the fewest links that so many of them can have: with other numbers of \
               machines on each an irregular network may take a few modules less, which the proof leaves out"
            .to_owned(),
        default: false,
    })
}

/// Routes the steps of a job, spread evenly, and keeps what takes longer than the clock says: in later
/// rounds of every level with a leaf border. False where nothing takes longer; what can't be routed
/// can't be known.
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
    carrying::correct_scenario_clock(job, level, graph, wide) || slower
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

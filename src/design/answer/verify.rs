//! Routes the step of a design over its fabric, cable by cable, and says whether the step time's
//! bandwidth assumption holds. Changes nothing in the design.

use super::assemble::assemble;
use super::carrying::{self, carrying};
use super::finding::Finding;
use super::plan::Plan;
use super::robustness::Robustness;
use super::rounds::Round;
use super::routed::{CallReport, HotLink, LoadReport, RoutedStep, RoutingReport};
use crate::design::candidate::job::Job;
use crate::design::candidate::machine::Level;
use crate::design::candidate::run::Run;
use crate::design::fabric::routes::{over, paths, routed};
use crate::fabric::{Blueprint, Counts, FabricGraph, LinkClass, Regularity};
use crate::hardware::LinkPricing;
use crate::routing::{Link, Load, Manner, NotRouted, Peak, Routed, RoutedCall, Rules};
use crate::scenario::Assumption;

/// Routes the steps of a job over a wired fabric, and keeps what takes longer than the clock says.
fn verify(job: &Job<'_>, level: Level, graph: &FabricGraph) -> RoutingReport {
    let all = match routes(job, level, graph, Manner::default()) {
        Ok(routed) => routed,
        Err(reason) => return RoutingReport::Unverified(reason.to_string()),
    };
    let on_cables = level.member.is_some();
    let mut step = RoutedStep { holds: true, on_cables, calls: Vec::new(), loads: Vec::new() };
    let several = all.len() > 1;
    for (run, routed) in &all {
        let name = if several { run.workload.name.as_str() } else { "" };
        let of = named(routed, graph, name);
        step.holds &= of.holds;
        step.calls.extend(of.calls);
        step.loads.extend(of.loads);
    }
    keep(level, &all, false);
    RoutingReport::Routed(step)
}

/// The plan of a job on the fabric that a blueprint gives, wired once: what the loss of each kind of piece
/// leaves of it, and what routing the step over it finds.
pub(crate) fn verified(
    job: &Job<'_>,
    counts: &Counts,
    level: Level,
    blueprint: &Blueprint,
    finding: Finding,
) -> Plan {
    let graph = blueprint.graph();
    let plan = assemble(job, counts, level, graph.as_ref().ok(), finding);
    let routing = match &graph {
        Ok(graph) => verify(job, level, graph),
        Err(problem) => RoutingReport::Unverified(problem.to_string()),
    };
    let robust = carrying(job, counts, level, graph.as_ref().ok());
    let more = routing.warning().into_iter().chain(robust.as_ref().and_then(Robustness::warning));
    let warnings = [plan.warnings, more.collect()].concat();
    let regularity = Regularity::of(blueprint);
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
pub(crate) fn corrected(job: &Job<'_>, level: Level, blueprint: &Blueprint, round: Round) -> bool {
    blueprint.graph().is_ok_and(|graph| corrected_on(job, level, &graph, round))
}

/// As [`corrected`], of a fabric that is wired.
pub(crate) fn corrected_on(job: &Job<'_>, level: Level, graph: &FabricGraph, round: Round) -> bool {
    let manner = Manner { rules: Rules::SPREAD, ..Manner::default() };
    let wide = round.is_wide();
    let slower = routes(job, level, graph, manner).is_ok_and(|all| keep(level, &all, wide));
    carrying::corrected(job, level, graph, wide) || slower
}

/// Keeps what takes longer than the clock says; true where something does.
fn keep(level: Level, all: &[Ran<'_, '_>], wide: bool) -> bool {
    let mut any = false;
    for (run, routed) in all {
        if !routed.holds() {
            run.strain(level, &over(run, routed), wide);
            any = true;
        }
    }
    any
}

/// A run with its step, routed.
type Ran<'j, 'a> = (&'j Run<'a>, Routed);

/// The steps of a job on the wired fabric.
fn routes<'j, 'a>(
    job: &'j Job<'a>,
    level: Level,
    graph: &FabricGraph,
    manner: Manner<'_>,
) -> Result<Vec<Ran<'j, 'a>>, NotRouted> {
    let paths = paths(level, graph);
    let of = |run: &'j Run<'a>| Ok((run, routed(run, level, &paths, manner)?));
    job.running(level).into_iter().map(of).collect()
}

/// Names of the ends of a link.
pub(crate) fn link_name(graph: &FabricGraph, link: Option<Link>) -> String {
    let name = |node: usize| graph.node(node).map(|node| node.name()).unwrap_or_default();
    match link {
        Some(Link::Nic { nic, leaf }) => {
            format!("{}/{}", name(graph.endpoints()[nic].index()), name(leaf))
        }
        Some(Link::Switches { low, high }) => format!("{}/{}", name(low), name(high)),
        None => String::new(),
    }
}

fn named(routed: &Routed, graph: &FabricGraph, workload: &str) -> RoutedStep {
    let hot = |peak: &Peak| HotLink { time: peak.time, link: link_name(graph, peak.link) };
    let call = |call: &RoutedCall| CallReport {
        workload: workload.to_owned(),
        label: call.label,
        kind: call.kind,
        messages: call.messages,
        forwarded: call.forwarded,
        granted: call.granted,
        seen: call.outcome.oversubscription(),
        over_nic: call.outcome.over_nic(),
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
        mean: load.mean(),
        most: load.most,
        link: link_name(graph, load.fullest),
    };
    RoutedStep {
        holds: routed.holds(),
        on_cables: false,
        calls: routed.calls.iter().map(call).collect(),
        loads: routed.loads.iter().map(load).collect(),
    }
}

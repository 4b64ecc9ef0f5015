//! Routes the step of a design over its fabric, cable by cable, and says whether the step time's
//! bandwidth assumption holds. Changes nothing in the design.

use super::job::Job;
use super::machine::Level;
use super::plan::Plan;
use super::rounds::Round;
use super::running::Run;
use super::warning::Warning;
use crate::fabric::{Blueprint, FabricGraph, LinkClass};
use crate::parallel::Placed;
use crate::routing::{
    Granted, Link, Load, Manner, NotRouted, Paths, Peak, Routed, RoutedCall, Rules, route,
};
use crate::step::TrafficKind;
use crate::timing::GrantedCall;
use crate::units::{Bandwidth, Bytes, Seconds};

/// What routing a design found.
#[derive(Clone, Debug, PartialEq)]
pub enum RoutingReport {
    /// Every message of a step was routed.
    Routed(RoutedStep),
    /// The step was not routed, and why.
    Unverified(String),
}

/// A step on its fabric.
#[derive(Clone, Debug, PartialEq)]
pub struct RoutedStep {
    /// No link needs longer for any communication than the step time takes for granted.
    pub holds: bool,
    /// Communications between domains, in the step's order; of all workloads where there are
    /// several.
    pub calls: Vec<CallReport>,
    /// Bytes of a step by class of link, every message spread evenly over its shortest ways; of
    /// several workloads one after the other.
    pub loads: Vec<LoadReport>,
}

/// One communication on the fabric; times are of one call, at full rate of all links.
#[derive(Clone, Debug, PartialEq)]
pub struct CallReport {
    /// Whose it is; empty where there is one workload.
    pub workload: String,
    /// What it carries.
    pub label: &'static str,
    /// What reports sum it by.
    pub kind: TrafficKind,
    /// Messages between domains.
    pub messages: u64,
    /// Bytes that HB domains forward to another rail.
    pub forwarded: Bytes,
    /// Time that the step time takes for granted.
    pub granted: Seconds,
    /// The slowest link's over the busiest NIC's between leafs and spines: oversubscription seen.
    pub seen: f64,
    /// The slowest link where messages are spread evenly: what the step time assumes.
    pub sprayed: HotLink,
    /// Where each message takes the way that looks emptiest to each switch; `None` where there are
    /// too many to be put on single ways one by one.
    pub adaptive: Option<HotLink>,
    /// Where each is hashed onto one way; `None` likewise.
    pub hashed: Option<HotLink>,
}

/// The link that takes longest.
#[derive(Clone, Debug, PartialEq)]
pub struct HotLink {
    /// How long.
    pub time: Seconds,
    /// Its ends, such as `leaf-3/spine-1`; empty where nothing is sent.
    pub link: String,
}

/// Bytes on the links of one class, in the fuller direction of each.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadReport {
    /// Whose step it is; empty where there is one workload.
    pub workload: String,
    /// Name of the class.
    pub class: &'static str,
    /// Links.
    pub links: u64,
    /// Rate of each.
    pub rate: Bandwidth,
    /// Bytes of a step on a link on average.
    pub mean: Bytes,
    /// Bytes of a step on the fullest.
    pub most: Bytes,
    /// Ends of the fullest.
    pub link: String,
}

impl RoutedStep {
    /// The communication whose slowest link exceeds most what is taken for granted; `None` where
    /// nothing leaves a domain.
    #[must_use]
    pub fn worst(&self) -> Option<&CallReport> {
        let over = |call: &CallReport| call.over(&call.sprayed);
        self.calls.iter().reduce(|worst, call| if over(call) > over(worst) { call } else { worst })
    }
}

impl RoutingReport {
    /// What a reader has to know of it.
    pub(super) fn warning(&self) -> Option<Warning> {
        let routed = match self {
            Self::Unverified(reason) => return Some(Warning::Unrouted { reason: reason.clone() }),
            Self::Routed(routed) => routed,
        };
        let worst = routed.worst().filter(|_| !routed.holds)?;
        let times = worst.over(&worst.sprayed);
        Some(Warning::Slower { label: worst.label, link: worst.sprayed.link.clone(), times })
    }

    /// The slowest link's time over the one that the step time takes for granted, of the
    /// communication where that is most: no more than 1 where the step time stands. `None` where
    /// nothing was routed, or nothing leaves a domain.
    #[must_use]
    pub fn worst_ratio(&self) -> Option<f64> {
        match self {
            Self::Unverified(_) => None,
            Self::Routed(routed) => routed.worst().map(|call| call.over(&call.sprayed)),
        }
    }

    /// Why the step was not routed, or the communication that is slower than the step time has it
    /// and its link; `None` where the step time stands.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        match self {
            Self::Unverified(reason) => Some(reason.clone()),
            Self::Routed(routed) => routed
                .worst()
                .filter(|_| !routed.holds)
                .map(|call| format!("{} on {}", call.label, call.sprayed.link)),
        }
    }

    /// True where every message was routed and no link needs longer than the step time has it.
    #[must_use]
    pub const fn is_verified(&self) -> bool {
        match self {
            Self::Unverified(_) => false,
            Self::Routed(routed) => routed.holds,
        }
    }
}

impl CallReport {
    /// A link's time over the one that is taken for granted.
    #[must_use]
    pub fn over(&self, hot: &HotLink) -> f64 {
        if self.granted > Seconds::ZERO { hot.time / self.granted } else { 0.0 }
    }
}

/// Routes the steps of a job over the fabric that a blueprint gives, and keeps what takes longer
/// than the clock says: true where something does.
pub(super) fn verify(job: &Job<'_>, level: Level, blueprint: &Blueprint) -> (RoutingReport, bool) {
    let unverified = |reason: String| (RoutingReport::Unverified(reason), false);
    let graph = match blueprint.graph() {
        Ok(graph) => graph,
        Err(problem) => return unverified(problem.to_string()),
    };
    let all = match routes(job, level, &graph, Manner::default()) {
        Ok(routed) => routed,
        Err(reason) => return unverified(reason.to_string()),
    };
    let mut step = RoutedStep { holds: true, calls: Vec::new(), loads: Vec::new() };
    let several = all.len() > 1;
    for (run, routed) in &all {
        let name = if several { run.workload.name.as_str() } else { "" };
        let of = named(routed, &graph, name);
        step.holds &= of.holds;
        step.calls.extend(of.calls);
        step.loads.extend(of.loads);
    }
    let slower = keep(level, &all, false);
    (RoutingReport::Routed(step), slower)
}

/// A plan with its blueprint and what routing it found.
pub(super) fn verified(plan: Plan, routing: RoutingReport, blueprint: &Blueprint) -> Plan {
    let warnings = [plan.warnings, routing.warning().into_iter().collect()].concat();
    Plan { warnings, routing: Some(routing), blueprint: Some(blueprint.clone()), ..plan }
}

/// Routes the steps of a job, spread evenly, and keeps what takes longer than the clock says: in later
/// rounds of every level with a leaf border. False where nothing takes longer; what can't be routed
/// can't be known.
pub(super) fn corrected(job: &Job<'_>, level: Level, blueprint: &Blueprint, round: Round) -> bool {
    blueprint.graph().is_ok_and(|graph| corrected_on(job, level, &graph, round))
}

/// As [`corrected`], of a fabric that is wired.
pub(super) fn corrected_on(job: &Job<'_>, level: Level, graph: &FabricGraph, round: Round) -> bool {
    let manner = Manner { rules: Rules::SPREAD, ..Manner::default() };
    routes(job, level, graph, manner).is_ok_and(|all| keep(level, &all, round.is_wide()))
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

/// How many times as long each communication of a run takes as the clock says, or as long.
pub(super) fn over(run: &Run<'_>, routed: &Routed) -> Vec<f64> {
    let mut over = vec![1.0; run.step.communications.len()];
    for call in &routed.calls {
        over[call.place] = call.over_granted().max(1.0);
    }
    over
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
    let paths = match level.across > 0.0 {
        true => Paths::new(graph),
        false => Paths::new(graph).with_rails_apart(),
    };
    let of = |run: &'j Run<'a>| Ok((run, routed(run, level, &paths, manner)?));
    job.running(level).into_iter().map(of).collect()
}

/// Routes a run's step.
pub(super) fn routed(
    run: &Run<'_>,
    level: Level,
    paths: &Paths,
    manner: Manner<'_>,
) -> Result<Routed, NotRouted> {
    let granted: Vec<Granted> = run
        .granted(level)
        .into_iter()
        .map(|GrantedCall { policy, time, straight }| Granted { policy, time, straight })
        .collect();
    let placed = Placed::new(&run.step.grid, run.placement());
    route(&run.step, &placed, paths, manner, &granted)
}

/// Names of the ends of a link.
pub(super) fn link_name(graph: &FabricGraph, link: Option<Link>) -> String {
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
        calls: routed.calls.iter().map(call).collect(),
        loads: routed.loads.iter().map(load).collect(),
    }
}

//! Routes the step of a design over its fabric, cable by cable, and says whether the step time's
//! bandwidth assumption holds. Changes nothing in the design.

use super::job::Job;
use super::machine::Level;
use super::running::Run;
use crate::fabric::{Blueprint, FabricGraph, LinkClass};
use crate::parallel::Placed;
use crate::routing::{
    AcrossRails, Granted, Link, Load, Manner, NotRouted, Paths, Peak, Routed, RoutedCall, route,
};
use crate::step::TrafficKind;
use crate::timing::Clock;
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
    /// The communication whose slowest link exceeds most what is taken for granted.
    #[must_use]
    pub fn worst(&self) -> Option<&CallReport> {
        let over = |call: &CallReport| call.over(&call.sprayed);
        self.calls.iter().reduce(|worst, call| if over(call) > over(worst) { call } else { worst })
    }
}

impl CallReport {
    /// A link's time over the one that is taken for granted.
    #[must_use]
    pub fn over(&self, hot: &HotLink) -> f64 {
        if self.granted > Seconds::ZERO { hot.time / self.granted } else { 0.0 }
    }
}

/// Routes the steps of a job over the fabric that a blueprint gives.
pub(super) fn verify(job: &Job<'_>, level: Level, blueprint: &Blueprint) -> RoutingReport {
    let graph = match blueprint.graph() {
        Ok(graph) => graph,
        Err(problem) => return RoutingReport::Unverified(problem.to_string()),
    };
    let paths = match level.across > 0.0 {
        true => Paths::new(&graph),
        false => Paths::new(&graph).with_rails_apart(),
    };
    let mut all = RoutedStep { holds: true, calls: Vec::new(), loads: Vec::new() };
    let runs = job.running(level);
    for run in &runs {
        let manner = Manner::new(across(run, level));
        let name = if runs.len() > 1 { run.workload.name.clone() } else { String::new() };
        match routed(run, level, &paths, manner) {
            Ok(routed) => {
                let step = named(&routed, &graph, &name);
                all.holds &= step.holds;
                all.calls.extend(step.calls);
                all.loads.extend(step.loads);
            }
            Err(reason) => return RoutingReport::Unverified(reason.to_string()),
        }
    }
    RoutingReport::Routed(all)
}

/// How a run's messages get to other rails on a fabric of that level.
pub(super) const fn across(run: &Run<'_>, level: Level) -> AcrossRails {
    AcrossRails { spine: level.across, forwards: run.machine.node.forwards }
}

/// Routes a run's step.
pub(super) fn routed(
    run: &Run<'_>,
    level: Level,
    paths: &Paths,
    manner: Manner<'_>,
) -> Result<Routed, NotRouted> {
    let network = run.machine.network(level);
    let clock = Clock::new(&run.machine.node.gpu, &network, &run.workload.framework);
    let granted: Vec<Granted> = clock
        .granted(&run.step)
        .into_iter()
        .map(|(policy, time)| Granted { policy, time })
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

//! Routes the step of a design over its fabric, cable by cable, and says whether the step time's
//! bandwidth assumption holds. Changes nothing in the design.

use super::job::Job;
use super::machine::Level;
use super::running::Run;
use crate::fabric::{Blueprint, FabricGraph};
use crate::parallel::Placed;
use crate::routing::{
    AcrossRails, Granted, Link, Load, NotRouted, Paths, Peak, Routed, RoutedCall, Stage, route,
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
    /// Bytes of a step of the leading workload by class of link, every message spread evenly over its shortest ways.
    pub loads: Vec<LoadReport>,
}

/// One communication on the fabric; times are of one call, at full rate of all links.
#[derive(Clone, Debug, PartialEq)]
pub struct CallReport {
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
    /// Where each message takes the way that looks emptiest to each switch.
    pub adaptive: HotLink,
    /// Where each is hashed onto one way.
    pub hashed: HotLink,
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
    let paths = match Paths::new(&graph) {
        Ok(paths) if level.across > 0.0 => paths,
        Ok(paths) => paths.with_rails_apart(),
        Err(reason) => return RoutingReport::Unverified(reason.to_string()),
    };
    let mut all: Option<RoutedStep> = None;
    for run in job.running(level) {
        match routed(run, level, &paths) {
            Ok(routed) => {
                let step = named(&routed, &graph);
                match &mut all {
                    None => all = Some(step),
                    Some(all) => {
                        all.holds &= step.holds;
                        all.calls.extend(step.calls);
                    }
                }
            }
            Err(reason) => return RoutingReport::Unverified(reason.to_string()),
        }
    }
    match all {
        Some(step) => RoutingReport::Routed(step),
        None => RoutingReport::Unverified("nothing runs".to_owned()),
    }
}

fn routed(run: &Run<'_>, level: Level, paths: &Paths) -> Result<Routed, NotRouted> {
    let network = run.machine.network(level);
    let node = run.machine.node;
    let clock = Clock::new(&node.gpu, &network, &run.workload.framework);
    let granted: Vec<Granted> = clock
        .granted(&run.step)
        .into_iter()
        .map(|(policy, time)| Granted { policy, time })
        .collect();
    let across = AcrossRails { spine: level.across, forwards: node.forwards };
    let placed = Placed::new(&run.step.grid, run.placement());
    route(&run.step, &placed, paths, across, &granted)
}

fn named(routed: &Routed, graph: &FabricGraph) -> RoutedStep {
    let name = |node: usize| graph.node(node).map(|node| node.name()).unwrap_or_default();
    let link = |link: Option<Link>| match link {
        Some(Link::Nic { nic, leaf }) => {
            format!("{}/{}", name(graph.endpoints()[nic].index()), name(leaf))
        }
        Some(Link::Switches { low, high }) => format!("{}/{}", name(low), name(high)),
        None => String::new(),
    };
    let hot = |peak: &Peak| HotLink { time: peak.time, link: link(peak.link) };
    let call = |call: &RoutedCall| CallReport {
        label: call.label,
        kind: call.kind,
        messages: call.messages,
        forwarded: call.forwarded,
        granted: call.granted,
        seen: call.outcome.oversubscription(),
        sprayed: hot(&call.outcome.sprayed),
        adaptive: hot(&call.outcome.adaptive),
        hashed: hot(&call.outcome.hashed),
    };
    let load = |load: &Load| LoadReport {
        class: Stage::name(load.stage),
        links: load.links,
        rate: load.rate,
        mean: load.mean(),
        most: load.most,
        link: link(load.fullest),
    };
    RoutedStep {
        holds: routed.holds(),
        calls: routed.calls.iter().map(call).collect(),
        loads: routed.loads.iter().map(load).collect(),
    }
}

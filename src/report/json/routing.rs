//! What routing a step found, as programs read it.

use serde::Serialize;

use super::super::number::exact;
use super::figures::Figures;
use crate::design::{CallReport, HotLink, LoadReport, RoutingReport};
use crate::quantity::Answer;

/// Whether the step time's bandwidth is there. `verified` is false where the step was not
/// routed, or where a link is slower than the step time takes it to be.
#[derive(Serialize)]
pub(super) struct Routing {
    #[serde(flatten)]
    figures: Figures,
    calls: Vec<Call>,
    loads: Vec<Load>,
}

#[derive(Serialize)]
struct Call {
    workload: Option<String>,
    communication: &'static str,
    kind: &'static str,
    messages: u64,
    forwarded_bytes: u128,
    granted_s: f64,
    oversubscription_seen: f64,
    sprayed: Hot,
    /// Nothing where there are too many messages to be put on single ways.
    adaptive: Option<Hot>,
    hashed: Option<Hot>,
}

#[derive(Serialize)]
struct Hot {
    time_s: f64,
    link: String,
}

#[derive(Serialize)]
struct Load {
    workload: Option<String>,
    class: &'static str,
    links: u64,
    link_gbit_per_s: f64,
    mean_bytes: u128,
    most_bytes: u128,
    link: String,
}

impl Routing {
    pub(super) fn new(report: &RoutingReport) -> Self {
        let answer = Answer { routing: Some(report), ..Answer::default() };
        let figures = Figures::of("routing", &answer);
        let (calls, loads) = match report {
            RoutingReport::Unverified(_) => (Vec::new(), Vec::new()),
            RoutingReport::Routed(routed) => (
                routed.calls.iter().map(Call::new).collect(),
                routed.loads.iter().map(Load::new).collect(),
            ),
        };
        Self { figures, calls, loads }
    }
}

impl Call {
    fn new(call: &CallReport) -> Self {
        Self {
            workload: named(&call.workload),
            communication: call.label,
            kind: call.kind.name(),
            messages: call.messages,
            forwarded_bytes: call.forwarded.count(),
            granted_s: exact(call.granted.get()),
            oversubscription_seen: exact(call.seen),
            sprayed: Hot::new(&call.sprayed),
            adaptive: call.adaptive.as_ref().map(Hot::new),
            hashed: call.hashed.as_ref().map(Hot::new),
        }
    }
}

impl Hot {
    fn new(hot: &HotLink) -> Self {
        Self { time_s: exact(hot.time.get()), link: hot.link.clone() }
    }
}

impl Load {
    fn new(load: &LoadReport) -> Self {
        Self {
            workload: named(&load.workload),
            class: load.class,
            links: load.links,
            link_gbit_per_s: exact(load.rate.as_gigabits()),
            mean_bytes: load.mean.count(),
            most_bytes: load.most.count(),
            link: load.link.clone(),
        }
    }
}

/// Whose something is, where there are several workloads.
fn named(workload: &str) -> Option<String> {
    (!workload.is_empty()).then(|| workload.to_owned())
}

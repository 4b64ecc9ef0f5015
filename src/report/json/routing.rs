//! What routing a step found, as programs read it.

use serde::Serialize;

use super::super::number::exact_number;
use super::figures::Figures;
use crate::design::{CallReport, HotLink, LoadReport, RoutingReport};
use crate::quantity::FigureSource;

/// Whether the step time's bandwidth is there. `verified` is false where the step was not
/// routed, or where a link is slower than the step time takes it to be.
#[derive(Serialize)]
pub(super) struct RoutingJson {
    #[serde(flatten)]
    figures: Figures,
    calls: Vec<RoutedCallJson>,
    loads: Vec<LinkLoadJson>,
}

#[derive(Serialize)]
struct RoutedCallJson {
    workload: Option<String>,
    communication: &'static str,
    kind: &'static str,
    messages: u64,
    forwarded_bytes: u128,
    granted_s: f64,
    oversubscription_seen: f64,
    sprayed: HotLinkJson,
    /// Nothing where there are too many messages to be put on single ways.
    adaptive: Option<HotLinkJson>,
    hashed: Option<HotLinkJson>,
}

#[derive(Serialize)]
struct HotLinkJson {
    time_s: f64,
    link: String,
}

#[derive(Serialize)]
struct LinkLoadJson {
    workload: Option<String>,
    class: &'static str,
    links: u64,
    link_gbit_per_s: f64,
    mean_bytes: u128,
    most_bytes: u128,
    link: String,
}

impl RoutingJson {
    pub(super) fn new(report: &RoutingReport) -> Self {
        let answer = FigureSource { routing: Some(report), ..FigureSource::default() };
        let figures = Figures::section_figures("routing", &answer);
        let (calls, loads) = match report {
            RoutingReport::Unverified(_) => (Vec::new(), Vec::new()),
            RoutingReport::Routed(routed) => (
                routed.calls.iter().map(RoutedCallJson::new).collect(),
                routed.loads.iter().map(LinkLoadJson::new).collect(),
            ),
        };
        Self { figures, calls, loads }
    }
}

impl RoutedCallJson {
    fn new(call: &CallReport) -> Self {
        Self {
            workload: workload_name(&call.workload),
            communication: call.label,
            kind: call.kind.name(),
            messages: call.messages,
            forwarded_bytes: call.forwarded.count(),
            granted_s: exact_number(call.granted.get()),
            oversubscription_seen: exact_number(call.seen),
            sprayed: HotLinkJson::new(&call.sprayed),
            adaptive: call.adaptive.as_ref().map(HotLinkJson::new),
            hashed: call.hashed.as_ref().map(HotLinkJson::new),
        }
    }
}

impl HotLinkJson {
    fn new(hot: &HotLink) -> Self {
        Self { time_s: exact_number(hot.time.get()), link: hot.link.clone() }
    }
}

impl LinkLoadJson {
    fn new(load: &LoadReport) -> Self {
        Self {
            workload: workload_name(&load.workload),
            class: load.class,
            links: load.links,
            link_gbit_per_s: exact_number(load.rate.as_gigabits()),
            mean_bytes: load.mean.count(),
            most_bytes: load.most.count(),
            link: load.link.clone(),
        }
    }
}

/// Whose something is, where there are several workloads.
fn workload_name(workload: &str) -> Option<String> {
    (!workload.is_empty()).then(|| workload.to_owned())
}

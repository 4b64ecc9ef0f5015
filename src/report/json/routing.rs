//! Routing, failures and `[robust]` as programs read them.

use serde::Serialize;

use super::common::Figures;
use crate::design::{
    CallReport, CarriedScenario, FailureReport, HotLink, LoadReport, Plan, Robustness,
    RoutingReport, SkippedScenario,
};
use crate::quantity::FigureSource;
use crate::reliability::FaultYear;
use crate::report::words::exact_number;

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

/// A year of failures with every kind of fault.
#[derive(Serialize)]
pub(super) struct FailuresJson {
    #[serde(flatten)]
    figures: Figures,
    faults: Vec<FaultJson>,
}

#[derive(Serialize)]
struct FaultJson {
    fault: String,
    pieces: u64,
    per_year: f64,
    network: bool,
    stops: bool,
    gpus: u64,
    pace_share: f64,
    response: &'static str,
    days_lost_per_year: f64,
}

impl FailuresJson {
    pub(super) fn new(plan: &Plan) -> Self {
        let FailureReport { year, .. } = &plan.failures;
        let answer = FigureSource { failures: Some(&plan.failures), ..FigureSource::default() };
        Self {
            figures: Figures::section_figures("failures", &answer),
            faults: year.faults.iter().map(FaultJson::new).collect(),
        }
    }
}

impl FaultJson {
    fn new(year: &FaultYear) -> Self {
        Self {
            fault: year.fault.part.clone(),
            pieces: year.fault.pieces,
            per_year: exact_number(year.fault.rate_of_any().events()),
            network: year.fault.network,
            stops: year.fault.stops,
            gpus: year.fault.gpus,
            pace_share: exact_number(year.fault.kept),
            response: year.response_text(),
            days_lost_per_year: exact_number(year.days_lost()),
        }
    }
}

/// Scenarios of `[robust]`, those that do not exist here, and what they take together.
#[derive(Serialize)]
pub(super) struct RobustJson {
    #[serde(flatten)]
    figures: Figures,
    scenarios: Vec<RobustScenarioJson>,
    left_out: Vec<Missing>,
}

/// `uplinks_share` is `null` where no number of uplinks will do; `not_routed` says why where it was not.
#[derive(Serialize)]
struct RobustScenarioJson {
    scenario: String,
    step_s: f64,
    slowdown: f64,
    longest_step_s: f64,
    holds: bool,
    uplinks_share: Option<f64>,
    routed: bool,
    not_routed: Option<String>,
}

#[derive(Serialize)]
struct Missing {
    scenario: String,
    reason: String,
}

impl RobustJson {
    pub(super) fn new(robustness: &Robustness) -> Self {
        let scenario = |carried_scenario: &CarriedScenario| RobustScenarioJson {
            scenario: carried_scenario.name.clone(),
            step_s: exact_number(carried_scenario.step.get()),
            slowdown: exact_number(carried_scenario.slowdown),
            longest_step_s: exact_number(carried_scenario.most.get()),
            holds: carried_scenario.is_step_short_enough(),
            uplinks_share: carried_scenario.uplinks.map(exact_number),
            routed: carried_scenario.not_routed.is_none(),
            not_routed: carried_scenario.not_routed.clone(),
        };
        let missing = |skipped_scenario: &SkippedScenario| Missing {
            scenario: skipped_scenario.name.clone(),
            reason: skipped_scenario.reason.clone(),
        };
        Self {
            figures: Figures::section_figures(
                "robust",
                &FigureSource { robust: Some(robustness), ..FigureSource::default() },
            ),
            scenarios: robustness.scenarios.iter().map(scenario).collect(),
            left_out: robustness.left_out.iter().map(missing).collect(),
        }
    }
}

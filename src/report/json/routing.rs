//! Routing, failures and `[robust]` as programs read them.

use super::common::section_figures;
use crate::design::{Plan, Robustness, RoutingReport};
use crate::quantity::FigureSource;
use crate::report::list::{
    CALL_COLUMNS, FAULT_COLUMNS, JsonObject, LINK_LOAD_COLUMNS, SCENARIO_COLUMNS, SKIPPED_COLUMNS,
    list_json,
};

/// Whether the step time's bandwidth is there. `verified` is false where the step was not
/// routed, or where a link is slower than the step time takes it to be.
pub(super) fn routing_json(report: &RoutingReport) -> JsonObject {
    let answer = FigureSource { routing: Some(report), ..FigureSource::default() };
    let (calls, loads) = match report {
        RoutingReport::Unverified(_) => (&[][..], &[][..]),
        RoutingReport::Routed(routed) => (&routed.calls[..], &routed.loads[..]),
    };
    section_figures("routing", &answer)
        .with("calls", list_json(CALL_COLUMNS, calls))
        .with("loads", list_json(LINK_LOAD_COLUMNS, loads))
}

/// A year of failures with every kind of fault.
pub(super) fn failures_json(plan: &Plan) -> JsonObject {
    let answer = FigureSource { failures: Some(&plan.failures), ..FigureSource::default() };
    section_figures("failures", &answer)
        .with("faults", list_json(FAULT_COLUMNS, &plan.failures.year.faults))
}

/// Scenarios of `[robust]`, those that do not exist here, and what they take together.
pub(super) fn robust_json(robustness: &Robustness) -> JsonObject {
    let answer = FigureSource { robust: Some(robustness), ..FigureSource::default() };
    section_figures("robust", &answer)
        .with("scenarios", list_json(SCENARIO_COLUMNS, &robustness.scenarios))
        .with("left_out", list_json(SKIPPED_COLUMNS, &robustness.left_out))
}

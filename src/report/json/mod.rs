//! Results for programs: the contract's keys, units in the keys, a version in `schema`. Adding a
//! key is free; renaming one needs a new version.
//!
//! Figures come from the table of figures, in its order; structs here mirror the rest of the contract
//! and nothing else. Numbers keep twelve digits.

mod assumption;
mod audit;
mod bill;
mod body;
mod calibrate;
mod clusters;
mod compare;
mod design;
mod difference;
mod digest;
mod domains;
mod exchange;
mod explain;
mod fabric;
mod failures;
mod figures;
mod frontier;
mod gate;
mod hb;
mod networks;
mod phase;
mod presets;
mod purchase;
mod refit;
mod robust;
mod routing;
mod search;
mod side_by_side;
mod step;
mod study;
mod sweep;
mod technique;
mod traffic;
mod validate;
mod workload;

pub(super) use audit::audit_json;
pub(super) use calibrate::calibration_json;
pub(super) use clusters::clusters_json;
pub(super) use compare::comparison_json;
pub(super) use design::design_json;
pub(super) use difference::difference_json;
pub(super) use domains::domain_sizes_json;
pub(super) use explain::explanations_json;
pub(super) use fabric::fabric_json;
pub(super) use frontier::{frontier_json, frontier_of_clusters};
pub(super) use gate::check_json;
pub(super) use hb::hb_domain;
pub(super) use presets::presets_json;
pub(super) use purchase::bill_json;
pub(super) use refit::refit_json;
pub(super) use search::layouts_json;
pub(super) use side_by_side::side_by_side;
pub(super) use step::step_json;
pub(super) use sweep::sweep_json;
pub(super) use technique::{technique_cases_json, technique_study_json};
pub(super) use traffic::traffic_json;
pub(super) use validate::validation_json;

use serde::Serialize;

/// Pretty JSON with a line break at its end.
pub(super) fn write(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value)
        .expect("plain structs with string keys always serialise");
    text.push('\n');
    text
}

//! Results for programs: the contract's keys, units in the keys, a version in `schema`. Adding a
//! key is free; renaming one needs a new version.
//!
//! Figures come from the table of figures, in its order; structs here mirror the rest of the
//! contract and nothing else. Numbers keep twelve digits.

mod bill;
mod check_and_sweep;
mod common;
mod compare;
mod design;
mod explain;
mod fabric;
mod plan;
mod routing;
mod step_and_search;
mod traffic;
mod validate;

pub(super) use bill::bill_json;
pub(super) use check_and_sweep::{check_json, sweep_json};
pub(super) use common::clusters_json;
pub(super) use compare::{
    comparison_json, side_by_side, technique_cases_json, technique_study_json,
};
pub(super) use design::{design_json, domain_sizes_json, frontier_json, frontier_of_clusters};
pub(super) use explain::{audit_json, explanations_json, presets_json};
pub(super) use fabric::{fabric_json, hb_domain};
pub(super) use step_and_search::{layouts_json, step_json};
pub(super) use traffic::{difference_json, traffic_json};
pub(super) use validate::{calibration_json, refit_json, validation_json};

use serde::Serialize;

/// Pretty JSON with a line break at its end.
pub(super) fn write(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value)
        .expect("plain structs with string keys always serialise");
    text.push('\n');
    text
}

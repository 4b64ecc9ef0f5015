//! Results for programs: the contract's keys, units in the keys, a version in `schema`. Adding a
//! key is free; renaming one needs a new version.
//!
//! Figures come from the table of figures, in its order, lists from their columns. Numbers keep
//! twelve digits.

mod commands;
mod common;
mod compare;
mod design;
mod plan;

pub(super) use commands::{
    audit_json, calibration_json, check_json, difference_json, explanations_json, layouts_json,
    network_calibration_json, presets_json, refit_json, step_json, sweep_json, traffic_json,
    validation_json,
};
pub(super) use common::{clusters_json, fabric_json, hb_domain};
pub(super) use compare::{
    comparison_json, side_by_side, technique_cases_json, technique_study_json,
};
pub(super) use design::{design_json, domain_sizes_json, frontier_json, frontier_of_clusters};
pub(super) use plan::bill_json;

use serde::Serialize;

use crate::units::parse::has_control_characters;

/// Pretty JSON with a line break at its end.
pub(super) fn write(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value)
        .expect("plain structs with string keys always serialise");
    text.push('\n');
    // As every output is cleaned, and so that a digest is one of what is written.
    text.replace(|c| c != '\n' && has_control_characters(c), "\u{fffd}")
}

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

pub(super) use audit::audit;
pub(super) use calibrate::calibration;
pub(super) use clusters::clusters;
pub(super) use compare::compare;
pub(super) use design::design;
pub(super) use difference::difference;
pub(super) use domains::domains;
pub(super) use explain::explain;
pub(super) use fabric::fabric;
pub(super) use frontier::{frontier, frontier_of_clusters};
pub(super) use gate::check;
pub(super) use hb::hb_domain;
pub(super) use presets::presets;
pub(super) use purchase::purchase;
pub(super) use refit::refit;
pub(super) use search::search;
pub(super) use side_by_side::side_by_side;
pub(super) use step::step;
pub(super) use sweep::sweep;
pub(super) use technique::{cases, techniques};
pub(super) use traffic::traffic;
pub(super) use validate::validation;

use serde::Serialize;

/// Pretty JSON with a line break at its end.
pub(super) fn write(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value)
        .expect("plain structs with string keys always serialise");
    text.push('\n');
    text
}

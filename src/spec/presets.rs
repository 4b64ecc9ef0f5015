//! What ships with the planner: models, parts, price books, ready specs.

use std::collections::BTreeMap;

use super::resolve;
use crate::hardware::{Node, Switch};
use crate::workload::Framework;

pub use super::library::{
    AuditDoubt, AuditFinding, PresetEntry, PresetKind, audit_presets, find_presets, list_presets,
    ready_spec,
};

/// The HB-domain products that ship, by name.
#[must_use]
pub fn preset_nodes() -> BTreeMap<String, Node> {
    resolve::shipped_nodes()
}

/// The switches that ship, by name.
#[must_use]
pub fn preset_switches() -> BTreeMap<String, Switch> {
    resolve::shipped_switches()
}

/// The training stacks that ship, by name.
#[must_use]
pub fn preset_frameworks() -> BTreeMap<String, Framework> {
    resolve::shipped_frameworks()
}

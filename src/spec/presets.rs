//! What ships with the planner: models, parts, price books, ready specs.

use std::collections::BTreeMap;

use super::resolve;
use crate::hardware::{Node, Switch};
use crate::workload::Framework;

pub use super::library::{
    AuditDoubt, AuditFinding, PresetEntry, PresetKind, audit, list, ready, show,
};

/// The HB-domain products that ship, by name.
#[must_use]
pub fn nodes() -> BTreeMap<String, Node> {
    resolve::nodes()
}

/// The switches that ship, by name.
#[must_use]
pub fn switches() -> BTreeMap<String, Switch> {
    resolve::switches()
}

/// The training stacks that ship, by name.
#[must_use]
pub fn frameworks() -> BTreeMap<String, Framework> {
    resolve::frameworks()
}

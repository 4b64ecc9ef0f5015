//! Figures and words that differ between two results. Knows no rule.

use std::collections::BTreeSet;

use super::judge::differs_by_more_than_rounding;
use super::snapshot::Snapshot;
use crate::quantity::figure_unit;
use crate::units::Unit;

/// A figure on both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Movement {
    /// Its key.
    pub key: String,
    /// Its unit.
    pub unit: Unit,
    /// Old value; `None` where that result has none.
    pub old: Option<f64>,
    /// New value; `None` likewise.
    pub new: Option<f64>,
}

/// A word on both sides, such as the kind of fabric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactChange {
    /// Its key.
    pub key: String,
    /// Old word; empty where there was none.
    pub old: String,
    /// New word; empty likewise.
    pub new: String,
}

impl Movement {
    /// By how much it changed, in its unit; `None` where a side has none.
    #[must_use]
    pub fn change(&self) -> Option<f64> {
        Some(self.new? - self.old?)
    }

    /// By which share of the old value it changed; `None` where a side has none or the old is 0.
    #[must_use]
    pub fn relative_change(&self) -> Option<f64> {
        let old = self.old.filter(|old| *old != 0.0)?;
        Some(self.change()? / old.abs())
    }
}

/// Every figure that differs by more than rounding, by key.
pub(super) fn figure_movements(old: &Snapshot, new: &Snapshot) -> Vec<Movement> {
    let keys: BTreeSet<&String> = old.figures.keys().chain(new.figures.keys()).collect();
    keys.into_iter()
        .map(|key| Movement {
            key: key.clone(),
            unit: figure_unit(key),
            old: old.figures.get(key).copied(),
            new: new.figures.get(key).copied(),
        })
        .filter(|movement| match (movement.old, movement.new) {
            (Some(old), Some(new)) => differs_by_more_than_rounding(old, new),
            _ => true,
        })
        .collect()
}

/// Every word that differs, by key.
pub(super) fn fact_changes(old: &Snapshot, new: &Snapshot) -> Vec<FactChange> {
    let keys: BTreeSet<&String> = old.words.keys().chain(new.words.keys()).collect();
    let word =
        |snapshot: &Snapshot, key: &str| snapshot.words.get(key).cloned().unwrap_or_default();
    keys.into_iter()
        .map(|key| FactChange { key: key.clone(), old: word(old, key), new: word(new, key) })
        .filter(|change| change.old != change.new)
        .collect()
}

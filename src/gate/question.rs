//! What a change asks otherwise than the result that it is held against: another model, fewer
//! tokens, prices of its own. Judges nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{
    QuestionChange, is_at_or_below, keys_that_differ, parts_differ, price_changes,
};
use super::snapshot::Snapshot;

/// Keys that name a part or a model.
const NAMES: [&str; 4] = ["cluster.node", "cluster.nic", "model.preset", "framework.preset"];

/// Tables that ask nothing, or are looked at apart.
const APART: [&str; 5] = ["gate", "hardware", "name", "prices", "pricing"];

/// Everything that the new spec asks otherwise. A key that is only written in another way, or whose
/// default is now stated, asks nothing else; nor does a default that an update of planner changed.
pub(super) fn question_changes(old: &Snapshot, new: &Snapshot) -> Vec<QuestionChange> {
    let (Some(before), Some(after)) = (&old.provenance, &new.provenance) else {
        return Vec::new();
    };
    let is_same = before.question == after.question;
    let tables = if is_same { Vec::new() } else { keys_that_differ(before, after) };
    let mut found = BTreeSet::new();
    if before.stated.is_some() && after.stated.is_some() {
        found.extend(tables.iter().flat_map(|table| stated_changes(old, new, table)));
        if found.is_empty() && !is_same {
            let asks = |key: &str| !APART.contains(&key.split('.').next().unwrap_or_default());
            found.extend(changed_keys(old, new, asks));
        }
    } else {
        let changed = |key: String| QuestionChange { key, old: None, new: None };
        found.extend(tables.into_iter().map(changed));
        if found.is_empty() && !is_same {
            found.insert(changed("the spec".to_owned()));
        }
    }
    // What is known of parts, and prices: others also after an update of planner, and then no
    // spec states them otherwise.
    let other_rates = before.exchange != after.exchange;
    if other_rates || !price_changes(before, after, old, new).is_empty() {
        let tables = ["hardware", "prices", "pricing", "cluster.prices"];
        found.extend(tables.iter().flat_map(|table| stated_changes(old, new, table)));
    } else if parts_differ(before, after) {
        found.extend(stated_changes(old, new, "hardware"));
    }
    // A name can be made that has the stand-in of another.
    let names = NAMES.iter().flat_map(|name| stated_changes(old, new, name));
    found.extend(names.filter(QuestionChange::names_another));
    found.into_iter().collect()
}

/// A key of `[[workload]]` as it would stand at the top; any other key as it is.
fn key_in_workload(key: &str) -> &str {
    match key.split_once("].") {
        Some((list, inner)) if list.starts_with("workload[") => inner,
        _ => key,
    }
}

/// Stated keys of a table that are others: in it, or the table around it where that is empty.
fn stated_changes(old: &Snapshot, new: &Snapshot, table: &str) -> Vec<QuestionChange> {
    changed_keys(old, new, |key| {
        [key, key_in_workload(key)].iter().any(|key| is_at_or_below(key, table))
            || is_at_or_below(table, key)
    })
}

/// Stated keys that are others, of those that are asked for.
fn changed_keys(
    old: &Snapshot,
    new: &Snapshot,
    is_asked: impl Fn(&str) -> bool,
) -> Vec<QuestionChange> {
    let stated =
        |side: &Snapshot, key: &str| side.provenance.as_ref()?.stated.as_ref()?.get(key).cloned();
    let provenances = [old, new].into_iter().filter_map(|side| side.provenance.as_ref());
    let keys: BTreeSet<&String> = provenances
        .filter_map(|provenance| provenance.stated.as_ref())
        .flat_map(BTreeMap::keys)
        .filter(|key| is_asked(key))
        .collect();
    keys.into_iter()
        .map(|key| QuestionChange {
            key: key.clone(),
            old: stated(old, key),
            new: stated(new, key),
        })
        .filter(|change| change.old != change.new)
        .collect()
}

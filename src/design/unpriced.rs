//! Candidates with parts that no book prices: beside those that have prices they would look free.

use super::candidates::Candidate;
use super::machine::{Machine, machines};
use super::offer::has_optic_price;
use crate::cost::{nic_price, node_price};
use crate::scenario::{Minimize, Scenario};

/// Leaves out the candidates that have no price where another one has; where money counts.
pub(super) fn without_unpriced(scenario: &Scenario, all: &mut Vec<Candidate<'_>>) {
    let priced = |of: &Candidate<'_>| missing(scenario, of.job.machine, of.planes).is_none();
    if scenario.objective.minimize != Minimize::Power && all.iter().any(priced) {
        all.retain(priced);
    }
}

/// What was left out, in words: parts without a price.
pub(super) fn left_out(scenario: &Scenario) -> Vec<String> {
    let cluster = &scenario.cluster;
    let choices = machines(cluster).into_iter().flat_map(|machine| {
        machine.planes(cluster).into_iter().map(move |planes| (machine, planes))
    });
    let each: Vec<Option<String>> =
        choices.map(|(machine, planes)| missing(scenario, machine, planes)).collect();
    if scenario.objective.minimize == Minimize::Power || each.iter().all(Option::is_some) {
        return Vec::new();
    }
    let mut names: Vec<String> = each.into_iter().flatten().collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// A part of a candidate that no book prices.
fn missing(scenario: &Scenario, machine: Machine<'_>, planes: u32) -> Option<String> {
    let book = &scenario.prices;
    let link = machine.link(planes);
    if node_price(book, machine.node).is_none() {
        return Some(format!("`{}`", machine.node.name));
    }
    if nic_price(book, machine.nic).is_none() {
        return Some(format!("`{}`", machine.nic.name));
    }
    let optic = format!("transceivers of {} Gb/s", link.as_gigabits());
    (!has_optic_price(scenario, link)).then_some(optic)
}

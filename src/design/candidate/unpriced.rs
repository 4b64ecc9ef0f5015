//! Candidates with parts that no book prices: beside those that have prices they would look free.

use super::machine::{Machine, machines};
use crate::cost::{nic_price, node_price, optic_price};
use crate::scenario::{Minimize, Scenario};
use crate::units::Bandwidth;

/// Leaves out the candidates that have no price where another one has; where money counts.
pub(super) fn without_unpriced<'a, T>(
    scenario: &Scenario,
    all: &mut Vec<T>,
    machine_and_planes: impl Fn(&T) -> (Machine<'a>, u32),
) {
    let priced = |of: &T| {
        let (machine, planes) = machine_and_planes(of);
        missing(scenario, machine, planes).is_none()
    };
    if scenario.objective.minimize != Minimize::Power && all.iter().any(priced) {
        all.retain(priced);
    }
}

/// What was left out, in words: parts without a price.
pub(crate) fn left_out(scenario: &Scenario) -> Vec<String> {
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

/// True where a book prices transceivers of that rate.
pub(crate) fn has_optic_price(scenario: &Scenario, link: Bandwidth) -> bool {
    optic_price(&scenario.prices, scenario.catalogue.optic(link), link).is_some()
}

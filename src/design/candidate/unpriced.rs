//! Candidates with parts that no book prices: beside those that have prices they would look free.

use super::linking::{LinkPurchase, allowed_protocols, switches_on_offer};
use super::machine::{Machine, list_machines};
use crate::cost::{built_in_nic_price, node_price, optic_price, part_price};
use crate::hardware::Protocol;
use crate::scenario::{Minimize, Scenario};
use crate::units::Bandwidth;

/// Leaves out the candidates that have no price where another one has; where money counts.
pub(crate) fn drop_unpriced<'a, T>(
    scenario: &Scenario,
    all: &mut Vec<T>,
    machine_and_network: impl Fn(&T) -> (Machine<'a>, u32, Protocol),
) {
    let priced = |item: &T| {
        let (machine, planes, protocol) = machine_and_network(item);
        unpriced_part(scenario, machine, planes, protocol).is_none()
    };
    if scenario.objective.minimize != Minimize::Power && all.iter().any(priced) {
        all.retain(priced);
    }
}

/// The machines that have a price in some planes, with all that joins them: [others](drop_unpriced) are
/// left out beside them. All, where none has one or money does not count.
pub(super) fn priced_machines<'a>(scenario: &Scenario, all: &[Machine<'a>]) -> Vec<Machine<'a>> {
    let protocols = allowed_protocols(scenario);
    let is_priced = |machine: &Machine<'_>| {
        machine.plane_options(&scenario.cluster).into_iter().any(|planes| {
            protocols.iter().any(|protocol| {
                LinkPurchase::for_machine(scenario, *machine, planes, *protocol)
                    != LinkPurchase::Apart
                    && unpriced_part(scenario, *machine, planes, *protocol).is_none()
            })
        })
    };
    let priced: Vec<Machine<'a>> = match scenario.objective.minimize {
        Minimize::Power => Vec::new(),
        Minimize::Capex | Minimize::Tco | Minimize::UsdPerToken => {
            all.iter().copied().filter(is_priced).collect()
        }
    };
    if priced.is_empty() { all.to_vec() } else { priced }
}

/// What was left out, in words: parts without a price.
pub(crate) fn unpriced_notes(scenario: &Scenario) -> Vec<String> {
    let cluster = &scenario.cluster;
    let choices = list_machines(cluster).into_iter().flat_map(|machine| {
        machine.plane_options(cluster).into_iter().map(move |planes| (machine, planes))
    });
    let choices = choices.flat_map(|(machine, planes)| {
        Protocol::ALL.into_iter().map(move |protocol| (machine, planes, protocol))
    });
    let can_be = |pair: &(Machine<'_>, u32, Protocol)| {
        let (machine, planes, protocol) = *pair;
        switches_on_offer(scenario, protocol, machine.link_rate(planes)).next().is_some()
            && LinkPurchase::for_machine(scenario, machine, planes, protocol) != LinkPurchase::Apart
    };
    let each: Vec<Option<String>> = choices
        .filter(can_be)
        .map(|(machine, planes, protocol)| unpriced_part(scenario, machine, planes, protocol))
        .collect();
    if scenario.objective.minimize == Minimize::Power || each.iter().all(Option::is_some) {
        return Vec::new();
    }
    let mut names: Vec<String> = each.into_iter().flatten().collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// A part of a candidate that no book prices.
fn unpriced_part(
    scenario: &Scenario,
    machine: Machine<'_>,
    planes: u32,
    protocol: Protocol,
) -> Option<String> {
    let book = &scenario.prices;
    let link = machine.link_rate(planes);
    if node_price(book, machine.node).is_none() {
        return Some(format!("`{}`", machine.node.name));
    }
    if built_in_nic_price(book, machine.node, machine.nic).is_none() {
        return Some(format!("`{}`", machine.nic.name));
    }
    if let LinkPurchase::Parts(parts, _) =
        LinkPurchase::for_machine(scenario, machine, planes, protocol)
    {
        let catalogue = &scenario.catalogue;
        let parts = parts.all_link_parts(catalogue);
        let without = parts.iter().find(|part| part_price(book, part.name).is_none());
        return without.map(|part| format!("`{}`", part.name));
    }
    let optic = format!("transceivers of {} Gb/s", link.as_gigabits());
    (!has_optic_price(scenario, link)).then_some(optic)
}

/// True where a book prices transceivers of that rate.
fn has_optic_price(scenario: &Scenario, link: Bandwidth) -> bool {
    optic_price(&scenario.prices, scenario.catalogue.find_optic(link), link).is_some()
}

//! What links are bought as; candidates with unpriced parts.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::cost::{
    LinkDemand, LinkEndParts, LinkParts, built_in_nic_price, cheapest_link_with_cable, node_price,
    optic_price, part_price,
};
use crate::design::job::infeasible_details::FreeEnd;
use crate::design::job::machine::{Machine, list_machines};
use crate::hardware::{Cage, LinkKind, LinkPricing, Protocol, Switch};
use crate::scenario::{Minimize, Scenario, Stretch};
use crate::units::Bandwidth;

/// Ports that a link between switches may take at either end.
const WIDTHS: [u32; 3] = [1, 2, 4];

/// What speaks for a way to join switches: all of its parts have a price, narrow links, many
/// models.
type LinkPreference = (bool, Reverse<u32>, usize);

/// What links are bought as.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LinkPurchase<'a> {
    /// One transceiver at each end, priced by the rate, as published comparisons count: where a
    /// part states no cage, or the book prices ends alone.
    ByEnd,
    /// Modules and cables, on switches with such a cage.
    Parts(LinkParts<'a>, Cage),
    /// Nothing joins the interface to any of the switches.
    Apart,
}

impl<'a> LinkPurchase<'a> {
    /// Of a machine in so many planes, on switches that speak a protocol.
    ///
    /// Where switches of several cages could be joined, those of one are taken: the one of which
    /// every part has a price, then the one that most models have, then the first. Switches are
    /// joined at the rate of a host link where that is sold at a price, else at the least multiple
    /// that is: a wider link costs what so many narrow ones do, and leaves fewer of them to divide
    /// over spines.
    pub(crate) fn for_machine(
        scenario: &'a Scenario,
        machine: Machine<'_>,
        planes: u32,
        protocol: Protocol,
    ) -> Self {
        let link = machine.link_rate(planes);
        if scenario.cluster.links == LinkPricing::ByEnd {
            return Self::ByEnd;
        }
        if scenario.prices.by_end.contains(&(link.as_gigabits().round() as u32)) {
            return Self::ByEnd;
        }
        let Some(nic) = machine.link_cage(planes) else { return Self::ByEnd };
        if !machine.nic.has_ports_for(planes, protocol) {
            return Self::Apart;
        }
        let models: Vec<&Switch> = switches_on_offer(scenario, protocol, link).collect();
        if models.is_empty() || models.iter().any(|switch| switch.cage.is_none()) {
            return Self::ByEnd;
        }
        let lengths = scenario.link_lengths();
        let (catalogue, prices) = (&scenario.catalogue, &scenario.prices);
        let mut found: Vec<(LinkPreference, LinkParts<'a>, Cage)> = Vec::new();
        for (width, cage) in
            WIDTHS.into_iter().flat_map(|count| Cage::ALL.map(|cage| (count, cage)))
        {
            let uplink = link * f64::from(width);
            let fits = |switch: &&&Switch| switch.cage == Some(cage) && switch.radix(uplink) > 1;
            let alike = models.iter().filter(fits).count();
            let of_machine = machine.node.nics * planes;
            let ends = LinkEndParts {
                rate: link,
                width,
                nic,
                switch: cage,
                of_machine,
                lengths: &lengths,
            };
            if alike > 0
                && let Some(parts) = LinkParts::cheapest_link_parts(catalogue, prices, &ends)
            {
                let rank = (parts.is_priced(catalogue, prices), Reverse(width), alike);
                found.push((rank, parts, cage));
            }
        }
        let best =
            found.into_iter().reduce(|best, other| if other.0 > best.0 { other } else { best });
        match best {
            None => Self::Apart,
            Some(((false, ..), ..)) if prices_ends_alone(scenario, link) => Self::ByEnd,
            Some((_, parts, cage)) => Self::Parts(parts, cage),
        }
    }

    /// Whether a switch can be on such links.
    pub(crate) fn accepts_switch(&self, switch: &Switch) -> bool {
        match self {
            Self::ByEnd => true,
            Self::Parts(_, cage) => switch.cage == Some(*cage),
            Self::Apart => false,
        }
    }
}

/// The end that keeps a machine from any network of such switches: that of its interface, or, where
/// switches can be reached, that between these.
pub(in crate::design) fn free_end(
    scenario: &Scenario,
    machine: Machine<'_>,
    planes: u32,
    protocol: Protocol,
) -> FreeEnd {
    let link = machine.link_rate(planes);
    if !machine.nic.has_ports_for(planes, protocol) {
        return FreeEnd::Port;
    }
    let lengths = scenario.link_lengths();
    let longest =
        |stretches: &[Stretch]| stretches.iter().map(|stretch| stretch.reach_m).max().unwrap_or(0);
    let cages = switches_on_offer(scenario, protocol, link).filter_map(|switch| switch.cage);
    let cages: BTreeSet<Cage> = cages.collect();
    let Some(nic) = machine.link_cage(planes) else { return FreeEnd::Port };
    let joins = |near: Cage, reach_m: u32| {
        let demand = LinkDemand { rate: link, near, far: nic, reach_m, cable_m: reach_m };
        cheapest_link_with_cable(&scenario.catalogue, &scenario.prices, demand).is_some()
    };
    let (host_m, uplink_m) = (longest(&lengths.host), longest(&lengths.uplink));
    let (reached, apart): (Vec<Cage>, Vec<Cage>) =
        cages.into_iter().partition(|cage| joins(*cage, host_m));
    if let Some(cage) = reached.first() {
        return FreeEnd::Switches { cage: cage.name(), metres: uplink_m };
    }
    match apart.iter().find(|cage| joins(**cage, 1)) {
        Some(cage) => FreeEnd::Far { cage: cage.name(), metres: host_m },
        None => FreeEnd::Cages { cages: apart.iter().map(|cage| cage.name()).collect() },
    }
}

/// True where a book prices ends of that rate, and no module of any link.
fn prices_ends_alone(scenario: &Scenario, link: Bandwidth) -> bool {
    let mut kinds = scenario.catalogue.links.iter();
    let modules = |kind: &LinkKind| [kind.near_module.clone(), kind.far_module.clone()];
    let priced = |name: String| part_price(&scenario.prices, &name).is_some();
    optic_price(&scenario.prices, None, link).is_some()
        && !kinds.any(|kind| modules(kind).into_iter().flatten().any(priced))
}

/// The models that may be chosen, whatever their ports.
pub(crate) fn allowed_switches(scenario: &Scenario) -> impl Iterator<Item = &Switch> {
    let chosen = &scenario.cluster.switches;
    let sums = scenario.sums_in_switches();
    let all = scenario.catalogue.switches.iter();
    let priced = |switch: &Switch| part_price(&scenario.prices, &switch.name).is_some();
    let open = move |switch: &Switch| chosen.is_empty() && (!switch.quote_only || priced(switch));
    all.filter(move |switch| open(switch) || chosen.contains(&switch.name))
        .filter(move |switch| switch.reduces || !sums)
}

/// What the switches that may be chosen speak; a fabric speaks one protocol.
pub(crate) fn allowed_protocols(scenario: &Scenario) -> Vec<Protocol> {
    let spoken =
        |protocol: &Protocol| allowed_switches(scenario).any(|switch| switch.protocol == *protocol);
    Protocol::ALL.into_iter().filter(spoken).collect()
}

/// The models that may be chosen, speak the protocol and have ports of that rate.
pub(crate) fn switches_on_offer(
    scenario: &Scenario,
    protocol: Protocol,
    link: Bandwidth,
) -> impl Iterator<Item = &Switch> {
    allowed_switches(scenario)
        .filter(move |switch| switch.protocol == protocol && switch.radix(link) > 1)
}

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

/// The machines that have a price in some planes, with all that joins them: [others](drop_unpriced)
/// are left out beside them. All, where none has one or money does not count.
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
    let optic = format!("optics of {} Gb/s", link.as_gigabits());
    (!has_optic_price(scenario, link)).then_some(optic)
}

/// True where a book prices transceivers of that rate.
fn has_optic_price(scenario: &Scenario, link: Bandwidth) -> bool {
    optic_price(&scenario.prices, scenario.catalogue.find_optic(link), link).is_some()
}

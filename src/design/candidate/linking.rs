//! What the links of a candidate are bought as, by the cages of its interfaces and switches. Counts
//! none.

use super::machine::Machine;
use crate::cost::{Between, LinkParts, optic_price};
use crate::hardware::{Cage, LinkPricing, Protocol, Switch};
use crate::scenario::Scenario;
use crate::units::Bandwidth;

/// What links are bought as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Linking<'a> {
    /// One transceiver at each end, priced by the rate, as published comparisons count: where a part
    /// states no cage, or the book prices ends alone.
    ByEnd,
    /// Modules and cables, on switches with such a cage.
    Parts(LinkParts<'a>, Cage),
    /// Nothing joins the interface to any of the switches.
    Apart,
}

impl<'a> Linking<'a> {
    /// Of a machine in so many planes, on switches that speak a protocol.
    ///
    /// Where switches of several cages could be joined, those of one are taken: the one of which every
    /// part has a price, then the one that most models have, then the first.
    pub(crate) fn of(
        scenario: &'a Scenario,
        machine: Machine<'_>,
        planes: u32,
        protocol: Protocol,
    ) -> Self {
        let link = machine.link(planes);
        if scenario.cluster.links == LinkPricing::ByEnd {
            return Self::ByEnd;
        }
        if scenario.prices.by_end.contains(&(link.as_gigabits().round() as u32)) {
            return Self::ByEnd;
        }
        let Some(nic) = machine.cage(planes) else { return Self::ByEnd };
        let models: Vec<&Switch> = on_offer(scenario, protocol, link).collect();
        if models.is_empty() || models.iter().any(|switch| switch.cage.is_none()) {
            return Self::ByEnd;
        }
        let mut found: Vec<(bool, usize, LinkParts<'a>, Cage)> = Vec::new();
        for cage in Cage::ALL {
            let alike = models.iter().filter(|switch| switch.cage == Some(cage)).count();
            let ends = Between {
                rate: link,
                nic,
                switch: cage,
                host_m: scenario.cluster.host_cable_m,
                uplink_m: scenario.cluster.uplink_cable_m,
            };
            let (catalogue, prices) = (&scenario.catalogue, &scenario.prices);
            if alike > 0
                && let Some(parts) = LinkParts::of(catalogue, prices, &ends)
            {
                found.push((parts.is_priced(catalogue, prices), alike, parts, cage));
            }
        }
        let best = found
            .into_iter()
            .reduce(|best, other| if (other.0, other.1) > (best.0, best.1) { other } else { best });
        match best {
            None => Self::Apart,
            Some((false, ..)) if optic_price(&scenario.prices, None, link).is_some() => Self::ByEnd,
            Some((_, _, parts, cage)) => Self::Parts(parts, cage),
        }
    }

    /// Whether a switch can be on such links.
    pub(crate) fn takes(&self, switch: &Switch) -> bool {
        match self {
            Self::ByEnd => true,
            Self::Parts(_, cage) => switch.cage == Some(*cage),
            Self::Apart => false,
        }
    }
}

/// The models that may be chosen, whatever their ports.
pub(crate) fn allowed(scenario: &Scenario) -> impl Iterator<Item = &Switch> {
    let chosen = &scenario.cluster.switches;
    let sums = scenario.sums_in_switches();
    let all = scenario.catalogue.switches.iter();
    all.filter(move |switch| chosen.is_empty() || chosen.contains(&switch.name))
        .filter(move |switch| switch.reduces || !sums)
}

/// The models that may be chosen, speak the protocol and have ports of that rate.
pub(crate) fn on_offer(
    scenario: &Scenario,
    protocol: Protocol,
    link: Bandwidth,
) -> impl Iterator<Item = &Switch> {
    allowed(scenario).filter(move |switch| switch.protocol == protocol && switch.radix(link) > 1)
}

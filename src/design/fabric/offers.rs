//! What can be bought for a candidate: the switch models and transceivers of its link rate, as
//! the integer program wants them.

use super::terms::Terms;
use crate::cost::{optic_price, switch_price};
use crate::hardware::{Optic, Switch};
use crate::scenario::{Limits, Scenario};
use crate::sizing::{Ends, Offer};
use crate::units::{Bandwidth, Usd, Watts};

/// Parts of one link rate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parts<'a> {
    pub(crate) link: Bandwidth,
    /// Switch models in the order of the catalogue; the program counts them in this order.
    pub(super) switches: Vec<&'a Switch>,
    pub(crate) offers: Vec<Offer>,
    /// Transceiver; `None` where the catalogue has none of that rate.
    pub(crate) optic: Option<&'a Optic>,
    pub(crate) ends: Ends,
    /// Parts are kept for other stages, so that none is ruled out by its price.
    pub(super) keeps: bool,
    /// Switches of each model that one rack holds, every port lit; empty where racks are not
    /// limited.
    pub(crate) per_rack: Vec<u64>,
}

impl Parts<'_> {
    /// True where nothing is owned or kept and everything can be had in any number: then the price of
    /// a build is all that speaks for or against it.
    pub(super) fn all_bought(&self) -> bool {
        !self.keeps
            && self.ends.stock == 0
            && self.offers.iter().all(|offer| offer.stock == 0 && offer.supply.is_none())
    }
}

/// The parts that a link of that rate may use. A model that no book prices is left out where
/// another has a price: it would look free. Models in stock stay, as they cost nothing.
pub(super) fn parts<'a>(scenario: &'a Scenario, link: Bandwidth, terms: &Terms<'_>) -> Parts<'a> {
    let Terms { protocol, limits, keeps, .. } = *terms;
    let chosen = &scenario.cluster.switches;
    let sums = scenario.sums_in_switches();
    let allowed: Vec<&Switch> = scenario
        .catalogue
        .switches
        .iter()
        .filter(|switch| chosen.is_empty() || chosen.contains(&switch.name))
        .filter(|switch| switch.reduces || !sums)
        .collect();
    let priced = |switch: &Switch| switch_price(&scenario.prices, switch).is_some();
    let any_priced = allowed.iter().any(|switch| priced(switch));
    let owned = |name: &str| scenario.inventory.get(name).copied().unwrap_or(0);
    let switches: Vec<&Switch> = allowed
        .into_iter()
        .filter(|switch| switch.protocol == protocol && switch.radix(link) > 1)
        .filter(|switch| !any_priced || priced(switch) || owned(&switch.name) > 0)
        .collect();
    let offers: Vec<Offer> = switches
        .iter()
        .map(|switch| {
            let price = switch_price(&scenario.prices, switch);
            let supply = limits.supply.get(&switch.name).copied();
            Offer {
                name: switch.name.clone(),
                power: switch.power,
                stock: owned(&switch.name),
                // What is only in stock can't be bought where nobody says at what price.
                supply: if any_priced && price.is_none() { Some(0) } else { supply },
                price: price.map_or(Usd::ZERO, |price| price.amount),
            }
        })
        .collect();
    let optic = scenario.catalogue.optic(link);
    let price = optic_price(&scenario.prices, optic, link);
    let ends = Ends {
        price: price.map_or(Usd::ZERO, |price| price.amount),
        power: optic.map_or(Watts::ZERO, |optic| optic.power),
        stock: optic.map_or(0, |optic| owned(&optic.name)),
    };
    let fit = |switch: &Switch| racked(switch, link, ends.power, limits);
    let (switches, offers): (Vec<&Switch>, Vec<Offer>) = switches
        .into_iter()
        .zip(offers)
        .filter(|(switch, _)| !limits.bound_racks() || fit(switch) > 0)
        .unzip();
    let (switches, offers) = match keeps {
        true => (switches, offers),
        false => useful(switches, offers, link, &fit),
    };
    let all = switches.iter().map(|switch| fit(switch));
    let per_rack = if limits.bound_racks() { all.collect() } else { Vec::new() };
    Parts { link, switches, offers, optic, ends, keeps, per_rack }
}

/// Switches of a model that one rack holds with every port lit; 0 where nobody says how high it is.
pub(super) fn racked(switch: &Switch, link: Bandwidth, end: Watts, limits: &Limits) -> u64 {
    let lit = switch.power + end * f64::from(switch.radix(link));
    switch.rack_units.map_or(0, |units| limits.rack.holds(units, lit))
}

/// Leaves out every model that another one replaces in any build: no fewer ports, no dearer, no
/// thirstier, to be had in any number, while none of the first is owned. Of equal models the
/// first stays.
fn useful<'a>(
    switches: Vec<&'a Switch>,
    offers: Vec<Offer>,
    link: Bandwidth,
    fit: &impl Fn(&Switch) -> u64,
) -> (Vec<&'a Switch>, Vec<Offer>) {
    let replaces = |b: usize, a: usize| {
        let (one, other) = (&offers[b], &offers[a]);
        let ports = switches[b].radix(link).cmp(&switches[a].radix(link));
        let price = other.price.total_cmp(&one.price);
        let power = other.power.total_cmp(&one.power);
        let fits = fit(switches[b]) >= fit(switches[a]);
        let no_worse = ports.is_ge() && price.is_ge() && power.is_ge() && fits;
        let better = ports.is_gt() || price.is_gt() || power.is_gt() || b < a;
        one.supply.is_none() && other.stock == 0 && no_worse && better
    };
    let count = offers.len();
    let kept: Vec<bool> =
        (0..count).map(|a| !(0..count).any(|b| b != a && replaces(b, a))).collect();
    let pairs = switches.iter().zip(&offers).zip(&kept).filter(|(_, kept)| **kept);
    pairs.map(|((switch, offer), _)| (*switch, offer.clone())).unzip()
}

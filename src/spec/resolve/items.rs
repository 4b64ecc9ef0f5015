//! What has a price: parts of the catalogue by name, and ports, transceivers and interfaces by a
//! line rate that a part has. A price of anything else would be taken by nothing, so it is refused.

use std::collections::BTreeSet;

use super::context::Context;
use super::shelf::Shelf;
use crate::hardware::PricedItem;
use crate::spec::book::BookEntry;

/// Items that have a name of their own.
pub(super) const NAMED: [(&str, PricedItem); 4] = [
    ("host-memory", PricedItem::HostMemory),
    ("electricity", PricedItem::Electricity),
    ("labour", PricedItem::Labour),
    ("link-cable", PricedItem::LinkCable),
];

/// What `[prices]` and `[pricing]` call an item: a part, or `switch-port-400g` and the like.
pub(super) fn own_item(shelf: &Shelf, name: &str) -> Option<PricedItem> {
    if let Some((_, item)) = NAMED.into_iter().find(|(known, _)| *known == name) {
        return Some(item);
    }
    let part = PricedItem::Part(name.to_owned());
    if can_be_priced(shelf, &part) {
        return Some(part);
    }
    let (kind, rate) = name.rsplit_once('-')?;
    let digits = rate.strip_suffix('g')?;
    // One name for each rate: `0400` would be a second one, and could state a second price.
    let rate = digits.parse().ok().filter(|rate: &u32| rate.to_string() == digits)?;
    let item = match kind {
        "switch-port" => PricedItem::SwitchPort(rate),
        "transceiver" => PricedItem::Transceiver(rate),
        "nic" => PricedItem::Nic(rate),
        _ => return None,
    };
    can_be_priced(shelf, &item).then_some(item)
}

/// Every name that [`own_item`] knows.
pub(super) fn priced_item_names(shelf: &Shelf) -> Vec<String> {
    let parts =
        shelf.purchasable_drawers().into_iter().flat_map(|drawer| drawer.item_names().cloned());
    let rated = |kind: &'static str, rates: BTreeSet<u32>| {
        rates.into_iter().map(move |rate| format!("{kind}-{rate}g"))
    };
    let by_rate = rated("switch-port", switch_port_rates(shelf))
        .chain(rated("transceiver", link_rates(shelf)))
        .chain(rated("nic", nic_rates(shelf)));
    parts.chain(NAMED.map(|(name, _)| name.to_owned())).chain(by_rate).collect()
}

/// Refuses the entries of a book that price what no part is.
pub(super) fn known_items(context: &mut Context<'_>, shelf: &Shelf, entries: &[BookEntry]) {
    for entry in entries.iter().filter(|entry| !can_be_priced(shelf, &entry.item)) {
        match &entry.item {
            PricedItem::Part(name) => {
                let parts = shelf
                    .purchasable_drawers()
                    .into_iter()
                    .flat_map(|drawer| drawer.item_names().cloned());
                let kinds = ["switch-port", "transceiver", "nic"].map(str::to_owned);
                let known = parts.chain(NAMED.map(|(name, _)| name.to_owned())).chain(kinds);
                context.report_unknown_name(
                    "price.item".to_owned(),
                    entry.name,
                    "part",
                    name,
                    known,
                );
            }
            PricedItem::SwitchPort(rate)
            | PricedItem::Transceiver(rate)
            | PricedItem::Nic(rate) => {
                let known = item_line_rates(shelf, &entry.item)
                    .into_iter()
                    .map(|rate| format!("{rate} Gb/s"));
                let (path, name) = ("price.rate".to_owned(), format!("{rate} Gb/s"));
                context.report_unknown_name(path, entry.rate, "line rate", &name, known);
            }
            PricedItem::HostMemory
            | PricedItem::Electricity
            | PricedItem::Labour
            | PricedItem::LinkCable => {}
        }
    }
}

/// Whether anything can have that price.
fn can_be_priced(shelf: &Shelf, item: &PricedItem) -> bool {
    match item {
        PricedItem::Part(name) => {
            shelf.find_domain(name).is_some()
                || shelf.purchasable_drawers().iter().any(|drawer| drawer.has_part(name))
        }
        PricedItem::SwitchPort(rate) | PricedItem::Transceiver(rate) | PricedItem::Nic(rate) => {
            item_line_rates(shelf, item).contains(rate)
        }
        PricedItem::HostMemory
        | PricedItem::Electricity
        | PricedItem::Labour
        | PricedItem::LinkCable => true,
    }
}

/// Line rates of what an item prices by the rate, in Gb/s.
fn item_line_rates(shelf: &Shelf, item: &PricedItem) -> BTreeSet<u32> {
    match item {
        PricedItem::SwitchPort(_) => switch_port_rates(shelf),
        PricedItem::Transceiver(_) => link_rates(shelf),
        PricedItem::Nic(_) => nic_rates(shelf),
        PricedItem::Part(_)
        | PricedItem::HostMemory
        | PricedItem::Electricity
        | PricedItem::Labour
        | PricedItem::LinkCable => BTreeSet::new(),
    }
}

/// Rates of whole ports of switches.
fn switch_port_rates(shelf: &Shelf) -> BTreeSet<u32> {
    shelf.switches.line_rates("port_speed", None)
}

/// Rates of whole interfaces.
fn nic_rates(shelf: &Shelf) -> BTreeSet<u32> {
    shelf.nics.line_rates("bandwidth", None)
}

/// Rates of links: of optics, and of what ports and interfaces can be split into.
fn link_rates(shelf: &Shelf) -> BTreeSet<u32> {
    let mut rates = shelf.optics.line_rates("bandwidth", None);
    rates.extend(shelf.switches.line_rates("port_speed", Some("max_split")));
    rates.extend(shelf.nics.line_rates("bandwidth", Some("max_planes")));
    rates
}

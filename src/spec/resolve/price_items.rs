//! What has a price, what is in that of a machine, amounts and dates.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::context::Context;
use super::shelf::Shelf;
use crate::cost::node_price;
use crate::hardware::{Included, Month, Node, Price, PriceBasis, PriceBook, PricedItem};
use crate::spec::document::{BookEntry, Dated, SpecValue};
use crate::spec::library::Library;
use crate::spec::problem::{Problem, ProblemKind};
use crate::spec::reader::Reader;
use crate::units::Usd;

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
    rated_item(kind, rate).filter(|item| can_be_priced(shelf, item))
}

/// Items that are priced by the rate.
pub(super) const RATED: [&str; 3] = ["switch-port", "transceiver", "nic"];

/// The item of that kind at a rate in whole Gb/s; `None` where the kind is not priced by it.
pub(super) fn rated_item(kind: &str, rate: u32) -> Option<PricedItem> {
    match kind {
        "switch-port" => Some(PricedItem::SwitchPort(rate)),
        "transceiver" => Some(PricedItem::Transceiver(rate)),
        "nic" => Some(PricedItem::Nic(rate)),
        _ => None,
    }
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
        if let PricedItem::Part(name) = &entry.item {
            let drawers = shelf.purchasable_drawers().into_iter();
            let parts = drawers.flat_map(|drawer| drawer.item_names().cloned());
            let kinds = RATED.map(str::to_owned);
            let known = parts.chain(NAMED.map(|(name, _)| name.to_owned())).chain(kinds);
            let path = "price.item".to_owned();
            context.report_unknown_name(path, entry.name, "part", name, known);
        } else if let Some((rate, rates)) = line_rates(shelf, &entry.item) {
            let known = rates.into_iter().map(|rate| format!("{rate} Gb/s"));
            let (path, name) = ("price.rate".to_owned(), format!("{rate} Gb/s"));
            context.report_unknown_name(path, entry.rate, "line rate", &name, known);
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
        _ => line_rates(shelf, item).is_none_or(|(rate, rates)| rates.contains(&rate)),
    }
}

/// The rate of an item that is priced by it, in Gb/s, and the rates that there are.
fn line_rates(shelf: &Shelf, item: &PricedItem) -> Option<(u32, BTreeSet<u32>)> {
    match item {
        PricedItem::SwitchPort(rate) => Some((*rate, switch_port_rates(shelf))),
        PricedItem::Transceiver(rate) => Some((*rate, link_rates(shelf))),
        PricedItem::Nic(rate) => Some((*rate, nic_rates(shelf))),
        PricedItem::Part(_)
        | PricedItem::HostMemory
        | PricedItem::Electricity
        | PricedItem::Labour
        | PricedItem::LinkCable => None,
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

/// Less than that is nothing, in US dollars: a hundredth of a cent.
const LEAST: f64 = 1e-4;

/// Most that a kWh costs anywhere, in US dollars: who states more means a MWh.
const MOST_A_KWH: f64 = 10.0;

/// What is wrong with a price of one, by what is said of it.
pub(super) fn check_price_amount(
    usd: Usd,
    item: &PricedItem,
    basis: PriceBasis,
) -> Option<ProblemKind> {
    let refuse = |message: String, hint: &str| Some(ProblemKind::new_contradiction(message, hint));
    let nothing = usd.get() < LEAST;
    match (nothing, basis) {
        (true, PriceBasis::Included) => None,
        (true, _) => refuse(
            format!("a price of nothing: `{item}` would be bought for $0"),
            "where another price has it in it, write `{ price = \"$0\", basis = \"included\" }`; where \
             nobody quotes it, leave it out; pieces that you own stand in [inventory]",
        ),
        (false, PriceBasis::Included) => refuse(
            format!("`{item}` is said to be included in another price, and has one of its own"),
            "state $0, or another basis",
        ),
        (false, _) if matches!(item, PricedItem::Electricity) && usd.get() > MOST_A_KWH => refuse(
            format!("${} for a kWh", usd.get()),
            "a price of a MWh is 1,000 times that of a kWh",
        ),
        (false, _) => None,
    }
}

/// What is wrong with another price of the same offer: the end of a range, a tier.
pub(super) fn check_second_price(usd: Usd, what: &str) -> Option<ProblemKind> {
    let nothing = usd.get() < LEAST;
    nothing.then(|| ProblemKind::Contradiction {
        message: format!("{what} of nothing: nobody offers a part for $0"),
        hint: "state what one costs at least, or leave it out".to_owned(),
    })
}

/// Months after the newest price that ships in which a date needs no `as_of` beside it: whoever
/// plans later says when.
const AHEAD: u32 = 60;

/// Refuses what is dated after the month that is planned in, and that month where it is before
/// prices that ship and are in force, given with their dates.
pub(super) fn check_dates<'d>(
    context: &mut Context<'_>,
    as_of: Option<Month>,
    own: &[Dated],
    shipped: impl Iterator<Item = (String, &'d str)>,
) {
    for dated_price in own {
        let Some(month) = Month::parse_earliest(&dated_price.date) else { continue };
        let (message, hint) = match (as_of, *NEWEST) {
            (Some(as_of), _) if month > as_of => (
                format!(
                    "{} is of {}, after {as_of}, the month that is planned in",
                    dated_price.subject, dated_price.date
                ),
                format!("correct the date, or plan in {month} or later: `pricing.as_of`"),
            ),
            (None, Some(newest)) if month > newest.add_months(AHEAD) => (
                format!(
                    "{} is of {}, years after every price that ships",
                    dated_price.subject, dated_price.date
                ),
                format!(
                    "correct the date, or say when that is planned in: `as_of = \"{month}\"` in [pricing]"
                ),
            ),
            _ => continue,
        };
        let kind = ProblemKind::new_contradiction(message, hint);
        let problem = Problem { key: dated_price.key.clone(), kind, place: dated_price.place };
        // A date of a whole book is told once.
        if !context.problems.contains(&problem) {
            context.problems.push(problem);
        }
    }
    let Some(as_of) = as_of else { return };
    let dated = shipped.filter_map(|(text, date)| Some((Month::parse_earliest(date)?, text)));
    let Some((last, text)) = dated.max().filter(|(last, _)| *last > as_of) else { return };
    let pricing = context.section_reader("pricing");
    let message =
        format!("{as_of} is before prices of the book, such as that of `{text}` ({last})");
    let hint = format!(
        "plan in {last} or later, name an older book in `cluster.prices`, or leave `as_of` out"
    );
    context.report_contradiction(&pricing, "as_of", message, hint);
}

/// The newest date of any price that ships.
static NEWEST: LazyLock<Option<Month>> = LazyLock::new(|| {
    let books = Library::get_shipped().books.values();
    let prices = books.filter_map(|book| match &book.get("price")?.value {
        SpecValue::List(prices) => Some(prices),
        _ => None,
    });
    let tables = prices.flatten().filter_map(|item| item.value.as_table());
    tables.filter_map(|price| Month::parse_earliest(price.text_or_empty("date"))).max()
});

/// What is wrong with an offer that ends at a date and was made at another; nothing where one of
/// them is not known that exactly.
pub(super) fn offer_dates_problem(valid_until: &str, date: &str) -> Option<ProblemKind> {
    // Dates are written from the year on, so the first of two is the less of what both state.
    let both = valid_until.len().min(date.len());
    let (end, made) = (valid_until.get(..both)?, date.get(..both)?);
    let known = Month::parse_latest(valid_until).is_some() && Month::parse_latest(date).is_some();
    (known && end < made).then(|| ProblemKind::Contradiction {
        message: format!("the offer ended in {valid_until}, before it was made ({date})"),
        hint: "correct `valid_until` or `date`".to_owned(),
    })
}

/// Keys of what is in a price.
const KEYS: [&str; 2] = ["includes", "level"];

/// Refuses what a price has in it where it is of no machine.
pub(super) fn only_of_machines(
    context: &mut Context<'_>,
    shelf: &Shelf,
    reader: &Reader<'_>,
    path: &str,
    item: &PricedItem,
) {
    if is_machine(shelf, item) {
        return;
    }
    for key in KEYS.into_iter().filter(|key| reader.is_stated(key)) {
        let kind = no_machine(key, item);
        context.add_problem(format!("{path}.{key}"), reader.place_of(key), kind);
    }
}

/// Refuses the same in a book of the user's own.
pub(super) fn only_of_machines_in(context: &mut Context<'_>, shelf: &Shelf, entries: &[BookEntry]) {
    let Some(book) = context.book else { return };
    for entry in entries.iter().filter(|entry| !is_machine(shelf, &entry.item)) {
        let Some(price) = book.prices.prices.get(&entry.item) else { continue };
        if !price.quote.is_silent() {
            let key = if price.quote.includes.is_empty() { "level" } else { "includes" };
            context.add_problem(format!("price.{key}"), entry.name, no_machine(key, &entry.item));
        }
    }
}

fn is_machine(shelf: &Shelf, item: &PricedItem) -> bool {
    match item {
        PricedItem::Part(name) => {
            shelf.nodes.has_part(name)
                || shelf.families.has_part(name)
                || shelf.find_domain(name).is_some()
        }
        _ => false,
    }
}

fn no_machine(key: &str, item: &PricedItem) -> ProblemKind {
    let message = format!("`{key}` has no effect: `{item}` is no machine");
    let hint = "state it beside the price of a machine, or leave it out";
    ProblemKind::new_contradiction(message, hint)
}

/// A shipped price of a machine whose interfaces the spec changes covers only those that were
/// quoted: with another interface, or more of them, none of the machine's.
pub(super) fn uncover_changed(context: &mut Context<'_>, name: &str, price: &mut Price) {
    let hardware = context.document.get_table("hardware");
    let nodes = hardware.and_then(|hardware| hardware.get_table("nodes"));
    let Some(own) = nodes.and_then(|nodes| nodes.get_table(name)) else { return };
    let Some(shipped) = context.presets.entries_of_kind("nodes").get_table(name) else { return };
    let read = |table| Reader::new(table, &Node::SECTION, "", None);
    let (own, shipped) = (read(own), read(shipped));
    let other = own.read_text("nic").is_some_and(|nic| shipped.read_text("nic") != Some(nic));
    let more = own.small_count("nics") > shipped.small_count("nics");
    if (other || more) && price.quote.includes.remove(&Included::Nic) {
        let text = format!(
            "the price of {name} is that of the machine with {} x {}: the spec's own are bought on top",
            shipped.small_count("nics").unwrap_or_default(),
            shipped.read_text("nic").unwrap_or_default()
        );
        context.note_preset_default(format!("prices.{name}"), text);
    }
}

/// Refuses machines whose price has the network in it: a design adds one, and would count it twice.
pub(super) fn refuse_priced_fabric(context: &mut Context<'_>, nodes: &[Node], book: &PriceBook) {
    let reader = context.section_reader("cluster");
    let level = |node: &Node| {
        let quote = node_price(book, node)?.quote;
        Some(quote.level.map_or("no level", |level| level.name()))
    };
    let has_fabric =
        |node: &&Node| node_price(book, node).is_some_and(|price| price.quote.has_fabric());
    for node in nodes.iter().filter(has_fabric) {
        let others = nodes.iter().filter(|other| !has_fabric(other));
        let others: Vec<String> = others
            .filter_map(|this_node| Some(format!("`{}` ({})", this_node.name, level(this_node)?)))
            .collect();
        let beside = if others.is_empty() {
            String::new()
        } else {
            format!(", so it can't be compared with {}", others.join(", "))
        };
        let message = format!(
            "the price of `{}` ({}) has switches, modules and cables in it, which a design adds{beside}",
            node.name,
            level(node).unwrap_or("no level")
        );
        let hint = "state the price of the machine without its network: `level = \"system\"` or \
                    `\"rack\"`, `includes = [\"nic\"]`";
        context.report_contradiction(&reader, "node", message, hint);
    }
}

#[cfg(test)]
mod tests {
    use super::{NEWEST, offer_dates_problem};

    #[test]
    fn an_offer_ends_after_it_is_made() {
        let wrong = |end, made| offer_dates_problem(end, made).is_some();
        assert!(wrong("2026-09-01", "2026-09-15") && wrong("2025", "2026-01-01"));
        assert!(wrong("2026-08", "2026-09-15"));
        for (end, made) in [
            ("2026-09", "2026-09-15"),
            ("2026", "2026-09-15"),
            ("2026-09-15", "2026-09"),
            ("2026-09-15", "2026-09-15"),
            ("2026-01", "undated"),
        ] {
            assert!(!wrong(end, made), "{end} {made}");
        }
    }

    #[test]
    fn something_that_ships_has_a_date() {
        assert!(NEWEST.is_some());
    }
}

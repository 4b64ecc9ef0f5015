//! The price book of the scenario: one that ships, the user's own book over it, terms on both, and
//! the spec's own prices over all.

use std::collections::{BTreeMap, BTreeSet};

use super::context::Context;
use super::price_book::{self, OFFER, UNDATED, parse_basis, read_price_range, resolve_quote};
use super::price_items::{
    self, check_dates, known_items, only_of_machines, only_of_machines_in, own_item,
    priced_item_names, uncover_changed,
};
use super::price_terms::{ExchangeRates, Pricing};
use super::shelf::Shelf;
use crate::hardware::{FamilyPrices, LinkPricing, Price, PriceBook, PricedItem, Quote};
use crate::spec::document::{self, Dated, SourceId};
use crate::spec::problem::ProblemKind;
use crate::spec::reader::Reader;
use crate::spec::schema::OWN_PRICE;
use crate::spec::value;

/// What a price of the spec's own says of its source where it says nothing.
const OWN_SOURCE: &str = "the spec";

pub(super) fn resolve_prices(context: &mut Context<'_>, shelf: &Shelf) -> Option<PriceBook> {
    let cluster = context.section_reader("cluster");
    let usual = cluster.text_or_default("prices");
    let name = match cluster.read_text("prices") {
        Some(name) => name,
        None if cluster.is_stated("prices") => return None,
        None => {
            context.note_assumption("cluster.prices", format!("{usual}: the newest street prices"));
            &usual
        }
    };
    let pricing = Pricing::new(context, shelf);
    let unused = pricing.rates.unused_rates(context.document);
    context.problems.extend(unused);
    let mut reading = PriceReading { rates: &pricing.rates, dates: pricing.rates.rate_dates() };
    let own = own_prices(context, shelf, &mut reading);
    let Some(table) = context.presets.books.get(name) else {
        let known = context.presets.books.keys().cloned();
        context.report_unknown_value(&cluster, "prices", "price book", name, known);
        return None;
    };
    // What ships is sound: a test holds every book against the table of keys.
    let (shipped, _) = price_book::price_book(table);
    let mut prices = shipped.prices.prices;
    let mut name = name.to_owned();
    let over = context.book.iter().flat_map(|over| over.prices.prices.keys());
    let by_end = over.chain(own.keys()).filter_map(|item| match item {
        PricedItem::Transceiver(rate) => Some(*rate),
        _ => None,
    });
    let by_end: BTreeSet<u32> = by_end.collect();
    if let Some(over) = context.book {
        known_items(context, shelf, &over.entries);
        only_of_machines_in(context, shelf, &over.entries);
        prices.extend(over.prices.prices.clone());
        reading.dates.extend(over.dates.clone());
        name = format!("{} over {name}", over.prices.name);
    }
    let unused = pricing.unused_terms(shelf, &prices, &own);
    context.problems.extend(unused);
    let over = context.book;
    let by_others = |item: &PricedItem| {
        own.contains_key(item) || over.is_some_and(|over| over.prices.prices.contains_key(item))
    };
    say_ends(context, shelf, &by_end, &prices);
    let families = family_prices(context, shelf, &mut reading);
    let shipped = prices.iter().filter(|(item, _)| !by_others(item));
    let shipped = shipped.map(|(item, price)| (item.to_string(), price.date.as_str()));
    check_dates(context, pricing.as_of, &reading.dates, shipped);
    for (item, price) in &mut prices {
        *price = pricing.buyer_terms(shelf, item).apply_to_price(price);
        if let PricedItem::Part(name) = item
            && !by_others(item)
        {
            uncover_changed(context, name, price);
        }
    }
    prices.extend(own);
    Some(PriceBook {
        name,
        prices,
        families,
        by_end,
        as_of: pricing.as_of,
        old_after: pricing.old_after,
    })
}

/// Says where links are counted by their ends though the spec asks for parts.
fn say_ends(
    context: &mut Context<'_>,
    shelf: &Shelf,
    by_end: &BTreeSet<u32>,
    book: &BTreeMap<PricedItem, Price>,
) {
    if context.section_reader("cluster").read_field("links") != Some(LinkPricing::Parts) {
        return;
    }
    for rate in by_end {
        let text = format!(
            "links of {rate} Gb/s are counted by their ends: a price of every optic of that rate \
             is stated"
        );
        context.note_assumption("cluster.links", text);
    }
    let has_ends = book.keys().any(|item| matches!(item, PricedItem::Transceiver(_)));
    let is_priced = |module: &str| book.contains_key(&PricedItem::Part(module.to_owned()));
    let has_modules =
        shelf.links.item_names().filter_map(|name| shelf.links.part_reader(name)).any(|kind| {
            ["near_module", "far_module"]
                .into_iter()
                .filter_map(|key| kind.read_text(key))
                .any(is_priced)
        });
    if has_ends && !has_modules {
        let text = "links are counted by their ends: the price book prices link ends and no optics";
        context.note_assumption("cluster.links", text);
    }
}

/// What prices of the spec's own are read with, and the dates among them.
struct PriceReading<'r> {
    rates: &'r ExchangeRates,
    dates: Vec<Dated>,
}

/// Prices in `[prices]` and beside parts of the spec's own.
fn own_prices(
    context: &mut Context<'_>,
    shelf: &Shelf,
    reading: &mut PriceReading<'_>,
) -> BTreeMap<PricedItem, Price> {
    let mut prices = BTreeMap::new();
    for drawer in shelf.purchasable_drawers() {
        for (name, reader) in drawer.own_parts() {
            let Some(item) = reader.price_item("price") else { continue };
            let part = PricedItem::Part(name.clone());
            stated_of_machines(context, shelf, &reader.path_of("price"), item, &part);
            if let Some(price) = own_price(context, reading, reader.path_of("price"), item, &part) {
                prices.insert(part, price);
            }
        }
    }
    for (_, reader) in shelf.gpus.own_parts().filter(|(_, reader)| reader.is_stated("price")) {
        let text = "no effect: a GPU is bought inside its machine, at the machine's price";
        context.note_assumption(reader.path_of("price"), text);
    }
    let Some(table) = context.document.get_table("prices") else {
        return prices;
    };
    for (name, entry) in &table.entries {
        match own_item(shelf, name) {
            Some(item) => {
                let path = format!("prices.{name}");
                stated_of_machines(context, shelf, &path, &entry.item, &item);
                let price = own_price(context, reading, path, &entry.item, &item);
                prices.extend(price.map(|price| (item, price)));
            }
            None => {
                let (path, known) = (format!("prices.{name}"), priced_item_names(shelf));
                context.report_unknown_name(path, Some(entry.key), "part", name, known);
            }
        }
    }
    prices
}

/// Prices of the parts of HB domains, by family: the spec's own keys over those that ship.
fn family_prices(
    context: &mut Context<'_>,
    shelf: &Shelf,
    reading: &mut PriceReading<'_>,
) -> BTreeMap<String, FamilyPrices> {
    let mut prices = BTreeMap::new();
    for name in shelf.families.item_names() {
        let Some(reader) = shelf.families.part_reader(name) else { continue };
        let domain = PricedItem::Part(name.clone());
        let [gpu, chip, link, long_link] = FamilyPrices::KEYS.map(|key| {
            let item = reader.price_item(key)?;
            no_offer(context, &reader.path_of(key), item);
            own_price(context, reading, reader.path_of(key), item, &domain)
        });
        prices.insert(name.clone(), FamilyPrices { gpu, chip, link, long_link });
    }
    prices
}

/// Refuses the terms of an offer where a price is a part of a sum.
fn no_offer(context: &mut Context<'_>, path: &str, item: &document::SpannedValue) {
    let Some(table) = item.value.as_table() else { return };
    for key in OFFER {
        if let Some(stated) = table.get(key) {
            let message = format!("`{key}` has no effect: domains of a family are priced as a sum");
            let hint = "state the offer of a whole domain under [prices], by its name";
            let kind = ProblemKind::new_contradiction(message, hint);
            context.add_problem(format!("{path}.{key}"), Some(stated.place), kind);
        }
    }
}

/// Refuses what only a machine's price has in it, where a price stated as a table is of none.
fn stated_of_machines(
    context: &mut Context<'_>,
    shelf: &Shelf,
    path: &str,
    item: &document::SpannedValue,
    priced_item: &PricedItem,
) {
    if let Some(table) = item.value.as_table() {
        let reader = Reader::new(table, &OWN_PRICE, "prices", Some(item.place));
        only_of_machines(context, shelf, &reader, path, priced_item);
    }
}

/// A price as text, or as a table that says when and by whom.
fn own_price(
    context: &mut Context<'_>,
    reading: &mut PriceReading<'_>,
    path: String,
    item: &document::SpannedValue,
    priced_item: &PricedItem,
) -> Option<Price> {
    let table = item.value.as_table();
    let reader = table.map(|table| Reader::new(table, &OWN_PRICE, "prices", Some(item.place)));
    let money = match &reader {
        Some(reader) => reader.read_cost("price")?,
        None => value::parse_cost(item).ok()?,
    };
    let text = |key: &str| reader.as_ref().and_then(|reader| reader.read_text(key));
    let rates = reading.rates;
    let (amount, exchange) = match rates.convert_to_usd(money) {
        Ok(converted) => converted,
        Err(kind) => {
            context.add_problem(path, Some(item.place), kind);
            return None;
        }
    };
    let basis = parse_basis(text("basis"));
    if let Some(kind) = price_items::check_price_amount(amount, priced_item, basis) {
        let own = reader.as_ref().and_then(|reader| reader.place_of("price"));
        context.add_problem(path, own.or(Some(item.place)), kind);
        return None;
    }
    let date = text("date").unwrap_or(UNDATED).to_owned();
    if !matches!(item.place.source, SourceId::Preset(_)) {
        let place = reader.as_ref().and_then(|reader| reader.place_of("date"));
        let (key, name) = (format!("{path}.date"), format!("the price of `{priced_item}`"));
        reading.dates.push(Dated { key, subject: name, date: date.clone(), place });
    }
    let source = text("source").unwrap_or(OWN_SOURCE);
    let range =
        match reader.as_ref().map_or(Ok(None), |reader| read_price_range(reader, rates, amount)) {
            Ok(range) => range,
            Err((key, kind)) => {
                let place = reader.as_ref().and_then(|reader| reader.place_of(key));
                context.add_problem(path, place, kind);
                return None;
            }
        };
    let quote = match reader
        .as_ref()
        .map(|reader| resolve_quote(reader, rates, amount, &date, priced_item))
    {
        None => Quote::default(),
        Some(Ok(quote)) => quote,
        Some(Err((key, kind))) => {
            let place = reader.as_ref().and_then(|reader| reader.place_of(key));
            context.add_problem(format!("{path}.{key}"), place, kind);
            return None;
        }
    };
    Some(Price {
        quote,
        amount,
        range,
        basis,
        date,
        source: match &exchange {
            Some(rate) => format!("{source}; {}", rate.conversion_text()),
            None => source.to_owned(),
        },
        exchange,
    })
}

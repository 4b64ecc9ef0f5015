//! The price book of the scenario: one that ships, with the spec's own prices laid over it.

use std::collections::BTreeMap;

use super::context::Context;
use super::hardware::Shelf;
use crate::hardware::{Basis, Item, Price, PriceBook};
use crate::spec::document::{self, Table, Value};
use crate::spec::reader::Reader;
use crate::spec::schema::{OWN_PRICE, PRICE, PRICE_BOOK, Unit};
use crate::spec::value;
use crate::units::{Bandwidth, Usd};

/// The book that holds where the spec names none.
const DEFAULT_BOOK: &str = "street-2026";

/// What a price of the spec's own says of its date and source where it says nothing.
const OWN_DATE: &str = "undated";
const OWN_SOURCE: &str = "the spec";

pub(super) fn prices(context: &mut Context<'_>, shelf: &Shelf) -> Option<PriceBook> {
    let cluster = context.section("cluster");
    let name = match cluster.text("prices") {
        Some(name) => name,
        None if cluster.stated("prices") => return None,
        None => {
            context.assume("cluster.prices", format!("{DEFAULT_BOOK}: the newest street prices"));
            DEFAULT_BOOK
        }
    };
    let own = own_prices(context, shelf);
    let Some(table) = context.library.books.get(name) else {
        let known = context.library.books.keys().cloned();
        let place = cluster.place_of("prices");
        context.unknown(cluster.path_of("prices"), place, "price book", name, known);
        return None;
    };
    let mut prices = book(table);
    prices.extend(own);
    Some(PriceBook { name: name.to_owned(), prices })
}

/// The prices of a shipped book.
fn book(table: &Table) -> BTreeMap<Item, Price> {
    let reader = Reader::new(table, &PRICE_BOOK, "", None);
    let (date, source) = (reader.text("date"), reader.text("source"));
    let Some(Value::List(items)) = table.get("price").map(|item| &item.value) else {
        return BTreeMap::new();
    };
    let entry = |item: &document::Item| {
        let entry = Reader::new(item.value.as_table()?, &PRICE, "price", Some(item.place));
        let item = item_of(entry.text("item")?, entry.bandwidth("rate"));
        let price = Price {
            amount: entry.usd("price")?,
            basis: basis(entry.text("basis")),
            date: entry.text("date").or(date).unwrap_or_default().to_owned(),
            source: entry.text("source").or(source).unwrap_or_default().to_owned(),
        };
        Some((item, price))
    };
    items.iter().filter_map(entry).collect()
}

fn item_of(name: &str, rate: Option<Bandwidth>) -> Item {
    // A bandwidth of the table of keys is below 2³² Gb/s.
    let rate = rate.map(|rate| rate.as_gigabits().round() as u32);
    match (name, rate) {
        ("switch-port", Some(rate)) => Item::SwitchPort(rate),
        ("transceiver", Some(rate)) => Item::Transceiver(rate),
        ("nic", Some(rate)) => Item::Nic(rate),
        ("electricity", _) => Item::Electricity,
        (part, _) => Item::Part(part.to_owned()),
    }
}

fn basis(name: Option<&str>) -> Basis {
    match name {
        Some("list") => Basis::List,
        Some("street") => Basis::Street,
        Some("paper") => Basis::Paper,
        Some("analyst") => Basis::Analyst,
        Some("assumed") => Basis::Assumed,
        _ => Basis::User,
    }
}

/// Prices in `[prices]` and beside parts of the spec's own.
fn own_prices(context: &mut Context<'_>, shelf: &Shelf) -> BTreeMap<Item, Price> {
    let mut prices = BTreeMap::new();
    for drawer in shelf.bought() {
        for (name, reader) in drawer.own_parts() {
            if let Some(price) = reader.price("price").and_then(own_price) {
                prices.insert(Item::Part(name.clone()), price);
            }
        }
    }
    let Some(table) = context.document.table("prices") else {
        return prices;
    };
    for (name, entry) in &table.entries {
        match own_item(shelf, name) {
            Some(item) => prices.extend(own_price(&entry.item).map(|price| (item, price))),
            None => {
                let parts = shelf.bought().into_iter().flat_map(|drawer| drawer.names().cloned());
                let rates = ["switch-port-400g", "transceiver-400g", "nic-400g", "electricity"];
                let known: Vec<String> = parts.chain(rates.map(str::to_owned)).collect();
                context.unknown(format!("prices.{name}"), Some(entry.key), "part", name, known);
            }
        }
    }
    prices
}

/// A part, or `switch-port-400g` and the like.
fn own_item(shelf: &Shelf, name: &str) -> Option<Item> {
    if name == "electricity" {
        return Some(Item::Electricity);
    }
    if shelf.bought().iter().any(|drawer| drawer.has(name)) {
        return Some(Item::Part(name.to_owned()));
    }
    let (kind, rate) = name.rsplit_once('-')?;
    let rate = rate.strip_suffix('g')?.parse().ok()?;
    match kind {
        "switch-port" => Some(Item::SwitchPort(rate)),
        "transceiver" => Some(Item::Transceiver(rate)),
        "nic" => Some(Item::Nic(rate)),
        _ => None,
    }
}

/// A price as text, or as a table that says when and by whom.
fn own_price(item: &document::Item) -> Option<Price> {
    let Some(table) = item.value.as_table() else {
        let amount = Usd::of(value::quantity(item, Unit::Money).ok()?);
        let (date, source) = (OWN_DATE.to_owned(), OWN_SOURCE.to_owned());
        return Some(Price { amount, basis: Basis::User, date, source });
    };
    let reader = Reader::new(table, &OWN_PRICE, "prices", Some(item.place));
    Some(Price {
        amount: reader.usd("price")?,
        basis: basis(reader.text("basis")),
        date: reader.text("date").unwrap_or(OWN_DATE).to_owned(),
        source: reader.text("source").unwrap_or(OWN_SOURCE).to_owned(),
    })
}

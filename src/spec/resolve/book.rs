//! A price book: one that ships, or a file of the user's own in the same shape.

use std::collections::BTreeMap;

use super::pricing::Rates;
use crate::hardware::{Basis, Item, Price, PriceBook};
use crate::spec::check;
use crate::spec::document::{Place, Table};
use crate::spec::problem::{Problem, ProblemKind};
use crate::spec::reader::Reader;
use crate::spec::schema::PRICE_BOOK;
use crate::units::{Bandwidth, Usd};

/// The prices of a book, and everything that is wrong with it.
pub(crate) fn price_book(table: &Table) -> (PriceBook, Vec<Problem>) {
    let mut problems = Vec::new();
    check::table(table, &PRICE_BOOK, "", &mut problems);
    let reader = Reader::new(table, &PRICE_BOOK, "", None);
    let rates = Rates::read(table.table("rates"), "rates", &mut problems);
    let mut missing = |key: &str, meaning: &str, line: &str, place: Option<Place>| {
        let kind =
            ProblemKind::Missing { meaning: meaning.to_owned(), hint: format!("add `{line}`") };
        problems.push(Problem { key: key.to_owned(), kind, place });
    };
    if !reader.stated("name") {
        missing("name", "name for reports", "name = \"our prices\"", None);
    }
    if !reader.stated("price") {
        missing("price", "what it prices", "[[price]]", None);
    }
    let mut prices = BTreeMap::new();
    for entry in reader.tables("price") {
        match priced(&entry, &reader, &rates) {
            Ok((item, price, place)) => {
                if prices.contains_key(&item) {
                    let message = format!("`{item}` is priced twice");
                    let hint = "one price for each item: remove the other".to_owned();
                    let kind = ProblemKind::Contradiction { message, hint };
                    problems.push(Problem { key: "price.item".to_owned(), kind, place });
                }
                prices.insert(item, price);
            }
            Err(Some(problem)) => problems.push(*problem),
            // The checker has told what is wrong.
            Err(None) => {}
        }
    }
    let name = reader.text("name").unwrap_or_default().to_owned();
    (PriceBook { name, prices, ..PriceBook::default() }, problems)
}

type Entry = (Item, Price, Option<Place>);

fn priced(
    entry: &Reader<'_>,
    book: &Reader<'_>,
    rates: &Rates,
) -> Result<Entry, Option<Box<Problem>>> {
    let refuse = |key: &str, kind, place| {
        let place = entry.place_of(key).or(place);
        Err(Some(Box::new(Problem { key: entry.path_of(key), kind, place })))
    };
    let missing = |key: &str, meaning: &str, line: &str| {
        let (meaning, hint) = (meaning.to_owned(), format!("add `{line}`"));
        refuse(key, ProblemKind::Missing { meaning, hint }, entry.place())
    };
    let name = match entry.text("item") {
        Some(name) => name,
        None if entry.stated("item") => return Err(None),
        None => return missing("item", "what it prices", "item = \"qm9700\""),
    };
    let rate = entry.bandwidth("rate");
    if BY_RATE.contains(&name) && rate.is_none() {
        return match entry.stated("rate") {
            true => Err(None),
            false => missing("rate", "line rate of the item", "rate = \"400 Gb/s\""),
        };
    }
    let money = match entry.cost("price") {
        Some(money) => money,
        None if entry.stated("price") => return Err(None),
        None => return missing("price", "price of one", "price = \"$1000\""),
    };
    let (amount, converted) = match rates.convert(money) {
        Ok(converted) => converted,
        Err(kind) => return refuse("price", kind, entry.place()),
    };
    let own = |key: &str| entry.text(key).or_else(|| book.text(key)).unwrap_or_default().to_owned();
    let source = match converted {
        Some(how) => format!("{}; {how}", own("source")),
        None => own("source"),
    };
    let basis = basis(entry.text("basis"));
    let range = range(entry, rates, amount);
    if let Some(kind) = outside(range, amount) {
        return refuse("price", kind, entry.place());
    }
    let price = Price { amount, range, basis, date: own("date"), source };
    Ok((item_of(name, rate), price, entry.place_of("item")))
}

/// Items that are priced by the rate.
const BY_RATE: [&str; 3] = ["switch-port", "transceiver", "nic"];

fn item_of(name: &str, rate: Option<Bandwidth>) -> Item {
    // A bandwidth of the table of keys is below 2³² Gb/s.
    let rate = rate.map(|rate| rate.as_gigabits().round() as u32);
    match (name, rate) {
        ("switch-port", Some(rate)) => Item::SwitchPort(rate),
        ("transceiver", Some(rate)) => Item::Transceiver(rate),
        ("nic", Some(rate)) => Item::Nic(rate),
        ("host-memory", _) => Item::HostMemory,
        ("electricity", _) => Item::Electricity,
        (part, _) => Item::Part(part.to_owned()),
    }
}

/// The range of a price in US dollars; an end that is left out is the price itself.
pub(super) fn range(reader: &Reader<'_>, rates: &Rates, amount: Usd) -> Option<(Usd, Usd)> {
    let end = |key: &str| rates.convert(reader.cost(key)?).ok().map(|(usd, _)| usd);
    let (low, high) = (end("low"), end("high"));
    (low.is_some() || high.is_some()).then(|| (low.unwrap_or(amount), high.unwrap_or(amount)))
}

/// What is wrong with a price that its own range does not hold.
pub(super) fn outside(range: Option<(Usd, Usd)>, amount: Usd) -> Option<ProblemKind> {
    let (low, high) = range?;
    (low > amount || high < amount).then(|| ProblemKind::Contradiction {
        message: "the price lies outside its range".to_owned(),
        hint: "low is at most the price, and high at least".to_owned(),
    })
}

/// What kind of statement a price is.
pub(super) fn basis(name: Option<&str>) -> Basis {
    match name {
        Some("list") => Basis::List,
        Some("street") => Basis::Street,
        Some("paper") => Basis::Paper,
        Some("analyst") => Basis::Analyst,
        Some("assumed") => Basis::Assumed,
        _ => Basis::User,
    }
}

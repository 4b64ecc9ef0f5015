//! A price book: one that ships, or a file of the user's own in the same shape.

use std::collections::BTreeMap;

use super::pricing::ExchangeRates;
use super::quote::resolve_quote;
use super::shelf::whole_gigabits;
use super::worth;
use crate::hardware::{Price, PriceBasis, PriceBook, PricedItem};
use crate::spec::book::{BookEntry, Contents, Dated};
use crate::spec::check;
use crate::spec::document::{self, SpecTable, SpecValue, TextPlace};
use crate::spec::problem::{Problem, ProblemKind};
use crate::spec::reader::Reader;
use crate::spec::schema::PRICE_BOOK;
use crate::spec::suggest::{did_you_mean, quote_input};
use crate::units::{Bandwidth, Usd};

/// The prices of a book, where each stands, and everything that is wrong with it.
pub(crate) fn price_book(table: &SpecTable) -> (Contents, Vec<Problem>) {
    let mut problems = Vec::new();
    check::check_table(table, &PRICE_BOOK, "", &mut problems);
    let reader = Reader::new(table, &PRICE_BOOK, "", None);
    let rates = ExchangeRates::read_rates(table.get_table("rates"), "rates", &mut problems);
    let mut missing = |key: &str, meaning: &str, line: &str, place: Option<TextPlace>| {
        let kind =
            ProblemKind::Missing { meaning: meaning.to_owned(), hint: format!("add `{line}`") };
        problems.push(Problem { key: key.to_owned(), kind, place });
    };
    if !reader.is_stated("name") {
        missing("name", "name for reports", "name = \"our prices\"", None);
    }
    if !reader.is_stated("price") {
        missing("price", "what it prices", "[[price]]", None);
    }
    let (mut prices, mut entries) = (BTreeMap::new(), Vec::new());
    let mut dates = rates.rate_dates();
    let empty = |item: &&document::SpannedValue| matches!(&item.value, SpecValue::List(items) if items.is_empty());
    if let Some(item) = table.get("price").filter(empty) {
        let message = "the book prices nothing".to_owned();
        let hint = "add a `[[price]]`, or leave the book out".to_owned();
        let kind = ProblemKind::Contradiction { message, hint };
        problems.push(Problem { key: "price".to_owned(), kind, place: Some(item.place) });
    }
    for entry in reader.sub_tables("price") {
        match read_book_entry(&entry, &reader, &rates) {
            Ok((found, price)) => {
                let item = found.item.clone();
                if prices.contains_key(&item) {
                    let message = format!("`{item}` is priced twice");
                    let hint = "one price for each item: remove the other".to_owned();
                    let kind = ProblemKind::Contradiction { message, hint };
                    let (key, place) = ("price.item".to_owned(), found.name);
                    problems.push(Problem { key, kind, place });
                }
                entries.push(found);
                // The date of its own, else that of the whole book.
                let (reader, text) = match entry.is_stated("date") {
                    true => (&entry, format!("the price of `{item}`")),
                    false => (&reader, "the book".to_owned()),
                };
                let (key, place) = (reader.path_of("date"), reader.place_of("date"));
                dates.push(Dated { key, subject: text, date: price.date.clone(), place });
                prices.insert(item, price);
            }
            Err(Some(problem)) => problems.push(*problem),
            // The checker has told what is wrong.
            Err(None) => {}
        }
    }
    problems.extend(rates.unused_rates(table));
    let name = reader.read_text("name").unwrap_or_default().to_owned();
    let prices = PriceBook { name, prices, ..PriceBook::default() };
    (Contents { prices, entries, dates }, problems)
}

fn read_book_entry(
    entry: &Reader<'_>,
    book: &Reader<'_>,
    rates: &ExchangeRates,
) -> Result<(BookEntry, Price), Option<Box<Problem>>> {
    let refuse = |key: &str, kind, place| {
        let place = entry.place_of(key).or(place);
        Err(Some(Box::new(Problem { key: entry.path_of(key), kind, place })))
    };
    let missing = |key: &str, meaning: &str, line: &str| {
        let (meaning, hint) = (meaning.to_owned(), format!("add `{line}`"));
        refuse(key, ProblemKind::Missing { meaning, hint }, entry.place())
    };
    let name = match entry.read_text("item") {
        Some(name) => name,
        None if entry.is_stated("item") => return Err(None),
        None => return missing("item", "what it prices", "item = \"qm9700\""),
    };
    let rate = entry.read_bandwidth("rate");
    if let Some(rate) = rate.filter(|rate| !is_whole(*rate)) {
        let value = format!("{} Gb/s", rate.as_gigabits());
        let wanted = "a line rate of whole Gb/s, such as \"400 Gb/s\"".to_owned();
        return refuse("rate", ProblemKind::OutOfRange { value, wanted }, entry.place());
    }
    if BY_RATE.contains(&name) && rate.is_none() {
        return match entry.is_stated("rate") {
            true => Err(None),
            false => missing("rate", "line rate of the item", "rate = \"400 Gb/s\""),
        };
    }
    if !BY_RATE.contains(&name) && entry.is_stated("rate") {
        let kinds = BY_RATE.map(str::to_owned).to_vec();
        if did_you_mean(name, &kinds).is_some() {
            // With a rate beside it the name is a slip of one of these, not of a part.
            let kind =
                ProblemKind::UnknownName { what: "item", name: name.to_owned(), known: kinds };
            return refuse("item", kind, entry.place());
        }
        let message =
            format!("`{}` is priced by its name, so a rate has no effect", quote_input(name));
        let hint = format!("leave it out, or price {} of that rate", BY_RATE.join(", "));
        return refuse("rate", ProblemKind::Contradiction { message, hint }, entry.place());
    }
    let money = match entry.read_cost("price") {
        Some(money) => money,
        None if entry.is_stated("price") => return Err(None),
        None => return missing("price", "price of one", "price = \"$1000\""),
    };
    let (amount, exchange) = match rates.convert_to_usd(money) {
        Ok(converted) => converted,
        Err(kind) => return refuse("price", kind, entry.place()),
    };
    let own = |key: &str| {
        entry.read_text(key).or_else(|| book.read_text(key)).unwrap_or_default().to_owned()
    };
    let source = match &exchange {
        Some(rate) => format!("{}; {}", own("source"), rate.conversion_text()),
        None => own("source"),
    };
    let (name, at) = (item_of(name, rate), entry.place_of("item"));
    let basis = parse_basis(entry.read_text("basis"));
    if let Some(kind) = worth::check_price_amount(amount, &name, basis) {
        return refuse("price", kind, entry.place());
    }
    let range = match read_price_range(entry, rates, amount) {
        Ok(range) => range,
        Err((key, kind)) => return refuse(key, kind, entry.place()),
    };
    // As in `[prices]`: what says nothing of its date is undated.
    let date = Some(own("date")).filter(|date| !date.is_empty());
    let date = date.unwrap_or_else(|| UNDATED.to_owned());
    let quote = match resolve_quote(entry, rates, (amount, &date), &name) {
        Ok(quote) => quote,
        Err((key, kind)) => return refuse(key, kind, entry.place()),
    };
    let price = Price { amount, range, basis, date, source, exchange, quote };
    Ok((BookEntry { item: name, name: at, rate: entry.place_of("rate") }, price))
}

/// Whether a rate is one that parts are looked up by: a whole number of Gb/s, but for rounding.
fn is_whole(rate: Bandwidth) -> bool {
    const DUST: f64 = 1e-6;
    (rate.as_gigabits() - f64::from(whole_gigabits(rate))).abs() < DUST
}

/// The date of a price that says nothing of it.
pub(super) const UNDATED: &str = "undated";

/// Items that are priced by the rate.
const BY_RATE: [&str; 3] = ["switch-port", "transceiver", "nic"];

fn item_of(name: &str, rate: Option<Bandwidth>) -> PricedItem {
    let rate = rate.map(whole_gigabits);
    match (name, rate) {
        ("switch-port", Some(rate)) => PricedItem::SwitchPort(rate),
        ("transceiver", Some(rate)) => PricedItem::Transceiver(rate),
        ("nic", Some(rate)) => PricedItem::Nic(rate),
        ("host-memory", _) => PricedItem::HostMemory,
        ("electricity", _) => PricedItem::Electricity,
        ("labour", _) => PricedItem::Labour,
        ("link-cable", _) => PricedItem::LinkCable,
        (part, _) => PricedItem::Part(part.to_owned()),
    }
}

/// The range of a price in US dollars; an end that is left out is the price itself.
///
/// # Errors
/// Where an end has a currency without a rate, or the price lies outside; with the key to blame.
pub(super) fn read_price_range(
    reader: &Reader<'_>,
    rates: &ExchangeRates,
    amount: Usd,
) -> Result<Option<(Usd, Usd)>, (&'static str, ProblemKind)> {
    let end = |key: &'static str| match reader.read_cost(key) {
        Some(money) => {
            rates.convert_to_usd(money).map(|(usd, _)| Some(usd)).map_err(|kind| (key, kind))
        }
        None => Ok(None),
    };
    let (low, high) = (end("low")?, end("high")?);
    if let Some(kind) = low.and_then(|low| worth::check_second_price(low, "a range from a price")) {
        return Err(("low", kind));
    }
    if low.is_some_and(|low| low > amount) || high.is_some_and(|high| high < amount) {
        let message = "the price lies outside its range".to_owned();
        let hint = "low is at most the price, and high at least".to_owned();
        return Err(("price", ProblemKind::Contradiction { message, hint }));
    }
    let stated = low.is_some() || high.is_some();
    Ok(stated.then(|| (low.unwrap_or(amount), high.unwrap_or(amount))))
}

/// What kind of statement a price is.
pub(super) fn parse_basis(name: Option<&str>) -> PriceBasis {
    name.and_then(PriceBasis::parse).unwrap_or(PriceBasis::User)
}

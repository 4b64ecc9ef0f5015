//! Reads books of prices and offers.

use std::collections::BTreeMap;

use super::price_items::{self, NAMED, RATED, offer_dates_problem, rated_item};
use super::price_terms::ExchangeRates;
use super::shelf::whole_gigabits;
use crate::hardware::{
    Included, Price, PriceBasis, PriceBook, PriceLevel, PricedItem, Quote, Tier,
};
use crate::spec::check;
use crate::spec::document::{self, BookEntry, Contents, Dated, SpecTable, SpecValue, TextPlace};
use crate::spec::problem::{Problem, ProblemKind, did_you_mean, quote_input};
use crate::spec::reader::Reader;
use crate::spec::schema::PRICE_BOOK;
use crate::units::{Bandwidth, Usd, UsdRange};

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
        let message = "the book prices nothing";
        let hint = "add a `[[price]]`, or leave the book out";
        let kind = ProblemKind::new_contradiction(message, hint);
        problems.push(Problem { key: "price".to_owned(), kind, place: Some(item.place) });
    }
    for entry in reader.sub_tables("price") {
        match read_book_entry(&entry, &reader, &rates) {
            Ok((found, price)) => {
                let item = found.item.clone();
                if prices.contains_key(&item) {
                    let message = format!("`{item}` is priced twice");
                    let hint = "one price for each item: remove the other";
                    let kind = ProblemKind::new_contradiction(message, hint);
                    let (key, place) = ("price.item".to_owned(), found.name);
                    problems.push(Problem { key, kind, place });
                }
                entries.push(found);
                // The date of its own, else that of the whole book.
                let (reader, text) = if entry.is_stated("date") {
                    (&entry, format!("the price of `{item}`"))
                } else {
                    (&reader, "the book".to_owned())
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
    if RATED.contains(&name) && rate.is_none() {
        return if entry.is_stated("rate") {
            Err(None)
        } else {
            missing("rate", "line rate of the item", "rate = \"400 Gb/s\"")
        };
    }
    if !RATED.contains(&name) && entry.is_stated("rate") {
        let kinds = RATED.map(str::to_owned).to_vec();
        if did_you_mean(name, &kinds).is_some() {
            // With a rate beside it the name is a slip of one of these, not of a part.
            let kind =
                ProblemKind::UnknownName { what: "item", name: name.to_owned(), known: kinds };
            return refuse("item", kind, entry.place());
        }
        let message =
            format!("`{}` is priced by its name, so a rate has no effect", quote_input(name));
        let hint = format!("leave it out, or price {} of that rate", RATED.join(", "));
        return refuse("rate", ProblemKind::new_contradiction(message, hint), entry.place());
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
    if let Some(kind) = price_items::check_price_amount(amount, &name, basis) {
        return refuse("price", kind, entry.place());
    }
    let range = match read_price_range(entry, rates, amount) {
        Ok(range) => range,
        Err((key, kind)) => return refuse(key, kind, entry.place()),
    };
    // As in `[prices]`: what says nothing of its date is undated.
    let date = Some(own("date")).filter(|date| !date.is_empty());
    let date = date.unwrap_or_else(|| UNDATED.to_owned());
    let quote = match resolve_quote(entry, rates, amount, &date, &name) {
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

fn item_of(name: &str, rate: Option<Bandwidth>) -> PricedItem {
    let rated = rate.and_then(|rate| rated_item(name, whole_gigabits(rate)));
    let named = || NAMED.into_iter().find(|(known, _)| *known == name).map(|(_, item)| item);
    rated.or_else(named).unwrap_or_else(|| PricedItem::Part(name.to_owned()))
}

/// The range of a price in US dollars; an end that is left out is the price itself.
///
/// # Errors
/// Where an end has a currency without a rate, or the price lies outside; with the key to blame.
pub(super) fn read_price_range(
    reader: &Reader<'_>,
    rates: &ExchangeRates,
    amount: Usd,
) -> Result<Option<UsdRange>, (&'static str, ProblemKind)> {
    let end = |key: &'static str| match reader.read_cost(key) {
        Some(money) => {
            rates.convert_to_usd(money).map(|(usd, _)| Some(usd)).map_err(|kind| (key, kind))
        }
        None => Ok(None),
    };
    let (low, high) = (end("low")?, end("high")?);
    if let Some(kind) =
        low.and_then(|low| price_items::check_second_price(low, "a range from a price"))
    {
        return Err(("low", kind));
    }
    if low.is_some_and(|low| low > amount) || high.is_some_and(|high| high < amount) {
        let message = "the price lies outside its range";
        let hint = "low is at most the price, and high at least";
        return Err(("price", ProblemKind::new_contradiction(message, hint)));
    }
    let stated = low.is_some() || high.is_some();
    let range = UsdRange { low: low.unwrap_or(amount), high: high.unwrap_or(amount) };
    Ok(stated.then_some(range))
}

/// What kind of statement a price is.
pub(super) fn parse_basis(name: Option<&str>) -> PriceBasis {
    name.and_then(PriceBasis::parse).unwrap_or(PriceBasis::User)
}

/// Keys of an offer.
pub(super) const OFFER: [&str; 3] = ["tiers", "valid_until", "lead_days"];

/// The terms of an offer at a price of one, made at a date.
///
/// # Errors
/// Where tiers are no tiers of that item, or the offer ended before it was made; with the key to
/// blame.
pub(super) fn resolve_quote(
    reader: &Reader<'_>,
    rates: &ExchangeRates,
    amount: Usd,
    date: &str,
    item: &PricedItem,
) -> Result<Quote, (&'static str, ProblemKind)> {
    let refuse =
        |message: String, hint: &str| Err(("tiers", ProblemKind::new_contradiction(message, hint)));
    let mut tiers: Vec<Tier> = Vec::new();
    for tier in reader.sub_tables("tiers") {
        for (key, lacks) in [("from", "pieces that it begins with"), ("price", "price of one")] {
            if !tier.is_stated(key) {
                let message = format!("a tier does not say the {lacks}: `{key}`");
                return refuse(message, "write `tiers = [{ from = 100, price = \"$900\" }]`");
            }
        }
        // What is no count or no price, the checker has told.
        let (Some(from), Some(money)) = (tier.read_count("from"), tier.read_cost("price")) else {
            continue;
        };
        if reader.read_cost("price").is_some_and(|price| price.currency() != money.currency()) {
            let message =
                format!("the tier from {from} pieces has another currency than the price");
            return refuse(message, "an offer is in one currency: state all of it in that");
        }
        let (usd, _) = rates.convert_to_usd(money).map_err(|kind| ("tiers", kind))?;
        if let Some(kind) = price_items::check_second_price(usd, "a tier") {
            return Err(("tiers", kind));
        }
        if tiers.last().is_some_and(|last| last.from >= from) {
            let message = format!("the tier from {from} pieces does not follow the one before it");
            return refuse(message, "state the tier of fewest pieces first, and each once");
        }
        if usd > tiers.last().map_or(amount, |last| last.amount) {
            let message = format!("from {from} pieces on each costs more than of fewer pieces");
            return refuse(message, "a tier costs at most what the tier before it costs");
        }
        tiers.push(Tier { from, amount: usd });
    }
    if !tiers.is_empty() {
        if !matches!(item, PricedItem::Part(_)) {
            let message =
                format!("tiers count pieces of one part, and `{item}` is no part by its name");
            return refuse(message, "state tiers for the parts that you buy, each by its name");
        }
        if reader.is_stated("low") || reader.is_stated("high") {
            let message = "tiers and a range are two prices for the same pieces".to_owned();
            return refuse(message, "leave `low` and `high` out, or the tiers");
        }
    }
    let none = |item: &document::SpannedValue| matches!(&item.value, SpecValue::List(values) if values.is_empty());
    if reader.table().get("tiers").is_some_and(none) {
        return refuse("there is no tier".to_owned(), "add one, or leave `tiers` out");
    }
    let valid_until = reader.read_text("valid_until").map(str::to_owned);
    if let Some(kind) = valid_until.as_deref().and_then(|until| offer_dates_problem(until, date)) {
        return Err(("valid_until", kind));
    }
    let named = reader.read_names("includes").into_iter();
    let includes = named.filter_map(|(name, _)| Included::parse(name)).collect();
    let level = reader.read_text("level").and_then(PriceLevel::parse);
    let lead_days = reader.small_count("lead_days");
    Ok(Quote { valid_until, lead_days, tiers, includes, level, ..Quote::default() })
}

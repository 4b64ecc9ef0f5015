//! `[pricing]`: terms on the prices of books, rates of exchange, and the month that the age of a
//! price is counted to. What a price is multiplied with, `cost` decides.

use std::collections::{BTreeMap, BTreeSet};

use super::context::Context;
use super::price_items::{NAMED, own_item, priced_item_names};
use super::shelf::Shelf;
use crate::cost::BuyerTerms;
use crate::hardware::{Exchange, Month, Price, PricedItem};
use crate::spec::document::{Dated, SpecTable, SpecValue, TextPlace};
use crate::spec::problem::{Problem, ProblemKind};
use crate::spec::reader::Reader;
use crate::spec::schema::RATE;
use crate::spec::value;
use crate::units::{Currency, Money, Usd};

/// What holds for every part.
const ALL: &str = "all";

/// Terms, rates and date of a spec.
pub(super) struct Pricing {
    discounts: Shares,
    mark_ups: Shares,
    pub(super) rates: ExchangeRates,
    pub(super) as_of: Option<Month>,
    pub(super) old_after: u32,
}

/// Shares by part, role or all, each with the place of its key.
type Shares = BTreeMap<String, (f64, TextPlace)>;

/// Rates of exchange, each with where its key and its date stand.
pub(super) struct ExchangeRates {
    /// Dotted key of their table.
    path: String,
    all: BTreeMap<Currency, (Exchange, [Option<TextPlace>; 2])>,
}

impl Pricing {
    pub(super) fn new(context: &mut Context<'_>, shelf: &Shelf) -> Self {
        let reader = context.section_reader("pricing");
        let table = context.document.get_table("pricing");
        let mut problems = Vec::new();
        let rates = ExchangeRates::read_rates(
            table.and_then(|spec_table| spec_table.get_table("rates")),
            "pricing.rates",
            &mut problems,
        );
        context.problems.extend(problems);
        let as_of = reader.read_text("as_of").and_then(|text| {
            let month = Month::parse(text);
            if month.is_none() {
                let (first, last) = (Month::FIRST_YEAR, Month::LAST_YEAR);
                let wanted = format!("a month such as 2026-11, of {first} to {last}");
                let kind = ProblemKind::OutOfRange { value: text.to_owned(), wanted };
                context.add_problem(reader.path_of("as_of"), reader.place_of("as_of"), kind);
            }
            month
        });
        Self {
            discounts: resolve_price_shares(context, shelf, "discounts"),
            mark_ups: resolve_price_shares(context, shelf, "mark_ups"),
            rates,
            as_of,
            old_after: reader.small_count_or_default("max_age_months"),
        }
    }

    /// Terms on the price of an item: those of its own name, else of its role, else of all parts.
    pub(super) fn buyer_terms(&self, shelf: &Shelf, item: &PricedItem) -> BuyerTerms {
        let read = |shares| nearest_share(shares, shelf, item).map_or(0.0, |(_, share)| share);
        BuyerTerms { discount: read(&self.discounts), mark_up: read(&self.mark_ups) }
    }

    /// Terms that no price takes, where books price that and the spec itself `own`.
    pub(super) fn unused_terms(
        &self,
        shelf: &Shelf,
        prices: &BTreeMap<PricedItem, Price>,
        own: &BTreeMap<PricedItem, Price>,
    ) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (table, what, shares) in
            [("discounts", "discount", &self.discounts), ("mark_ups", "mark-up", &self.mark_ups)]
        {
            let items = prices.keys().filter(|item| !own.contains_key(item));
            let taken: BTreeSet<&str> =
                items.filter_map(|item| Some(nearest_share(shares, shelf, item)?.0)).collect();
            for (name, (_, place)) in shares.iter().filter(|(name, _)| !taken.contains(&name[..])) {
                let is_own = own_item(shelf, name).is_some_and(|item| own.contains_key(&item));
                let (message, hint) = match (is_own, ROLES.contains(&&name[..])) {
                    (true, _) => (
                        format!(
                            "the {what} has no effect: the spec states a price of `{name}` itself"
                        ),
                        format!("prices of the spec are net: leave the {what} out, or that price"),
                    ),
                    (_, true) => (
                        format!("the {what} has no effect: no price of a book takes it"),
                        "nearer terms or prices of the spec hold for all of these: leave it out"
                            .into(),
                    ),
                    _ => (
                        format!("the {what} has no effect: no book has a price of `{name}`"),
                        "add its price to a book, or leave it out".to_owned(),
                    ),
                };
                let kind = ProblemKind::new_contradiction(message, hint);
                let key = format!("pricing.{table}.{name}");
                problems.push(Problem { key, kind, place: Some(*place) });
            }
        }
        problems
    }
}

impl ExchangeRates {
    /// The rates of a table.
    pub(super) fn read_rates(
        table: Option<&SpecTable>,
        path: &str,
        problems: &mut Vec<Problem>,
    ) -> Self {
        let mut rates = BTreeMap::new();
        for (code, entry) in table.iter().flat_map(|table| &table.entries) {
            let Some(inner) = entry.item.value.as_table() else { continue };
            let reader =
                Reader::new(inner, &RATE, format!("{path}.{code}"), Some(entry.item.place));
            let mut refuse = |value: &str, wanted: &str, place| {
                let (value, wanted) = (value.to_owned(), wanted.to_owned());
                let kind = ProblemKind::OutOfRange { value, wanted };
                problems.push(Problem { key: format!("{path}.{code}"), kind, place: Some(place) });
            };
            let Some(currency) = Currency::parse(code) else {
                refuse(
                    code,
                    "the code of a currency in use (ISO 4217), in capitals, such as EUR",
                    entry.key,
                );
                continue;
            };
            if currency == Currency::USD {
                refuse(code, "another currency: prices are in US dollars already", entry.key);
                continue;
            }
            let (usd, date) = (reader.read_number("usd"), reader.read_text("date"));
            let (Some(usd), Some(date)) = (usd, date) else {
                if !(reader.is_stated("usd") && reader.is_stated("date")) {
                    let meaning = "a rate has a value and a date".to_owned();
                    let hint = format!("write `{code} = {{ usd = 1.16, date = \"2026-09-15\" }}`");
                    let kind = ProblemKind::Missing { meaning, hint };
                    let place = Some(entry.item.place);
                    problems.push(Problem { key: format!("{path}.{code}"), kind, place });
                }
                continue;
            };
            if usd > DEAREST {
                let (message, hint) = (
                    format!("no {code} is worth {usd} US dollars"),
                    format!(
                        "state US dollars for one {code}; where a dollar is {usd} {code}, that is {:.6}",
                        1.0 / usd
                    ),
                );
                let kind = ProblemKind::new_contradiction(message, hint);
                let (key, place) = (reader.path_of("usd"), reader.place_of("usd"));
                problems.push(Problem { key, kind, place });
            }
            let exchange = Exchange { currency, usd, date: date.to_owned() };
            let places = [Some(entry.key), reader.place_of("date")];
            rates.insert(currency, (exchange, places));
        }
        Self { path: path.to_owned(), all: rates }
    }

    /// The dates of all.
    pub(super) fn rate_dates(&self) -> Vec<Dated> {
        let dated =
            |(code, (exchange, places)): (&Currency, &(Exchange, [Option<TextPlace>; 2]))| Dated {
                key: format!("{}.{code}.date", self.path),
                subject: format!("the rate of `{code}`"),
                date: exchange.date.clone(),
                place: places[1],
            };
        self.all.iter().map(dated).collect()
    }

    /// Rates of currencies in which nothing of a text is quoted.
    pub(super) fn unused_rates(&self, within: &SpecTable) -> Vec<Problem> {
        let unused =
            self.all.iter().filter(|(currency, _)| !has_amount_in_table(within, **currency));
        let each = unused.map(|(code, (_, places))| {
            let message = format!("nothing here is quoted in `{code}`, so its rate has no effect");
            let hint = "leave it out: a book and a spec each convert by rates of their own";
            let kind = ProblemKind::new_contradiction(message, hint);
            Problem { key: format!("{}.{code}", self.path), kind, place: places[0] }
        });
        each.collect()
    }

    /// An amount in US dollars, and at which rate where it was in another currency.
    pub(super) fn convert_to_usd(
        &self,
        money: Money,
    ) -> Result<(Usd, Option<Exchange>), ProblemKind> {
        if money.currency() == Currency::USD {
            return Ok((money.to_usd(1.0), None));
        }
        match self.all.get(&money.currency()) {
            Some((rate, ..)) => Ok((rate.to_usd(money), Some(rate.clone()))),
            None => {
                let code = money.currency();
                let message = format!("there is no rate for `{code}`");
                let rate = format!("{code} = {{ usd = …, date = \"2026-09-15\" }}");
                let hint = format!("add to [{}] what one is in US dollars: `{rate}`", self.path);
                Err(ProblemKind::new_contradiction(message, hint))
            }
        }
    }
}

/// Most US dollars that a unit of a currency is worth: the dearest, the Kuwaiti dinar, is at about
/// 3.
const DEAREST: f64 = 10.0;

/// Whether any text of a table, however it goes on, begins with a currency.
fn has_amount_in_table(spec_table: &SpecTable, currency: Currency) -> bool {
    fn has_amount_in_value(value: &SpecValue, currency: Currency) -> bool {
        match value {
            SpecValue::Text(text) => {
                Currency::split_currency(text).is_some_and(|(found, _)| found == currency)
            }
            SpecValue::List(items) => {
                items.iter().any(|item| has_amount_in_value(&item.value, currency))
            }
            SpecValue::Table(table) => has_amount_in_table(table, currency),
            _ => false,
        }
    }
    spec_table.entries.values().any(|entry| has_amount_in_value(&entry.item.value, currency))
}

/// The nearest share for an item, with its name: that of its own, else of its role, else of all
/// parts.
fn nearest_share<'s>(
    shares: &'s Shares,
    shelf: &Shelf,
    item: &PricedItem,
) -> Option<(&'s str, f64)> {
    let role = item_role(shelf, item).map(str::to_owned);
    let all = role.is_some().then(|| ALL.to_owned());
    let names = [Some(item_key(item)), role, all];
    names.into_iter().flatten().find_map(|name| {
        let (name, (share, _)) = shares.get_key_value(&name)?;
        Some((name.as_str(), *share))
    })
}

/// Shares by part, role or all.
fn resolve_price_shares(context: &mut Context<'_>, shelf: &Shelf, key: &'static str) -> Shares {
    /// The widest range of both; the checker has held each to its own.
    const MOST: f64 = 2.0;
    let mut shares = BTreeMap::new();
    let table =
        context.document.get_table("pricing").and_then(|spec_table| spec_table.get_table(key));
    for (name, entry) in table.iter().flat_map(|table| &table.entries) {
        let known = ROLES.contains(&name.as_str()) || own_item(shelf, name).is_some();
        if !known {
            let groups = ROLES.map(str::to_owned);
            let known: Vec<String> = groups.into_iter().chain(priced_item_names(shelf)).collect();
            let path = format!("pricing.{key}.{name}");
            context.report_unknown_name(path, Some(entry.key), "part or role", name, known);
        } else if let Ok(share) = value::parse_number(&entry.item, 0.0, MOST) {
            shares.insert(name.clone(), (share, entry.key));
        }
    }
    shares
}

/// What terms may be stated for besides single parts: all of them, or those of a role.
const ROLES: [&str; 8] = [ALL, "node", "memory", "nic", "switch", "optic", "cable", "appliance"];

/// Name of an item in `[prices]` and `[pricing]`.
fn item_key(item: &PricedItem) -> String {
    match item {
        PricedItem::Part(name) => name.clone(),
        PricedItem::SwitchPort(rate) => format!("switch-port-{rate}g"),
        PricedItem::Transceiver(rate) => format!("transceiver-{rate}g"),
        PricedItem::Nic(rate) => format!("nic-{rate}g"),
        named => NAMED
            .iter()
            .find(|(_, item)| item == named)
            .map_or_else(String::new, |(name, _)| (*name).to_owned()),
    }
}

/// What an item is on a bill; nothing where it is no part.
fn item_role(shelf: &Shelf, item: &PricedItem) -> Option<&'static str> {
    match item {
        PricedItem::SwitchPort(_) => Some("switch"),
        PricedItem::Transceiver(_) => Some("optic"),
        PricedItem::Nic(_) => Some("nic"),
        PricedItem::HostMemory => Some("memory"),
        PricedItem::Electricity | PricedItem::Labour => None,
        PricedItem::LinkCable => Some("cable"),
        PricedItem::Part(name) => {
            let drawers = [
                ("node", &shelf.nodes),
                ("nic", &shelf.nics),
                ("switch", &shelf.switches),
                ("optic", &shelf.optics),
                ("cable", &shelf.cables),
                ("appliance", &shelf.appliances),
            ];
            drawers.into_iter().find(|(_, drawer)| drawer.has_part(name)).map(|(role, _)| role)
        }
    }
}

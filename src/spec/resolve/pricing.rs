//! `[pricing]`: terms on the prices of books, rates of exchange, and the month that the age of a
//! price is counted to. What a price is multiplied with, `cost` decides.

use std::collections::BTreeMap;

use super::context::Context;
use super::items::{items, own_item};
use super::shelf::Shelf;
use crate::cost::Terms;
use crate::hardware::{Exchange, Item, Month};
use crate::spec::document::Table;
use crate::spec::problem::{Problem, ProblemKind};
use crate::spec::reader::Reader;
use crate::spec::schema::RATE;
use crate::spec::value;
use crate::units::{Currency, Money, Usd};

/// What holds for every part.
const ALL: &str = "all";

/// Terms, rates and date of a spec.
pub(super) struct Pricing {
    discounts: BTreeMap<String, f64>,
    mark_ups: BTreeMap<String, f64>,
    pub(super) rates: Rates,
    pub(super) as_of: Option<Month>,
    pub(super) old_after: u32,
}

/// Rates of exchange.
#[derive(Default)]
pub(super) struct Rates(BTreeMap<Currency, Exchange>);

impl Pricing {
    pub(super) fn new(context: &mut Context<'_>, shelf: &Shelf) -> Self {
        let reader = context.section("pricing");
        let table = context.document.table("pricing");
        let mut problems = Vec::new();
        let rates =
            Rates::read(table.and_then(|of| of.table("rates")), "pricing.rates", &mut problems);
        context.problems.extend(problems);
        let as_of = reader.text("as_of").and_then(|text| {
            let month = Month::parse(text);
            if month.is_none() {
                let wanted = "a month such as 2026-11".to_owned();
                let kind = ProblemKind::OutOfRange { value: text.to_owned(), wanted };
                context.problem(reader.path_of("as_of"), reader.place_of("as_of"), kind);
            }
            month
        });
        Self {
            discounts: shares(context, shelf, "discounts"),
            mark_ups: shares(context, shelf, "mark_ups"),
            rates,
            as_of,
            old_after: reader.small_count_or_default("max_age_months"),
        }
    }

    /// Terms on the price of an item: those of its own name, else of its role, else of all parts.
    pub(super) fn terms(&self, shelf: &Shelf, item: &Item) -> Terms {
        let role = role(shelf, item);
        let name = key(item);
        let of = |shares: &BTreeMap<String, f64>| {
            let by_role = || role.and_then(|role| shares.get(role).or_else(|| shares.get(ALL)));
            shares.get(&name).or_else(by_role).copied().unwrap_or(0.0)
        };
        Terms { discount: of(&self.discounts), mark_up: of(&self.mark_ups) }
    }
}

impl Rates {
    /// The rates of a table.
    pub(super) fn read(table: Option<&Table>, path: &str, problems: &mut Vec<Problem>) -> Self {
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
                refuse(code, "the code of a currency in capitals, such as EUR", entry.key);
                continue;
            };
            if currency == Currency::USD {
                refuse(code, "another currency: prices are in US dollars already", entry.key);
                continue;
            }
            let (usd, date) = (reader.number("usd"), reader.text("date"));
            let (Some(usd), Some(date)) = (usd, date) else {
                if !(reader.stated("usd") && reader.stated("date")) {
                    let meaning = "a rate has a value and a date".to_owned();
                    let hint = format!("write `{code} = {{ usd = 1.16, date = \"2026-09-15\" }}`");
                    let kind = ProblemKind::Missing { meaning, hint };
                    let place = Some(entry.item.place);
                    problems.push(Problem { key: format!("{path}.{code}"), kind, place });
                }
                continue;
            };
            rates.insert(currency, Exchange { currency, usd, date: date.to_owned() });
        }
        Self(rates)
    }

    /// An amount in US dollars, and at which rate where it was in another currency.
    pub(super) fn convert(&self, money: Money) -> Result<(Usd, Option<Exchange>), ProblemKind> {
        if money.currency() == Currency::USD {
            return Ok((money.at(1.0), None));
        }
        match self.0.get(&money.currency()) {
            Some(rate) => Ok((rate.of(money), Some(rate.clone()))),
            None => {
                let code = money.currency();
                let message = format!("there is no rate for `{code}`");
                let rate = format!("{code} = {{ usd = 1.16, date = \"2026-09-15\" }}");
                Err(ProblemKind::Contradiction { message, hint: format!("add one: `{rate}`") })
            }
        }
    }
}

/// Shares by part, role or all.
fn shares(context: &mut Context<'_>, shelf: &Shelf, key: &'static str) -> BTreeMap<String, f64> {
    /// The widest range of both; the checker has held each to its own.
    const MOST: f64 = 100.0;
    let mut shares = BTreeMap::new();
    let table = context.document.table("pricing").and_then(|of| of.table(key));
    for (name, entry) in table.iter().flat_map(|table| &table.entries) {
        let known = ROLES.contains(&name.as_str()) || own_item(shelf, name).is_some();
        if !known {
            let groups = ROLES.map(str::to_owned);
            let known: Vec<String> = groups.into_iter().chain(items(shelf)).collect();
            let path = format!("pricing.{key}.{name}");
            context.unknown(path, Some(entry.key), "part or role", name, known);
        } else if let Ok(share) = value::number(&entry.item, 0.0, MOST) {
            shares.insert(name.clone(), share);
        }
    }
    shares
}

/// What terms may be stated for besides single parts: all of them, or those of a role.
const ROLES: [&str; 8] = [ALL, "node", "memory", "nic", "switch", "optic", "cable", "appliance"];

/// Name of an item in `[prices]` and `[pricing]`.
fn key(item: &Item) -> String {
    match item {
        Item::Part(name) => name.clone(),
        Item::SwitchPort(rate) => format!("switch-port-{rate}g"),
        Item::Transceiver(rate) => format!("transceiver-{rate}g"),
        Item::Nic(rate) => format!("nic-{rate}g"),
        Item::HostMemory => "host-memory".to_owned(),
        Item::Electricity => "electricity".to_owned(),
        Item::Labour => "labour".to_owned(),
        Item::LinkCable => "link-cable".to_owned(),
    }
}

/// What an item is on a bill; nothing where it is no part.
fn role(shelf: &Shelf, item: &Item) -> Option<&'static str> {
    match item {
        Item::SwitchPort(_) => Some("switch"),
        Item::Transceiver(_) => Some("optic"),
        Item::Nic(_) => Some("nic"),
        Item::HostMemory => Some("memory"),
        Item::Electricity | Item::Labour => None,
        Item::LinkCable => Some("cable"),
        Item::Part(name) => {
            let drawers = [
                ("node", &shelf.nodes),
                ("nic", &shelf.nics),
                ("switch", &shelf.switches),
                ("optic", &shelf.optics),
                ("cable", &shelf.cables),
                ("appliance", &shelf.appliances),
            ];
            drawers.into_iter().find(|(_, drawer)| drawer.has(name)).map(|(role, _)| role)
        }
    }
}

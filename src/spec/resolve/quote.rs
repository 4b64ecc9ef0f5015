//! What an offer says beside its price: tiers, validity, lead time.

use super::dates::offer_dates_problem;
use super::pricing::ExchangeRates;
use super::worth;
use crate::hardware::{Included, PriceLevel, PricedItem, Quote, Tier};
use crate::spec::document::{self, SpecValue};
use crate::spec::problem::ProblemKind;
use crate::spec::reader::Reader;
use crate::units::Usd;

/// Keys of an offer.
pub(super) const OFFER: [&str; 3] = ["tiers", "valid_until", "lead_days"];

/// The terms of an offer at a price of one, made at a date.
///
/// # Errors
/// Where tiers are no tiers of that item, or the offer ended before it was made; with the key to blame.
pub(super) fn resolve_quote(
    reader: &Reader<'_>,
    rates: &ExchangeRates,
    (amount, date): (Usd, &str),
    item: &PricedItem,
) -> Result<Quote, (&'static str, ProblemKind)> {
    let refuse = |message: String, hint: &str| {
        Err(("tiers", ProblemKind::Contradiction { message, hint: hint.to_owned() }))
    };
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
        if let Some(kind) = worth::check_second_price(usd, "a tier") {
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

//! What an offer says beside its price: tiers, validity, lead time.

use super::pricing::Rates;
use crate::hardware::{Item, Quote, Tier};
use crate::spec::problem::ProblemKind;
use crate::spec::reader::Reader;
use crate::units::Usd;

/// Keys of an offer.
pub(super) const OFFER: [&str; 3] = ["tiers", "valid_until", "lead_days"];

/// The terms of an offer at a price of one.
///
/// # Errors
/// Where tiers are no tiers of that item; with the key to blame.
pub(super) fn quote(
    reader: &Reader<'_>,
    rates: &Rates,
    amount: Usd,
    item: &Item,
) -> Result<Quote, (&'static str, ProblemKind)> {
    let refuse = |message: String, hint: &str| {
        Err(("tiers", ProblemKind::Contradiction { message, hint: hint.to_owned() }))
    };
    let mut tiers: Vec<Tier> = Vec::new();
    for tier in reader.tables("tiers") {
        for (key, meaning) in [("from", "pieces that a tier begins with"), ("price", "its price")] {
            if !tier.stated(key) {
                let hint = "write `tiers = [{ from = 100, price = \"$900\" }]`".to_owned();
                return Err(("tiers", ProblemKind::Missing { meaning: meaning.to_owned(), hint }));
            }
        }
        // What is no count or no price, the checker has told.
        let (Some(from), Some(money)) = (tier.count("from"), tier.cost("price")) else { continue };
        if reader.cost("price").is_some_and(|price| price.currency() != money.currency()) {
            let message =
                format!("the tier from {from} pieces has another currency than the price");
            return refuse(message, "an offer is in one currency: state all of it in that");
        }
        let (usd, _) = rates.convert(money).map_err(|kind| ("tiers", kind))?;
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
        if !matches!(item, Item::Part(_)) {
            let message = format!("`{item}` is bought in many parts, so tiers have no pieces");
            return refuse(message, "state tiers for parts by their names");
        }
        if reader.stated("low") || reader.stated("high") {
            let message = "tiers and a range are two prices for the same pieces".to_owned();
            return refuse(message, "leave `low` and `high` out, or the tiers");
        }
    }
    if tiers.is_empty() && reader.stated("tiers") && reader.tables("tiers").is_empty() {
        return refuse("there is no tier".to_owned(), "add one, or leave `tiers` out");
    }
    let valid_until = reader.text("valid_until").map(str::to_owned);
    Ok(Quote { valid_until, lead_days: reader.small_count("lead_days"), tiers, settled: false })
}

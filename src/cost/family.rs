//! What an HB domain of a family costs: its parts, times what they cost.

use crate::fabric::HbCounts;
use crate::hardware::{Family, FamilyPrices, Price, Quote};
use crate::units::Usd;

/// What joins the GPUs of a domain, in dollars: chips, and links of either kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HbCost {
    /// At the prices as they stand.
    pub amount: Usd,
    /// At the lowest of each.
    pub low: Usd,
    /// At the highest.
    pub high: Usd,
}

/// What joins the GPUs of a domain; nothing where it is on a board whose price is the GPUs'. `None`
/// where a part that it has is without a price.
#[must_use]
pub fn hb_cost(family: &Family, counts: &HbCounts, prices: &FamilyPrices) -> Option<HbCost> {
    if counts.request.gpus <= family.board {
        return Some(HbCost::default());
    }
    let parts = [
        (counts.chip_count(), prices.chip.as_ref()),
        // Where there are chips, links may end on their board; else they are all that there is.
        (
            if prices.link.is_none() && counts.levels > 0 { 0 } else { counts.gpu_links },
            prices.link.as_ref(),
        ),
        (counts.long_links, prices.long_link.as_ref()),
    ];
    let mut sum = HbCost::default();
    for (count, price) in parts.into_iter().filter(|(count, _)| *count > 0) {
        let (price, count) = (price?, count as f64);
        let (low, high) = price.bounds();
        sum.amount += price.amount * count;
        sum.low += low * count;
        sum.high += high * count;
    }
    Some(sum)
}

/// Price of a domain, with what the price of its GPUs has in it; `None` where a part of it has none. It is as well known
/// as the least known of its parts.
#[must_use]
pub fn domain_price(family: &Family, counts: &HbCounts, prices: &FamilyPrices) -> Option<Price> {
    let gpu = prices.gpu.as_ref()?;
    let inside = hb_cost(family, counts, prices)?;
    let gpus = f64::from(counts.request.gpus);
    let (low, high) = gpu.bounds();
    let (low, high) = (low * gpus + inside.low, high * gpus + inside.high);
    let on_board = counts.request.gpus <= family.board;
    let parts = [&prices.chip, &prices.link, &prices.long_link].into_iter().flatten();
    let parts = parts.filter(|_| !on_board).chain([gpu]);
    let weakest = parts.min_by_key(|price| price.basis.weight()).unwrap_or(gpu);
    Some(Price {
        amount: gpu.amount * gpus + inside.amount,
        range: (low < high).then_some((low, high)),
        basis: weakest.basis,
        date: gpu.date.clone(),
        source: format!("{} GPUs and what joins them: {}", counts.request.gpus, weakest.source),
        exchange: None,
        quote: Quote {
            includes: gpu.quote.includes.clone(),
            level: gpu.quote.level,
            ..Quote::default()
        },
    })
}

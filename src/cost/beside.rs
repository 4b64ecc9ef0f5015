//! What the networks beside the compute network cost. A design's own totals have none of it.

use std::collections::BTreeMap;

use super::bill::{BillLine, PurchasedPart};
use super::lookup::part_price;
use crate::hardware::{Price, PriceBook};
use crate::units::{Usd, Watts};

/// Lines of parts that are bought beside the design, each part once. What a design leaves of the stock
/// is not known here, so nothing of it is used.
#[must_use]
pub fn other_network_lines(parts: &[PurchasedPart<'_>], prices: &PriceBook) -> Vec<BillLine> {
    let mut all: BTreeMap<(super::Role, &str), (u64, Watts)> = BTreeMap::new();
    for part in parts.iter().filter(|part| part.count > 0) {
        all.entry((part.role, part.name)).or_insert((0, part.power)).0 += part.count;
    }
    let line = |((role, part), (count, power)): ((super::Role, &str), (u64, Watts))| {
        let unit: Option<Price> = part_price(prices, part).map(|price| price.for_pieces(count));
        let each = unit.as_ref().map_or(Usd::ZERO, |price| price.amount);
        let total = each * count as f64;
        BillLine { part: part.to_owned(), role, count, owned: 0, spares: 0, unit, total, power }
    };
    all.into_iter().map(line).collect()
}

//! Where a change of capex comes from, as bars: every line of the bill by quantity, by price
//! and by rate of exchange.

use super::super::super::number;
use super::super::super::picture::{Bar, Bars, Ink, Picture};
use crate::gate::CapexChange;
use crate::units::Usd;

/// Most bars of a picture; the table below it has the rest.
const MOST: usize = 12;

/// The amounts that a change is made of, those that weigh most first.
pub(super) fn change_bars(change: &CapexChange) -> Option<Picture> {
    let mut amounts: Vec<(String, Usd)> = Vec::new();
    for line in &change.lines {
        let (rate, price) = (line.by_exchange, line.by_price - line.by_exchange);
        for (why, usd) in [("quantity", line.by_quantity), ("price", price), ("rate", rate)] {
            if usd != Usd::ZERO {
                amounts.push((format!("{}, by {why}", line.part), usd));
            }
        }
    }
    amounts.sort_by(|a, b| b.1.get().abs().total_cmp(&a.1.get().abs()));
    let bars = amounts.into_iter().take(MOST).map(|(name, usd)| {
        let ink = if usd > Usd::ZERO { Ink::Orange } else { Ink::Green };
        Bar::with_single_ink(name, number::money_change(usd), usd.get().abs(), ink)
    });
    let legend = vec![(Ink::Orange, "costs more"), (Ink::Green, "costs less")];
    let total = number::money_change(change.total);
    Bars { bars: bars.collect(), legend, ..Bars::default() }
        .picture(&format!("What changed capex by {total}"))
}

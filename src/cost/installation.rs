//! What installing a cluster costs: hours of work, and the cables of links that no part of the bill is.

use super::bill::{BillLine, Role};
use crate::hardware::{PriceBook, PricedItem};
use crate::units::{Usd, Watts};

/// Work of one kind: what for, how many pieces, hours of each.
pub type InstallationWork = (&'static str, u64, f64);

/// Lines of work, in whole hours of each kind, and of so many link cables. A design leaves no stock of
/// them, so nothing owned is taken off.
#[must_use]
pub fn installation_lines(
    work: &[InstallationWork],
    link_cables: u64,
    prices: &PriceBook,
) -> Vec<BillLine> {
    let line = |part: String, role, count: u64, item: &PricedItem| {
        let unit = prices.prices.get(item).map(|price| price.for_pieces(count));
        let each = unit.as_ref().map_or(Usd::ZERO, |price| price.amount);
        let (owned, spares, power) = (0, 0, Watts::ZERO);
        BillLine { part, role, count, owned, spares, unit, total: each * count as f64, power }
    };
    let hours = |(_, pieces, each): &InstallationWork| {
        // A tenth of an hour ten times is one hour, whatever its binary fraction is.
        const DUST: f64 = 1e-9;
        (*pieces as f64 * each - DUST).ceil().max(0.0) as u64
    };
    let mut lines = vec![line(
        PricedItem::LinkCable.to_string(),
        Role::Cable,
        link_cables,
        &PricedItem::LinkCable,
    )];
    lines.extend(work.iter().map(|pair| {
        line(
            format!("{}: {}", PricedItem::Labour, pair.0),
            Role::Labour,
            hours(pair),
            &PricedItem::Labour,
        )
    }));
    lines.retain(|line| line.count > 0);
    lines
}

#[cfg(test)]
mod tests {
    use super::installation_lines;
    use crate::hardware::{Price, PriceBasis, PriceBook, PricedItem, Quote};
    use crate::units::Usd;

    /// 10 cables of 0.1 h and 3 switches of 1.5 h: 1 and 5 hours, the second rounded up from 4.5.
    #[test]
    fn hours_are_whole_and_without_a_price_where_none_is_known() {
        let price = Price {
            amount: Usd::from_f64(80.0),
            range: None,
            basis: PriceBasis::Assumed,
            date: "2026".into(),
            source: "test".into(),
            exchange: None,
            quote: Quote::default(),
        };
        let prices = [(PricedItem::Labour, price)].into();
        let book = PriceBook { prices, ..PriceBook::default() };
        let lines = installation_lines(&[("cables", 10, 0.1), ("switches", 3, 1.5)], 10, &book);
        let all: Vec<(u64, f64)> =
            lines.iter().map(|line| (line.count, line.total.get())).collect();
        assert_eq!(all, [(10, 0.0), (1, 80.0), (5, 400.0)]);
        assert!(lines[0].unit.is_none(), "no price of a link cable is known");
    }
}

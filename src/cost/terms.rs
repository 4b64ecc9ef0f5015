//! What a buyer pays: a price less a discount, plus a mark-up, in US dollars. Which terms hold for
//! which part is not its business.

use crate::hardware::{Price, PriceBook, PricedItem};
use crate::units::Usd;

/// Terms on a price of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BuyerTerms {
    /// Share taken off, 0 to 1.
    pub discount: f64,
    /// Share put on after that: duty, tax, freight, integration; 0 or more.
    pub mark_up: f64,
}

impl BuyerTerms {
    /// The price under these terms: amount · (1 − discount) · (1 + mark-up). Its source says so.
    #[must_use]
    pub fn apply_to_price(self, price: &Price) -> Price {
        if self == Self::default() {
            return price.clone();
        }
        const PERCENT: f64 = 100.0;
        let mut source = price.source.clone();
        for (share, word) in [(self.discount, "less"), (self.mark_up, "plus")] {
            if share > 0.0 {
                source.push_str(&format!(", {word} {} %", round_percentage(share * PERCENT)));
            }
        }
        let net = |amount: Usd| amount * (1.0 - self.discount) * (1.0 + self.mark_up);
        let range = price.range.map(|(low, high)| (net(low), net(high)));
        let mut quote = price.quote.clone();
        quote.tiers.iter_mut().for_each(|tier| tier.amount = net(tier.amount));
        Price { amount: net(price.amount), range, source, quote, ..price.clone() }
    }
}

/// A book in which every part costs `price` times as much; electricity does not change.
#[must_use]
pub fn scale_prices(book: &PriceBook, price: f64) -> PriceBook {
    let mut later = book.clone();
    for (_, known) in later.prices.iter_mut().filter(|(item, _)| **item != PricedItem::Electricity)
    {
        *known = BuyerTerms { discount: 1.0 - price, mark_up: 0.0 }.apply_to_price(known);
    }
    later
}

/// A percentage without the dust of binary fractions.
fn round_percentage(percent: f64) -> f64 {
    const STEPS: f64 = 1e6;
    (percent * STEPS).round() / STEPS
}

#[cfg(test)]
mod tests {
    use super::BuyerTerms;
    use crate::hardware::{Price, PriceBasis};
    use crate::units::Usd;

    #[test]
    fn a_discount_comes_off_before_a_mark_up_goes_on() {
        let price = Price {
            amount: Usd::from_f64(1000.0),
            range: Some((Usd::from_f64(500.0), Usd::from_f64(2000.0))),
            basis: PriceBasis::List,
            date: "2026-07".into(),
            source: "list".into(),
            exchange: None,
            quote: crate::hardware::Quote::default(),
        };
        let net = BuyerTerms { discount: 0.2, mark_up: 0.07 }.apply_to_price(&price);
        assert!((net.amount.get() - 856.0).abs() < 1e-9);
        assert!((net.bounds().1.get() - 1712.0).abs() < 1e-9);
        assert_eq!(net.source, "list, less 20 %, plus 7 %");
        assert_eq!(BuyerTerms::default().apply_to_price(&price), price);
    }
}

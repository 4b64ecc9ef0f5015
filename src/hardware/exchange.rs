//! What a unit of a currency is worth, and when. Which rate holds for which price is not its business.

use crate::units::{Currency, Money, Usd};

/// What a unit of a currency is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    /// The currency.
    pub currency: Currency,
    /// US dollars for one unit.
    pub usd: f64,
    /// When that held.
    pub date: String,
}

impl Exchange {
    /// The amount in US dollars.
    #[must_use]
    pub fn to_usd(&self, money: Money) -> Usd {
        money.to_usd(self.usd)
    }

    /// How an amount in US dollars came about.
    #[must_use]
    pub fn conversion_text(&self) -> String {
        format!("at {} USD per {} of {}", self.usd, self.currency, self.date)
    }

    /// How many times as many dollars the same amount is at the later rate; `None` where that is of
    /// another currency.
    #[must_use]
    pub fn dollar_growth(&self, later: &Self) -> Option<f64> {
        (self.currency == later.currency).then_some(later.usd / self.usd)
    }
}

#[cfg(test)]
mod tests {
    use super::Exchange;
    use crate::units::{Currency, Money, Usd};

    fn rate(code: &str, usd: f64) -> Exchange {
        let currency = Currency::parse(code).expect("it is a code");
        Exchange { currency, usd, date: "2026-09-15".into() }
    }

    #[test]
    fn a_rate_is_named_with_its_date() {
        let euro = rate("EUR", 1.25);
        assert_eq!(
            euro.to_usd(Money::parse("EUR 100").expect("it is money")),
            Usd::from_f64(125.0)
        );
        assert_eq!(euro.conversion_text(), "at 1.25 USD per EUR of 2026-09-15");
    }

    #[test]
    fn rates_of_two_currencies_are_not_held_against_each_other() {
        assert_eq!(rate("EUR", 1.25).dollar_growth(&rate("EUR", 1.5)), Some(1.2));
        assert_eq!(rate("EUR", 1.25).dollar_growth(&rate("GBP", 1.5)), None);
    }
}

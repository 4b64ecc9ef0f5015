//! Offers: what is in a price, until when it holds, how long it takes, what more pieces cost each;
//! rates of exchange. Multiplies nothing.

use std::collections::BTreeSet;

use super::Month;
use crate::keys::choices;
use crate::units::{Currency, Money, Usd};

choices! {
    /// What the price of a machine has in it besides GPUs, host and chassis.
    pub enum Included {
        /// The interfaces that the machine ships with.
        Nic = "nic",
        /// Cards for storage and management.
        NorthSouth = "north-south",
        /// The memory that the machine ships with.
        Memory = "memory",
        /// Drives inside the machine.
        LocalStorage = "local-storage",
        /// The rack with its power shelves.
        Rack = "rack",
        /// Switches, modules and cables between machines.
        Fabric = "fabric",
        /// Storage outside the machine.
        Storage = "storage",
        /// Work on site.
        Installation = "installation",
    }
}

choices! {
    /// How much of a cluster the price of a machine is of.
    pub enum PriceLevel {
        /// GPUs and what joins them on their board.
        Board = "board",
        /// A server that runs.
        System = "system",
        /// A server with the vendor's support and software.
        Loaded = "loaded",
        /// A rack of trays with what joins them.
        Rack = "rack",
        /// A server or rack with its share of fabric, storage and management.
        AllIn = "all-in",
    }
}

/// Terms of an offer; an empty one where a price is no offer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quote {
    /// The last day, month or year that it holds in; `None` where it does not say.
    pub valid_until: Option<String>,
    /// Days from order to delivery; `None` where it does not say.
    pub lead_days: Option<u32>,
    /// Prices of one from so many pieces on, fewest pieces first; more pieces never cost more each.
    pub tiers: Vec<Tier>,
    /// The price is that of the pieces that are bought: tiers say no more than where it came from.
    pub settled: bool,
    /// What the price has in it besides the bare machine; empty where it does not say.
    pub includes: BTreeSet<Included>,
    /// How much of a cluster it is of; `None` where it does not say.
    pub level: Option<PriceLevel>,
    /// Price of one that is bought by itself, in US dollars, where this one is nothing because the
    /// price of a machine covers it; `None` elsewhere, and where nobody quotes it.
    pub alone: Option<Usd>,
}

/// What one piece costs where at least so many are bought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tier {
    pub from: u64,
    /// Price of each of them.
    pub amount: Usd,
}

impl Quote {
    /// True where nothing is said of what the price has in it.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        self.includes.is_empty() && self.level.is_none()
    }

    /// True where the price has the fabric between machines in it, so that none may be added.
    #[must_use]
    pub fn has_fabric(&self) -> bool {
        self.level == Some(PriceLevel::AllIn) || self.includes.contains(&Included::Fabric)
    }

    /// True where an offer ended before a month began.
    #[must_use]
    pub fn is_over_in(&self, month: Month) -> bool {
        self.valid_until.as_deref().and_then(Month::parse_latest).is_some_and(|last| last < month)
    }
}

/// What a unit of a currency is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    pub currency: Currency,
    /// US dollars for one unit.
    pub usd: f64,
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
    use super::{Exchange, Quote, Tier};
    use crate::hardware::{Month, Price, PriceBasis};
    use crate::units::{Currency, Money, Usd};

    fn price() -> Price {
        let tier = |from, usd| Tier { from, amount: Usd::from_f64(usd) };
        let tiers = vec![tier(100, 9.0), tier(1000, 7.0)];
        Price {
            amount: Usd::from_f64(10.0),
            range: None,
            basis: PriceBasis::List,
            date: "2026-09".into(),
            source: "an offer".into(),
            exchange: None,
            quote: Quote { valid_until: Some("2026-10-15".into()), tiers, ..Quote::default() },
        }
    }

    #[test]
    fn a_tier_holds_from_its_first_piece_on() {
        let each = |pieces| price().for_pieces(pieces).amount.get();
        assert_eq!([0, 1, 99, 100, 999, 1000].map(each), [10.0, 10.0, 10.0, 9.0, 9.0, 7.0]);
        assert_eq!(price().least_price(), Usd::from_f64(7.0));
        assert_eq!(
            price().price_at_tier(Usd::from_f64(9.0)).for_pieces(5000).amount,
            Usd::from_f64(9.0)
        );
    }

    #[test]
    fn an_offer_is_over_after_its_month() {
        let over = |month| price().quote.is_over_in(Month::parse(month).expect("a month"));
        assert_eq!(["2026-09", "2026-10", "2026-11"].map(over), [false, false, true]);
    }

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

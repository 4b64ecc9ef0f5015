//! Between which prices of a part a design stays the best, and what its price rests on.

use crate::hardware::{Month, Price, PriceBasis, PriceBook};
use crate::units::Usd;

/// The prices of a part between which the design stays the best.
#[derive(Clone, Debug, PartialEq)]
pub struct PriceBand {
    /// Part by its name in the catalogue.
    pub part: String,
    /// Its price.
    pub price: Usd,
    /// What kind of statement that is.
    pub basis: PriceBasis,
    /// When it held.
    pub date: String,
    /// Why it is looked at again: an assumption, or old in the month that the spec plans in.
    pub doubt: Option<PriceDoubt>,
    /// The design buys it.
    pub used: bool,
    /// Where the choice changes below it; `None` where it does not, down to a quarter.
    pub below: Option<PriceCrossing>,
    /// Where the choice changes above it; `None` where it does not, up to four times.
    pub above: Option<PriceCrossing>,
}

/// Why a price is looked at again before money rests on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriceDoubt {
    /// Nobody states it.
    Assumed,
    /// It is older than the spec wants prices to be in the month that it plans in.
    Old,
}

impl PriceDoubt {
    /// Why a price is; `None` where nothing speaks against it.
    #[must_use]
    pub fn doubt_of_price(price: &Price, book: &PriceBook) -> Option<Self> {
        let held = Month::parse_latest(&price.date);
        let old = book
            .as_of
            .zip(held)
            .is_some_and(|(as_of, held)| as_of.months_since(held) > book.old_after);
        match price.basis {
            PriceBasis::Assumed => Some(Self::Assumed),
            _ => old.then_some(Self::Old),
        }
    }

    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Assumed => "assumed",
            Self::Old => "old",
        }
    }
}

/// A price at which another design costs as little.
#[derive(Clone, Debug, PartialEq)]
pub struct PriceCrossing {
    /// The price.
    pub price: Usd,
    /// The other design, in a few words.
    pub to: String,
}

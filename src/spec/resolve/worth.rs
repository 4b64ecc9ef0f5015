//! What an amount of money may be as a price. Which price holds is not decided here.

use crate::hardware::{PriceBasis, PricedItem};
use crate::spec::problem::ProblemKind;
use crate::units::Usd;

/// Less than that is nothing, in US dollars: a hundredth of a cent.
const LEAST: f64 = 1e-4;

/// Most that a kWh costs anywhere, in US dollars: who states more means a MWh.
const MOST_A_KWH: f64 = 10.0;

/// What is wrong with a price of one, by what is said of it.
pub(super) fn check_price_amount(
    usd: Usd,
    item: &PricedItem,
    basis: PriceBasis,
) -> Option<ProblemKind> {
    let refuse = |message: String, hint: &str| {
        Some(ProblemKind::Contradiction { message, hint: hint.to_owned() })
    };
    let nothing = usd.get() < LEAST;
    match (nothing, basis) {
        (true, PriceBasis::Included) => None,
        (true, _) => refuse(
            format!("a price of nothing: `{item}` would be bought for $0"),
            "where another price has it in it, write `{ price = \"$0\", basis = \"included\" }`; where \
             nobody quotes it, leave it out; pieces that you own stand in [inventory]",
        ),
        (false, PriceBasis::Included) => refuse(
            format!("`{item}` is said to be included in another price, and has one of its own"),
            "state $0, or another basis",
        ),
        (false, _) if matches!(item, PricedItem::Electricity) && usd.get() > MOST_A_KWH => refuse(
            format!("${} for a kWh", usd.get()),
            "a price of a MWh is 1,000 times that of a kWh",
        ),
        (false, _) => None,
    }
}

/// What is wrong with another price of the same offer: the end of a range, a tier.
pub(super) fn check_second_price(usd: Usd, what: &str) -> Option<ProblemKind> {
    let nothing = usd.get() < LEAST;
    nothing.then(|| ProblemKind::Contradiction {
        message: format!("{what} of nothing: nobody offers a part for $0"),
        hint: "state what one costs at least, or leave it out".to_owned(),
    })
}

//! The quote that most of a bill rests on, and what the bill is where that quote moves.

use super::bill::{BillLine, Role};
use crate::hardware::{Price, PriceLevel};
use crate::units::Usd;

/// The quote of machines that most of a bill rests on. Machines whose prices have one range and one date are
/// of one quote, and move together.
#[derive(Clone, Debug, PartialEq)]
pub struct LargestQuote {
    /// Machines that are bought at it.
    pub parts: Vec<String>,
    /// Price of the first of them.
    pub price: Price,
    /// What is paid at it.
    pub paid: Usd,
    /// What is paid at it over all that is bought.
    pub share: f64,
    /// Everything bought at the lowest and at the highest of that quote, the other prices as they are; `None`
    /// where its price has no range.
    pub capex: Option<(Usd, Usd)>,
}

/// The quote that most of a bill rests on; `None` where no machine is bought at a price.
#[must_use]
pub fn largest_quote(lines: &[BillLine]) -> Option<LargestQuote> {
    let all: Usd = lines.iter().map(|line| line.total).sum();
    let machines = lines.iter().filter(|line| line.role == Role::Node && line.total > Usd::ZERO);
    let mut quotes: Vec<(Price, Vec<&BillLine>)> = Vec::new();
    for line in machines {
        let Some(price) = &line.unit else { continue };
        let alike = |(known, _): &&mut (Price, Vec<&BillLine>)| is_one_quote(known, price);
        match quotes.iter_mut().find(alike) {
            Some((_, known)) => known.push(line),
            None => quotes.push((price.clone(), vec![line])),
        }
    }
    let paid = |lines: &[&BillLine]| -> Usd { lines.iter().map(|line| line.total).sum() };
    let largest = |one: &(Price, Vec<&BillLine>), other: &(Price, Vec<&BillLine>)| {
        paid(&one.1).total_cmp(&paid(&other.1))
    };
    let (price, lines) = quotes.into_iter().max_by(largest)?;
    let of_quote = paid(&lines);
    let end = |of: fn((Usd, Usd)) -> Usd| -> Usd {
        let moved: Usd = lines.iter().map(|line| of(line.bounds())).sum();
        all - of_quote + moved
    };
    let capex = price.range.map(|_| (end(|(low, _)| low), end(|(_, high)| high)));
    Some(LargestQuote {
        parts: lines.iter().map(|line| line.part.clone()).collect(),
        price,
        paid: of_quote,
        share: of_quote / all,
        capex,
    })
}

/// True where two prices are of one quote: they agree in all but what is said of them.
fn is_one_quote(one: &Price, other: &Price) -> bool {
    (one.amount, one.range, &one.date) == (other.amount, other.range, &other.date)
}

/// True where prices of two machines can be compared: they are of one level, or a server and a rack that
/// both have their interfaces in the price, and neither has the fabric.
#[must_use]
pub fn are_comparable(one: &Price, other: &Price) -> bool {
    let [one, other] = [one, other].map(|price| &price.quote);
    let has_nics =
        |quote: &crate::hardware::Quote| quote.includes.contains(&crate::hardware::Included::Nic);
    let is_whole = |level| matches!(level, Some(PriceLevel::System | PriceLevel::Rack));
    let alike = one.level == other.level || is_whole(one.level) && is_whole(other.level);
    alike && has_nics(one) == has_nics(other) && one.has_fabric() == other.has_fabric()
}

//! Quotes of machines that a bill rests on, and what the bill is where one of them moves.

use super::bill::{BillLine, Role};
use crate::hardware::{Included, Price, PriceLevel, Quote};
use crate::units::Usd;

/// A quote that machines are bought at. Machines whose prices have one amount, range and date are of one
/// quote, and move together.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineQuote {
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

/// The quotes of machines that a bill rests on, that of the most money first.
#[must_use]
pub fn machine_quotes(lines: &[BillLine]) -> Vec<MachineQuote> {
    let all: Usd = lines.iter().map(|line| line.total).sum();
    let machines = lines.iter().filter(|line| line.role == Role::Node && line.total > Usd::ZERO);
    let mut quotes: Vec<(Price, Vec<&BillLine>)> = Vec::new();
    for line in machines {
        let Some(price) = &line.unit else { continue };
        match quotes.iter_mut().find(|(known, _)| is_one_quote(known, price)) {
            Some((_, known)) => known.push(line),
            None => quotes.push((price.clone(), vec![line])),
        }
    }
    let one = |(price, lines): (Price, Vec<&BillLine>)| machine_quote(price, &lines, all);
    let mut quotes: Vec<MachineQuote> = quotes.into_iter().map(one).collect();
    quotes.sort_by(|one, other| other.paid.total_cmp(&one.paid));
    quotes
}

/// The quote of some lines of a bill that comes to `all`.
fn machine_quote(price: Price, lines: &[&BillLine], all: Usd) -> MachineQuote {
    let paid: Usd = lines.iter().map(|line| line.total).sum();
    let low: Usd = lines.iter().map(|line| line.paid_range().0).sum();
    let high: Usd = lines.iter().map(|line| line.paid_range().1).sum();
    MachineQuote {
        parts: lines.iter().map(|line| line.part.clone()).collect(),
        capex: price.range.map(|_| (all - paid + low, all - paid + high)),
        price,
        paid,
        share: paid / all,
    }
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
    let has_nics = |quote: &Quote| quote.includes.contains(&Included::Nic);
    let is_whole = |level| matches!(level, Some(PriceLevel::System | PriceLevel::Rack));
    let alike = one.level == other.level || is_whole(one.level) && is_whole(other.level);
    alike && has_nics(one) == has_nics(other) && one.has_fabric() == other.has_fabric()
}

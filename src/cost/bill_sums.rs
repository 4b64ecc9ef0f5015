//! Bills added up, on one stock, paid in part or at another price; quotes of machines behind a
//! bill. Makes no line of one.

use std::collections::BTreeMap;

use super::bill::{BillLine, Role};
use crate::hardware::{Included, Price, PriceLevel, Quote};
use crate::units::{Usd, UsdRange};

/// Pieces of every part that are there for the next of several clusters.
#[derive(Clone, Debug)]
pub struct SharedStock {
    pieces: BTreeMap<String, u64>,
    keeps: bool,
}

impl SharedStock {
    /// What is owned before the first. Clusters that `keep` parts, as stages do, leave all that
    /// they use to the next ones; others use it up.
    #[must_use]
    pub const fn new(owned: BTreeMap<String, u64>, keep: bool) -> Self {
        Self { pieces: owned, keeps: keep }
    }

    /// Pieces by part.
    #[must_use]
    pub const fn pieces_by_part(&self) -> &BTreeMap<String, u64> {
        &self.pieces
    }

    /// A cluster uses so many pieces of a part. How many of them are bought.
    pub fn take_pieces(&mut self, part: &str, count: u64) -> u64 {
        let has = self.pieces.get(part).copied().unwrap_or(0);
        let left = if self.keeps { count.max(has) } else { has.saturating_sub(count) };
        if left != has {
            self.pieces.insert(part.to_owned(), left);
        }
        count.saturating_sub(has)
    }
}

/// What bills of new parts cost on top of a stock, each with its weight.
#[must_use]
pub fn paid_after<'a>(
    bills: impl Iterator<Item = (&'a [BillLine], f64)>,
    mut stock: SharedStock,
) -> Usd {
    let mut sum = Usd::ZERO;
    for (bill, weight) in bills {
        for line in bill.iter().filter(|line| !line.is_covered()) {
            let price = line.unit.as_ref().map_or(Usd::ZERO, |price| price.amount);
            sum += price * (stock.take_pieces(&line.part, line.count) as f64 * weight);
        }
    }
    sum
}

/// How much what each of several purchases takes in all counts at least in their sum, where one
/// after another buys what the ones before have not bought, at a price that never rises.
///
/// With P_i all that is bought up to purchase i and p_i its price, the sum is Σ p_i·(P_i −
/// P_{i−1}), which is Σ (p_i − p_{i+1})·P_i with no price after the last: the weights are p_i −
/// p_{i+1}, and P_i is at least what purchase i takes alone (docs/formulation.md).
#[must_use]
pub fn least_weights(prices: &[f64]) -> Vec<f64> {
    let next = prices.iter().copied().skip(1).chain([0.0]);
    prices.iter().zip(next).map(|(price, next)| (price - next).max(0.0)).collect()
}

/// A quote that machines are bought at. Machines whose prices have one amount, range and date are
/// of one quote, and move together.
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
    /// Everything bought at the lowest and at the highest of that quote, the other prices as they
    /// are; `None` where its price has no range.
    pub capex: Option<UsdRange>,
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
    let range: UsdRange = lines.iter().map(|line| line.paid_range()).sum();
    MachineQuote {
        parts: lines.iter().map(|line| line.part.clone()).collect(),
        capex: price.range.map(|_| range.map_ends(|end| all - paid + end)),
        price,
        paid,
        share: paid / all,
    }
}

/// True where two prices are of one quote: they agree in all but what is said of them.
fn is_one_quote(one: &Price, other: &Price) -> bool {
    (one.amount, one.range, &one.date) == (other.amount, other.range, &other.date)
}

/// True where prices of two machines can be compared: they are of one level, or a server and a rack
/// that both have their interfaces in the price, and neither has the fabric.
#[must_use]
pub fn are_comparable(one: &Price, other: &Price) -> bool {
    let [one, other] = [one, other].map(|price| &price.quote);
    let has_nics = |quote: &Quote| quote.includes.contains(&Included::Nic);
    let is_whole = |level| matches!(level, Some(PriceLevel::System | PriceLevel::Rack));
    let alike = one.level == other.level || is_whole(one.level) && is_whole(other.level);
    alike && has_nics(one) == has_nics(other) && one.has_fabric() == other.has_fabric()
}

/// The bills of several parts of a cluster as one: a line for each part and role, in the order of
/// the roles.
#[must_use]
pub fn merge_bills<'a>(bills: impl Iterator<Item = &'a [BillLine]>) -> Vec<BillLine> {
    merge_bill_lines(bills, |known, line| {
        known.count += line.count;
        known.owned += line.owned;
        known.spares += line.spares;
    })
}

/// The bills of stages that keep their parts as one: of each part as many as the stage that needs
/// most of them uses, less what was owned before the first; all that is paid for it is added up, at
/// the prices of each day. The price of one is what stages pay for it on average, so that pieces
/// times it is the total.
#[must_use]
pub fn merge_stage_bills<'a>(
    bills: impl Iterator<Item = &'a [BillLine]>,
    owned: &BTreeMap<String, u64>,
) -> Vec<BillLine> {
    let bills: Vec<&[BillLine]> = bills.collect();
    let mut all = merge_bill_lines(bills.iter().copied(), |known, line| {
        known.count = known.count.max(line.count);
        known.spares = known.spares.max(line.spares);
    });
    for line in &mut all {
        line.owned = owned.get(&line.part).map_or(0, |owned| line.count.min(*owned));
        let alike = |bill_line: &&BillLine| bill_line.is_of_one_kind(line);
        let stages = || bills.iter().copied().flatten().filter(alike);
        let paid: UsdRange = stages().map(BillLine::paid_range).sum();
        let pieces = line.bought_count() as f64;
        if pieces == 0.0 {
            continue;
        }
        let mean = |paid: Usd| paid / pieces;
        if let Some(unit) = &mut line.unit {
            unit.amount = mean(line.total);
            unit.range = unit.range.map(|_| paid.map_ends(mean));
        }
    }
    all
}

/// A line for each part and role, what is covered apart, in the order of the roles, with the sum of
/// what is paid for it;
/// `pieces` says how those of a further bill change what is known of the bills before it.
fn merge_bill_lines<'a>(
    bills: impl Iterator<Item = &'a [BillLine]>,
    pieces: impl Fn(&mut BillLine, &BillLine),
) -> Vec<BillLine> {
    let mut all: Vec<BillLine> = Vec::new();
    for line in bills.flatten() {
        let alike = |known: &&mut BillLine| known.is_of_one_kind(line);
        match all.iter_mut().find(alike) {
            Some(known) => {
                pieces(known, line);
                known.total += line.total;
            }
            None => all.push(line.clone()),
        }
    }
    all.sort_by_key(|line| line.role);
    all
}

/// What is paid for the parts of some roles.
#[must_use]
pub fn paid_for_roles(lines: &[BillLine], read: impl Fn(Role) -> bool) -> Usd {
    lines.iter().filter(|line| read(line.role)).map(|line| line.total).sum()
}

/// What is paid for machines that stand by, with all that is in them; nothing where they have no
/// price or are owned.
#[must_use]
pub fn standby_cost(lines: &[BillLine]) -> Usd {
    lines.iter().filter(|line| line.role.stands_by()).map(BillLine::spares_cost).sum()
}

/// A bill, were one part sold at another price.
#[must_use]
pub fn reprice_part(lines: &[BillLine], part: &str, price: Usd) -> Vec<BillLine> {
    let mut lines = lines.to_vec();
    for line in lines.iter_mut().filter(|line| line.part == part && !line.is_covered()) {
        line.total = price * line.bought_count() as f64;
    }
    lines
}

/// What changes in money from one bill to another at the lowest and at the highest prices of every
/// part, each part's chosen so that the change is least, and so that it is most. `None` where no
/// part that changes has a range.
#[must_use]
pub fn change_range(
    from: &[BillLine],
    to: &[BillLine],
    read: impl Fn(Role) -> bool,
) -> Option<UsdRange> {
    let mut changes: BTreeMap<&str, (f64, &Price)> = BTreeMap::new();
    for (lines, sign) in [(from, -1.0), (to, 1.0)] {
        for line in lines.iter().filter(|line| read(line.role) && !line.is_covered()) {
            if let Some(price) = &line.unit {
                let entry = changes.entry(&line.part).or_insert((0.0, price));
                entry.0 += sign * line.bought_count() as f64;
            }
        }
    }
    let ranged = changes.values().any(|(count, price)| *count != 0.0 && price.range.is_some());
    let sum = |end: fn(f64, f64) -> f64| -> Usd {
        let each = changes.values().map(|(count, price)| {
            let UsdRange { low, high } = price.bounds();
            end((low * *count).get(), (high * *count).get())
        });
        Usd::from_f64(each.sum())
    };
    ranged.then(|| UsdRange { low: sum(f64::min), high: sum(f64::max) })
}

#[cfg(test)]
mod tests {
    use super::{SharedStock, least_weights, paid_after};
    use crate::cost::{BillLine, Role};
    use crate::hardware::{Price, PriceBasis};
    use crate::units::{Usd, Watts};

    fn line(count: u64) -> BillLine {
        let unit = Some(Price {
            amount: Usd::from_f64(10.0),
            range: None,
            basis: PriceBasis::User,
            date: String::new(),
            source: String::new(),
            exchange: None,
            quote: crate::hardware::Quote::default(),
        });
        BillLine {
            part: "leaf".to_owned(),
            role: Role::Switch,
            count,
            owned: 0,
            spares: 0,
            unit,
            total: Usd::ZERO,
            power: Watts::ZERO,
        }
    }

    #[test]
    fn stages_keep_what_they_buy_and_parts_use_up_what_is_owned() {
        let bills = [vec![line(5)], vec![line(4)], vec![line(9)]];
        let paid = |keep| {
            let owned = [("leaf".to_owned(), 6)].into();
            paid_after(bills.iter().map(|bill| (&bill[..], 1.0)), SharedStock::new(owned, keep))
                .get()
        };
        // 0, 0 and 9 − 6; against 0, 4 − 1 and 9.
        assert_eq!((paid(true), paid(false)), (30.0, 120.0));
    }

    /// Purchases of 10, 25 and 40 in all, at prices of 1, 0.8 and 0.5: 10·1 + 15·0.8 + 15·0.5.
    #[test]
    fn weights_of_all_that_is_bought_sum_to_what_is_paid() {
        let weights = least_weights(&[1.0, 0.8, 0.5]);
        let sum: f64 = weights.iter().zip([10.0, 25.0, 40.0]).map(|(value, all)| value * all).sum();
        assert!((sum - 29.5).abs() < 1e-12, "{weights:?}");
        assert_eq!(least_weights(&[1.0, 1.0]), [0.0, 1.0]);
        assert!(least_weights(&[]).is_empty());
    }
}

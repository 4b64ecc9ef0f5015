//! What bills take together that draw on one stock, one after another. Joins no lines.

use std::collections::BTreeMap;

use super::bill::BillLine;
use crate::units::Usd;

/// Pieces of every part that are there for the next of several clusters.
#[derive(Clone, Debug)]
pub struct SharedStock {
    pieces: BTreeMap<String, u64>,
    keeps: bool,
}

impl SharedStock {
    /// What is owned before the first. Clusters that `keep` parts, as stages do, leave all that they
    /// use to the next ones; others use it up.
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
/// With P_i all that is bought up to purchase i and p_i its price, the sum is Σ p_i·(P_i − P_{i−1}),
/// which is Σ (p_i − p_{i+1})·P_i with no price after the last: the weights are p_i − p_{i+1}, and
/// P_i is at least what purchase i takes alone (docs/formulation.md).
#[must_use]
pub fn least_weights(prices: &[f64]) -> Vec<f64> {
    let next = prices.iter().copied().skip(1).chain([0.0]);
    prices.iter().zip(next).map(|(price, next)| (price - next).max(0.0)).collect()
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

//! What bills take together that draw on one stock, one after another. Joins no lines.

use std::collections::BTreeMap;

use super::bill::BillLine;
use crate::units::Usd;

/// What bills of new parts cost on top of what is owned: each takes from stock first. What a bill
/// uses is there for the next ones where they `keep` it, as stages do; parts of one cluster use it
/// up. Every bill counts with its `weight`.
#[must_use]
pub fn paid_after<'a>(
    bills: impl Iterator<Item = (&'a [BillLine], f64)>,
    owned: &BTreeMap<String, u64>,
    keep: bool,
) -> Usd {
    let mut stock = owned.clone();
    let mut sum = Usd::ZERO;
    for (bill, weight) in bills {
        for line in bill {
            let has = stock.entry(line.part.clone()).or_default();
            let price = line.unit.as_ref().map_or(Usd::ZERO, |price| price.amount);
            sum += price * (line.count.saturating_sub(*has) as f64 * weight);
            *has = if keep { line.count.max(*has) } else { has.saturating_sub(line.count) };
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::paid_after;
    use crate::cost::{BillLine, Role};
    use crate::hardware::{Basis, Price};
    use crate::units::{Usd, Watts};

    fn line(count: u64) -> BillLine {
        let unit = Some(Price {
            amount: Usd::of(10.0),
            range: None,
            basis: Basis::User,
            date: String::new(),
            source: String::new(),
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
            paid_after(bills.iter().map(|bill| (&bill[..], 1.0)), &owned, keep).get()
        };
        // 0, 0 and 9 − 6; against 0, 4 − 1 and 9.
        assert_eq!((paid(true), paid(false)), (30.0, 120.0));
    }
}

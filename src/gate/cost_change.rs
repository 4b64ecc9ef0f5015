//! What differs between two results; capex split into quantity and price.

use std::collections::{BTreeMap, BTreeSet};

use super::judge::differs_by_more_than_rounding;
use super::snapshot::{Snapshot, SnapshotPart};
use crate::hardware::{Exchange, PricedItem};
use crate::quantity::figure_unit;
use crate::units::{Unit, Usd};

/// The change of a bill. `by_quantity + by_price + other = total`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CapexChange {
    pub total: Usd,
    /// Other quantities at old prices: Σ p_old · (q_new − q_old).
    pub by_quantity: Usd,
    /// Other prices at new quantities: Σ q_new · (p_new − p_old).
    pub by_price: Usd,
    /// What of `by_price` is there only because a currency has another rate: the old price at the
    /// new rate less the old price.
    pub by_exchange: Usd,
    /// What stands in the totals, but on no line of the bill.
    pub other: Usd,
    /// `by_quantity` of the network alone.
    pub network_by_quantity: Usd,
    /// `by_price` of the network alone.
    pub network_by_price: Usd,
    /// What of `by_quantity` is there only because prices moved the optimum: at the old prices
    /// the same question has a cheaper answer. `None` where that was not asked.
    pub by_optimum: Option<Usd>,
    /// Lines that changed, those that weigh most first.
    pub lines: Vec<LineChange>,
}

/// A line of the bill on both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct LineChange {
    pub part: String,
    pub role: String,
    /// Pieces bought before.
    pub old_count: u64,
    pub new_count: u64,
    /// Price before; of a part that was on no bill, as far as a result knows it.
    pub old_unit: Option<Usd>,
    /// Price now; of a part that is on the bill no more, likewise.
    pub new_unit: Option<Usd>,
    /// (new_count − old_count) · old_unit.
    pub by_quantity: Usd,
    /// new_count · (new_unit − old_unit).
    pub by_price: Usd,
    /// What of it the rate of exchange did: new_count · old_unit · (new rate / old rate − 1);
    /// nothing where a side was priced in US dollars, or each in another currency.
    pub by_exchange: Usd,
}

/// Takes the change apart. `middle` is the new question answered at the old prices, where
/// somebody has asked.
///
/// A part that only one side has counts wholly as quantity: what is new at its old price where a
/// result knows it, else at its new one. A part without a price counts nothing, as on the bill:
/// where it gets one, that is a change of price.
pub(super) fn capex_change(
    old: &Snapshot,
    new: &Snapshot,
    middle: Option<&Snapshot>,
) -> CapexChange {
    let capex = |snapshot: &Snapshot| {
        Usd::from_f64(snapshot.figures.get("cost.capex_usd").copied().unwrap_or(0.0))
    };
    let (before, after) = (lines_by_name(&old.bill), lines_by_name(&new.bill));
    let known = |part: &str, role: &str| {
        let middle = middle.and_then(|snapshot| {
            snapshot.bill.iter().find(|line| line.name == part && line.role == role)
        });
        let middle = middle.and_then(|snapshot_part| {
            Some((snapshot_part.unit_price()?, snapshot_part.exchange.clone()))
        });
        let listed = || Some((book_price(old, part)?, exchange_rate(old, part).cloned()));
        middle.or_else(listed).map(|(usd, exchange)| OldPrice { usd, exchange })
    };
    let mut keys: Vec<&(String, String)> = before.keys().chain(after.keys()).collect();
    keys.sort();
    keys.dedup();
    let mut change = CapexChange { total: capex(new) - capex(old), ..CapexChange::default() };
    for key in keys {
        let (was, is) = (before.get(key), after.get(key));
        let known = known(&key.1, &key.0);
        let known = known.or_else(|| {
            let usd = book_price(new, &key.1).filter(|_| was.is_none())?;
            Some(OldPrice { usd, exchange: None })
        });
        let line = line_change(was, is, known);
        change.by_quantity += line.by_quantity;
        change.by_price += line.by_price;
        change.by_exchange += line.by_exchange;
        if was.or(is).is_some_and(SnapshotPart::is_network) {
            change.network_by_quantity += line.by_quantity;
            change.network_by_price += line.by_price;
        }
        let same_price = match (line.old_unit, line.new_unit) {
            (Some(old), Some(new)) => {
                !super::judge::differs_by_more_than_rounding(old.get(), new.get())
            }
            (old, new) => old == new,
        };
        let by_rate = line.by_exchange != Usd::ZERO;
        if line.old_count != line.new_count || !same_price || by_rate {
            change.lines.push(line);
        }
    }
    change.other = change.total - change.by_quantity - change.by_price;
    // What is left of sums of large numbers is no money.
    if !super::judge::differs_by_more_than_rounding(
        capex(new).get(),
        (capex(new) - change.other).get(),
    ) {
        change.other = Usd::ZERO;
    }
    change.by_optimum = middle.map(|snapshot| change.by_quantity - (capex(snapshot) - capex(old)));
    let weight = |this_change: &LineChange| {
        this_change.by_quantity.get().abs() + this_change.by_price.get().abs()
    };
    change.lines.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then_with(|| a.part.cmp(&b.part)));
    change
}

/// What is known of the old price of a part that was on no bill.
struct OldPrice {
    usd: Usd,
    exchange: Option<Exchange>,
}

/// Rate of exchange of a part in the book that a result was made with.
fn exchange_rate<'a>(snapshot: &'a Snapshot, part: &str) -> Option<&'a Exchange> {
    snapshot.provenance.as_ref()?.exchange.get(&PricedItem::Part(part.to_owned()))
}

/// Price of a part in the book that a result was made with.
fn book_price(snapshot: &Snapshot, part: &str) -> Option<Usd> {
    let prices = &snapshot.provenance.as_ref()?.prices;
    prices.get(&PricedItem::Part(part.to_owned())).copied()
}

fn line_change(
    was: Option<&SnapshotPart>,
    is: Option<&SnapshotPart>,
    known: Option<OldPrice>,
) -> LineChange {
    let (old_count, new_count) = (
        was.map_or(0, |snapshot_part| snapshot_part.bought),
        is.map_or(0, |snapshot_part| snapshot_part.bought),
    );
    // What was on the bill without a price counted nothing; what was on no bill has the price
    // that is known of it, or the one that it has now.
    let (old_unit, old_rate) = match (was, known) {
        (Some(part), _) => (part.unit_price(), part.exchange.clone()),
        (None, Some(known)) => (Some(known.usd), known.exchange),
        (None, None) => (is.and_then(SnapshotPart::unit_price), None),
    };
    let new_unit = match is {
        Some(part) => part.unit_price(),
        None => old_unit,
    };
    let price = |unit: Option<Usd>| unit.unwrap_or(Usd::ZERO);
    let pieces = new_count as f64 - old_count as f64;
    let growth = old_rate.zip(is.and_then(|snapshot_part| snapshot_part.exchange.as_ref()));
    let growth = growth.and_then(|(old, new)| old.dollar_growth(new)).unwrap_or(1.0);
    let by_price = (price(new_unit) - price(old_unit)) * new_count as f64;
    let by_rate = if new_unit.is_some() { price(old_unit) * (growth - 1.0) } else { Usd::ZERO };
    let by_rate = by_rate * new_count as f64;
    let all = growth != 1.0
        && !super::judge::differs_by_more_than_rounding(by_rate.get(), by_price.get());
    let part = was.or(is);
    LineChange {
        part: part.map_or_else(String::new, |snapshot_part| snapshot_part.name.clone()),
        role: part.map_or_else(String::new, |snapshot_part| snapshot_part.role.clone()),
        old_count,
        new_count,
        old_unit,
        new_unit,
        by_quantity: price(old_unit) * pieces,
        by_price,
        // What is left of differences of large numbers is no change of price.
        by_exchange: if all { by_price } else { by_rate },
    }
}

/// Lines by role and name; a part that stands twice is one.
fn lines_by_name(bill: &[SnapshotPart]) -> BTreeMap<(String, String), SnapshotPart> {
    let mut lines: BTreeMap<(String, String), SnapshotPart> = BTreeMap::new();
    for part in bill {
        lines
            .entry((part.role.clone(), part.name.clone()))
            .and_modify(|known| {
                known.bought = known.bought.saturating_add(part.bought);
                known.total += part.total;
                known.unit = known.unit.or(part.unit);
            })
            .or_insert_with(|| part.clone());
    }
    lines
}

/// A figure on both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Movement {
    pub key: String,
    /// Its unit.
    pub unit: Unit,
    /// Old value; `None` where that result has none.
    pub old: Option<f64>,
    /// New value; `None` likewise.
    pub new: Option<f64>,
}

/// A word on both sides, such as the kind of fabric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactChange {
    pub key: String,
    /// Old word; empty where there was none.
    pub old: String,
    /// New word; empty likewise.
    pub new: String,
}

impl Movement {
    /// By how much it changed, in its unit; `None` where a side has none.
    #[must_use]
    pub fn change(&self) -> Option<f64> {
        Some(self.new? - self.old?)
    }

    /// By which share of the old value it changed; `None` where a side has none or the old is 0.
    #[must_use]
    pub fn relative_change(&self) -> Option<f64> {
        let old = self.old.filter(|old| *old != 0.0)?;
        Some(self.change()? / old.abs())
    }
}

/// Every figure that differs by more than rounding, by key.
pub(super) fn figure_movements(old: &Snapshot, new: &Snapshot) -> Vec<Movement> {
    let keys: BTreeSet<&String> = old.figures.keys().chain(new.figures.keys()).collect();
    keys.into_iter()
        .map(|key| Movement {
            key: key.clone(),
            unit: figure_unit(key),
            old: old.figures.get(key).copied(),
            new: new.figures.get(key).copied(),
        })
        .filter(|movement| match (movement.old, movement.new) {
            (Some(old), Some(new)) => differs_by_more_than_rounding(old, new),
            _ => true,
        })
        .collect()
}

/// Every word that differs, by key.
pub(super) fn fact_changes(old: &Snapshot, new: &Snapshot) -> Vec<FactChange> {
    let keys: BTreeSet<&String> = old.words.keys().chain(new.words.keys()).collect();
    let word =
        |snapshot: &Snapshot, key: &str| snapshot.words.get(key).cloned().unwrap_or_default();
    keys.into_iter()
        .map(|key| FactChange { key: key.clone(), old: word(old, key), new: word(new, key) })
        .filter(|change| change.old != change.new)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{CapexChange, capex_change};
    use crate::gate::snapshot::{Provenance, Snapshot, SnapshotPart};
    use crate::hardware::PricedItem;
    use crate::units::Usd;

    fn snapshot(lines: &[(&str, u64, Option<f64>)]) -> Snapshot {
        let bill: Vec<SnapshotPart> = lines
            .iter()
            .map(|(name, bought, usd)| SnapshotPart {
                name: (*name).into(),
                role: "switch".into(),
                bought: *bought,
                unit: usd.map(Usd::from_f64),
                total: Usd::from_f64(usd.unwrap_or(0.0) * *bought as f64),
                basis: None,
                exchange: None,
            })
            .collect();
        let capex: Usd = bill.iter().map(|part| part.total).sum();
        let figures = [("cost.capex_usd".to_owned(), capex.get())].into();
        Snapshot { bill, figures, ..Snapshot::default() }
    }

    fn split(old: &[(&str, u64, Option<f64>)], new: &[(&str, u64, Option<f64>)]) -> CapexChange {
        let found = capex_change(&snapshot(old), &snapshot(new), None);
        let sum = found.by_quantity + found.by_price + found.other;
        assert!((sum.get() - found.total.get()).abs() < 1e-9, "{found:?}");
        found
    }

    #[track_caller]
    fn is(found: &CapexChange, by_quantity: f64, by_price: f64) {
        assert_eq!((found.by_quantity.get(), found.by_price.get()), (by_quantity, by_price));
        assert_eq!(found.other, Usd::ZERO);
    }

    #[test]
    fn pieces_count_at_old_prices_and_prices_at_new_pieces() {
        is(&split(&[("a", 10, Some(5.0))], &[("a", 12, Some(5.0))]), 10.0, 0.0);
        is(&split(&[("a", 10, Some(5.0))], &[("a", 10, Some(6.0))]), 0.0, 10.0);
        is(&split(&[("a", 10, Some(5.0))], &[("a", 12, Some(6.0))]), 10.0, 12.0);
    }

    #[test]
    fn a_part_that_comes_or_goes_is_quantity() {
        is(&split(&[("a", 10, Some(5.0))], &[]), -50.0, 0.0);
        is(&split(&[], &[("a", 10, Some(5.0))]), 50.0, 0.0);
    }

    #[test]
    fn a_part_that_gets_or_loses_its_price_is_a_price() {
        is(&split(&[("a", 10, None)], &[("a", 10, Some(5.0))]), 0.0, 50.0);
        is(&split(&[("a", 10, Some(5.0))], &[("a", 10, None)]), 0.0, -50.0);
    }

    #[test]
    fn a_part_on_two_lines_is_all_of_its_pieces() {
        let two = [("a", 10, Some(5.0)), ("a", 4, Some(5.0))];
        is(&split(&two, &[("a", 14, Some(5.0))]), 0.0, 0.0);
        is(&split(&two, &[("a", 15, Some(6.0))]), 5.0, 15.0);
        is(&split(&[("a", 15, Some(6.0))], &two), -6.0, -14.0);
    }

    #[test]
    fn the_share_of_switches_is_told_apart_too() {
        let found = split(&[("a", 10, Some(5.0))], &[("a", 12, Some(6.0))]);
        let network = (found.network_by_quantity.get(), found.network_by_price.get());
        assert_eq!(network, (10.0, 12.0));
    }

    /// Ten new pieces cost $4 at the old prices, by the design made with those, and $5 now.
    #[test]
    fn a_new_part_has_the_price_of_the_design_at_old_prices() {
        let middle = snapshot(&[("a", 10, Some(4.0))]);
        let found = capex_change(&snapshot(&[]), &snapshot(&[("a", 10, Some(5.0))]), Some(&middle));
        is(&found, 40.0, 10.0);
    }

    /// Ten new pieces at $4 by the book of their own result, which pays $5 for them on average.
    #[test]
    fn a_new_part_without_an_old_price_has_that_of_its_book() {
        let prices = [(PricedItem::Part("a".to_owned()), Usd::from_f64(4.0))].into();
        let book = Provenance { prices, ..Provenance::default() };
        let new = Snapshot { provenance: Some(book), ..snapshot(&[("a", 10, Some(5.0))]) };
        is(&capex_change(&snapshot(&[]), &new, None), 40.0, 10.0);
    }

    #[test]
    fn nothing_changed_is_no_line() {
        let found =
            split(&[("a", 10, Some(5.0)), ("b", 1, None)], &[("a", 10, Some(5.0)), ("b", 1, None)]);
        assert_eq!(found, CapexChange::default());
    }
}

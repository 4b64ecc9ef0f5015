//! What no rule on figures can see: a price that got lost or fell to nothing, one that rests on less
//! than before, and rules of the spec that were loosened. It judges no rule.

use super::finding::Finding;
use super::snapshot::{Snapshot, SnapshotPart};
use super::strictness::loosened_rules;
use crate::hardware::PricedItem;
use crate::units::Usd;

/// Everything that is found, in a fixed order. `lost_prices` is false where somebody has switched off
/// the rule against them.
pub(super) fn find_weak_prices(old: &Snapshot, new: &Snapshot, lost_prices: bool) -> Vec<Finding> {
    let mut found = Vec::new();
    if lost_prices {
        found.extend(
            newly_unpriced(old, new).map(|part| Finding::LostPrice {
                part: part.clone(),
                old: price_before(old, part),
            }),
        );
        found.extend(newly_free(old, new));
    }
    found.extend(weaker_bases(old, new));
    found.extend(loosened_rules(old, new));
    found
}

/// Parts that have no price now and had one, or were not on the bill.
pub(super) fn newly_unpriced<'a>(
    old: &'a Snapshot,
    new: &'a Snapshot,
) -> impl Iterator<Item = &'a String> {
    new.unpriced.iter().filter(|part| !old.unpriced.contains(part))
}

/// What is paid nothing for and had a price.
fn newly_free(old: &Snapshot, new: &Snapshot) -> Vec<Finding> {
    let bought = new.bill.iter().filter(|line| line.bought > 0);
    let free = bought.filter(|line| line.unit == Some(Usd::ZERO)).map(|line| line.name.clone());
    let power = PricedItem::Electricity;
    let prices = new.provenance.as_ref().map(|provenance| &provenance.prices);
    let free_power = prices.and_then(|prices| prices.get(&power)) == Some(&Usd::ZERO);
    free.chain(free_power.then(|| power.to_string()))
        .filter_map(|part| {
            let old = price_before(old, &part).filter(|usd| *usd > Usd::ZERO)?;
            Some(Finding::FreePart { part, old })
        })
        .collect()
}

fn price_before(old: &Snapshot, part: &str) -> Option<Usd> {
    let on_bill = old.bill.iter().find(|line| line.name == part).and_then(SnapshotPart::unit_price);
    let prices = old.provenance.as_ref().map(|provenance| &provenance.prices);
    on_bill.or_else(|| prices?.get(&PricedItem::parse(part)).copied())
}

fn weaker_bases(old: &Snapshot, new: &Snapshot) -> Vec<Finding> {
    let mut found = Vec::new();
    for line in new.bill.iter().filter(|line| line.bought > 0) {
        let before = old.bill.iter().find(|snapshot_part| {
            (&snapshot_part.name, &snapshot_part.role) == (&line.name, &line.role)
        });
        let bases = before
            .filter(|snapshot_part| snapshot_part.bought > 0)
            .and_then(|snapshot_part| snapshot_part.basis)
            .zip(line.basis);
        if let Some((old, new)) = bases.filter(|(old, new)| new.weight() < old.weight()) {
            found.push(Finding::WeakerBasis { part: line.name.clone(), old, new });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::find_weak_prices;
    use crate::gate::Provenance;
    use crate::gate::snapshot::{Snapshot, SnapshotPart};
    use crate::hardware::PriceBasis;
    use crate::hardware::price::PricedItem;
    use crate::units::quantity::Usd;

    /// A result with one line, its price and what that rests on, and a price of power.
    fn bill(bought: u64, usd: Option<f64>, basis: Option<PriceBasis>, power: f64) -> Snapshot {
        let unit = usd.map(Usd::from_f64);
        let line = SnapshotPart {
            name: "a".into(),
            role: "switch".into(),
            bought,
            unit,
            total: unit.unwrap_or(Usd::ZERO) * bought as f64,
            basis,
            exchange: None,
        };
        let prices = [(PricedItem::Electricity, Usd::from_f64(power))].into();
        let provenance = Some(Provenance { prices, ..Provenance::default() });
        let unpriced = if usd.is_none() && bought > 0 { vec!["a".into()] } else { Vec::new() };
        Snapshot { bill: vec![line], unpriced, provenance, ..Snapshot::default() }
    }

    #[track_caller]
    fn finds(old: &Snapshot, new: &Snapshot, expected: &[(&str, &str)]) {
        let found = find_weak_prices(old, new, true);
        let found: Vec<(&str, &str)> =
            found.iter().map(|finding| (finding.code(), finding.subject())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_price_that_is_gone_or_nothing_is_found() {
        let priced = |usd: f64| bill(3, Some(usd), Some(PriceBasis::List), 0.1);
        finds(&priced(5.0), &bill(3, None, None, 0.1), &[("lost-price", "a")]);
        finds(&priced(5.0), &priced(0.0), &[("free-part", "a")]);
        finds(&priced(5.0), &priced(1.0), &[]);
        // What cost nothing before, or had no price, is no cheaper by it.
        finds(&priced(0.0), &priced(0.0), &[]);
        finds(&bill(3, None, None, 0.1), &bill(3, None, None, 0.1), &[]);
        finds(&bill(3, None, None, 0.1), &priced(0.0), &[]);
        // Nothing is bought of it.
        finds(&priced(5.0), &bill(0, Some(0.0), Some(PriceBasis::List), 0.1), &[]);
        let power = |usd: f64| bill(1, Some(5.0), Some(PriceBasis::List), usd);
        finds(&power(0.1), &power(0.0), &[("free-part", "electricity")]);
        finds(&power(0.0), &power(0.0), &[]);
        assert_eq!(find_weak_prices(&priced(5.0), &priced(0.0), false), []);
    }

    #[test]
    fn a_price_may_rest_on_as_much_as_before_or_more() {
        let read = |basis, bought| bill(bought, Some(5.0), Some(basis), 0.1);
        for (old, new, weaker) in [
            (PriceBasis::List, PriceBasis::Street, false),
            (PriceBasis::Street, PriceBasis::User, false),
            (PriceBasis::User, PriceBasis::Paper, true),
            (PriceBasis::Paper, PriceBasis::Analyst, false),
            (PriceBasis::Analyst, PriceBasis::Assumed, true),
            (PriceBasis::Assumed, PriceBasis::Assumed, false),
            (PriceBasis::Assumed, PriceBasis::List, false),
        ] {
            let expected: &[(&str, &str)] = if weaker { &[("weaker-basis", "a")] } else { &[] };
            finds(&read(old, 1), &read(new, 1), expected);
            // Of what is owned on a side, nothing rests on its price there.
            finds(&read(old, 0), &read(new, 1), &[]);
            finds(&read(old, 1), &read(new, 0), &[]);
        }
    }
}

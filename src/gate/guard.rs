//! What weakens a gate without breaking a rule: lost prices, weaker bases, loosened rules.

use super::figure_name;
use super::finding::Finding;
use super::judge::exceeds_bound;
use super::rule::{Rule, RuleBound, RuleComparison};
use super::snapshot::{Severity, Snapshot, SnapshotPart, StatedRule};
use crate::hardware::{PriceBasis, PricedItem};
use crate::quantity::figure_unit;
use crate::units::Usd;

/// Everything that is found, in a fixed order. `lost_prices` is false where somebody has switched
/// off the rule against them.
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
    // Of a part that one product brings and another does not, only some is paid for.
    let is_paid = |name: &str| {
        let mut lines = new.bill.iter().filter(|line| line.bought > 0 && line.name == name);
        lines.any(|line| line.unit.is_some_and(|usd| usd > Usd::ZERO))
    };
    let free = bought
        .filter(|line| line.unit == Some(Usd::ZERO) && !is_paid(&line.name))
        .map(|line| line.name.clone());
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

/// What rests on less: of a part on several lines, as where one product brings it and another does not,
/// the weakest of what is bought counts.
fn weaker_bases(old: &Snapshot, new: &Snapshot) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    let mut parts: Vec<(&str, &str)> = Vec::new();
    for line in new.bill.iter().filter(|line| line.bought > 0) {
        let part = (line.name.as_str(), line.role.as_str());
        if parts.contains(&part) {
            continue;
        }
        parts.push(part);
        let [before, after] = [old, new].map(|snapshot| weakest_basis(snapshot, part.0, part.1));
        let bases = before.zip(after);
        if let Some((old, new)) = bases.filter(|(old, new)| new.weight() < old.weight()) {
            found.push(Finding::WeakerBasis { part: line.name.clone(), old, new });
        }
    }
    found
}

fn weakest_basis(snapshot: &Snapshot, name: &str, role: &str) -> Option<PriceBasis> {
    let lines = snapshot.bill.iter().filter(|line| line.bought > 0);
    let own = lines.filter(|line| line.name == name && line.role == role);
    own.filter_map(|line| line.basis).min_by_key(|basis| basis.weight())
}

/// Rules of the old result that the new one does not keep at least as strictly. Nothing where one
/// of them does not say which rules its spec had.
fn loosened_rules(old: &Snapshot, new: &Snapshot) -> Vec<Finding> {
    let rules = |snapshot: &'_ Snapshot| {
        snapshot.provenance.as_ref().and_then(|provenance| provenance.rules.clone())
    };
    let (Some(before), Some(after)) = (rules(old), rules(new)) else { return Vec::new() };
    let (before, after) = (active_rules(&before, old, new), active_rules(&after, old, new));
    let mut found = Vec::new();
    for rule in &before {
        let text = rule.rule.to_string();
        let alike: Vec<&ActiveRules<'_>> = after
            .iter()
            .filter(|known_rule| known_rule.key == rule.key && known_rule.severity >= rule.severity)
            .collect();
        if alike.iter().any(|known_rule| known_rule.rule.is_same_rule(rule.rule))
            || is_still_enforced(rule, &alike)
        {
            continue;
        }
        let now: Vec<(Severity, String)> = after
            .iter()
            .filter(|known_rule| {
                known_rule.key == rule.key
                    && known_rule.rule.comparison.has_common_direction(rule.rule.comparison)
            })
            .map(|known_rule| (known_rule.severity, known_rule.rule.to_string()))
            .collect();
        let severity = rule.severity;
        found.push(if now.is_empty() {
            Finding::RemovedRule { rule: text, severity }
        } else {
            Finding::LooserRule { rule: text, severity, now }
        });
    }
    found
}

/// A rule that can be breached.
struct ActiveRules<'a> {
    rule: &'a Rule,
    severity: Severity,
    /// Key that its name means; the name itself where it means none in either result.
    key: String,
    /// Highest and lowest value that it lets pass, at the old value of its figure; `None` where it
    /// does not bound that side, or nothing can be said.
    highest: Option<f64>,
    lowest: Option<f64>,
}

/// The rules that can be breached: no `never`, and none that a `never` of the same list switches
/// off.
fn active_rules<'a>(
    gates: &'a [StatedRule],
    old: &Snapshot,
    new: &Snapshot,
) -> Vec<ActiveRules<'a>> {
    let key = |rule: &Rule| figure_name::resolve_figure_key(&rule.quantity, old, new);
    let key = |rule: &Rule| key(rule).unwrap_or_else(|_| rule.quantity.clone());
    let off = |gate: &StatedRule| {
        gates.iter().any(|stated_rule| {
            stated_rule.rule.bound == RuleBound::Never
                && (stated_rule.severity, stated_rule.rule.comparison)
                    == (gate.severity, gate.rule.comparison)
                && key(&stated_rule.rule) == key(&gate.rule)
        })
    };
    let active = gates.iter().filter(|gate| gate.rule.bound != RuleBound::Never && !off(gate));
    active
        .map(|gate| {
            let key = key(&gate.rule);
            let (lowest, highest) = passing_range(&gate.rule, &key, old.figures.get(&key).copied());
            ActiveRules { rule: &gate.rule, severity: gate.severity, key, highest, lowest }
        })
        .collect()
}

/// Lowest and highest value that a rule lets pass where the figure was `before`.
fn passing_range(rule: &Rule, key: &str, before: Option<f64>) -> (Option<f64>, Option<f64>) {
    let unit = figure_unit(key);
    let (below, above) = match rule.bound {
        RuleBound::Never => (None, None),
        RuleBound::Level(level) => {
            let value = level.amount_in_unit(unit, 0.0);
            (value, value)
        }
        RuleBound::Change { by, negative } => {
            let change = |before: f64| by.amount_in_unit(unit, before);
            let ends = before.and_then(|before| Some((before, change(before)?)));
            match (ends, rule.comparison) {
                (None, _) => (None, None),
                (Some((was, by)), RuleComparison::Either) => (Some(was - by), Some(was + by)),
                (Some((was, by)), _) => {
                    let value = if negative { was - by } else { was + by };
                    (Some(value), Some(value))
                }
            }
        }
    };
    match rule.comparison {
        RuleComparison::Above => (None, above),
        RuleComparison::Below => (below, None),
        RuleComparison::Either => (below, above),
    }
}

/// Whether rules on the same figure let nothing pass that `rule` stops.
fn is_still_enforced(rule: &ActiveRules<'_>, alike: &[&ActiveRules<'_>]) -> bool {
    let least = alike.iter().filter_map(|rules| rules.highest).reduce(f64::min);
    let most = alike.iter().filter_map(|rules| rules.lowest).reduce(f64::max);
    let size = |a: f64, b: f64| a.abs().max(b.abs());
    let high = match (rule.highest, least) {
        (Some(old), Some(new)) => !exceeds_bound(new, old, RuleComparison::Above, size(old, new)),
        (old, _) => old.is_none(),
    };
    let low = match (rule.lowest, most) {
        (Some(old), Some(new)) => !exceeds_bound(new, old, RuleComparison::Below, size(old, new)),
        (old, _) => old.is_none(),
    };
    // A rule of which nothing can be said is kept only by itself.
    (rule.highest.is_some() || rule.lowest.is_some()) && high && low
}

#[cfg(test)]
mod tests {
    use super::{find_weak_prices, loosened_rules};
    use crate::gate::finding::Finding;
    use crate::gate::rule::Rule;
    use crate::gate::snapshot::{Severity, Snapshot, SnapshotPart, StatedRule};
    use crate::gate::{Provenance, RuleOrigin};
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

    fn gates(severity: Severity, rules: &[&str]) -> Vec<StatedRule> {
        let rule = |text: &&str| Rule::parse(text).expect("it is a rule");
        let gate = |rule| StatedRule { rule, severity, origin: RuleOrigin::Spec };
        rules.iter().map(rule).map(gate).collect()
    }

    fn with(rules: Vec<StatedRule>) -> Snapshot {
        let figures = [("cost.capex_usd".to_owned(), 100.0), ("step.mfu".to_owned(), 0.5)].into();
        let provenance = Some(Provenance { rules: Some(rules), ..Provenance::default() });
        Snapshot { figures, provenance, ..Snapshot::default() }
    }

    fn codes(old: Vec<StatedRule>, new: Vec<StatedRule>) -> Vec<&'static str> {
        loosened_rules(&with(old), &with(new)).iter().map(Finding::code).collect()
    }

    #[track_caller]
    fn case(old: &[&str], new: &[&str], expected: &[&str]) {
        let fail = |rules| gates(Severity::Fail, rules);
        assert_eq!(codes(fail(old), fail(new)), expected, "{old:?} to {new:?}");
    }

    #[test]
    fn a_rule_is_kept_by_one_at_least_as_strict() {
        case(&["capex>+2%"], &["capex>+2%"], &[]);
        case(&["capex>+2%"], &[" cost.capex > +2 %"], &[]);
        case(&["capex>+2%"], &["capex>+1%", "power>+1%"], &[]);
        case(&["capex>+2%"], &["capex~2%"], &[]);
        // Two dollars are two percent of a hundred, and 102 is as much.
        case(&["capex>+2%"], &["capex>+$2"], &[]);
        case(&["capex>+2%"], &["capex>$102"], &[]);
        case(&["capex~2%"], &["capex>+2%", "capex<-1%"], &[]);
        case(&["mfu<-1%"], &["mfu<-0.5%"], &[]);
        case(&["mfu<0.4"], &["mfu<0.45"], &[]);
        case(&["capex>+2%"], &["capex>+1%", "capex>+3%"], &[]);
        case(&["mfu<-2%"], &["mfu<-1%", "mfu<-3%"], &[]);
        case(&["capex>never"], &[], &[]);
        case(&[], &["capex>+2%"], &[]);
    }

    #[test]
    fn a_looser_rule_and_a_removed_one_are_found() {
        case(&["capex>+2%"], &[], &["removed-rule"]);
        case(&["capex>+2%"], &["power>+2%"], &["removed-rule"]);
        case(&["capex>+2%"], &["capex<-2%"], &["removed-rule"]);
        case(&["capex>+2%"], &["capex>+2%", "capex>never"], &["removed-rule"]);
        case(&["capex>+2%"], &["capex>+2.1%"], &["looser-rule"]);
        case(&["capex>+2%"], &["capex>$103"], &["looser-rule"]);
        case(&["capex~2%"], &["capex>+2%"], &["looser-rule"]);
        case(&["capex~2%"], &["capex>+2%", "capex<-3%"], &["looser-rule"]);
        case(&["mfu<-1%"], &["mfu<-2%"], &["looser-rule"]);
        case(&["mfu<0.4"], &["mfu<0.3"], &["looser-rule"]);
        case(&["absent>+2%"], &["absent>+1%"], &["looser-rule"]);
        case(&["absent>+2%"], &["absent > +2%"], &[]);
    }

    #[test]
    fn a_rule_that_only_warns_is_looser_than_one_that_fails() {
        let (fail, warn) =
            (gates(Severity::Fail, &["capex>+2%"]), gates(Severity::Warn, &["capex>+2%"]));
        assert_eq!(codes(fail.clone(), warn.clone()), ["looser-rule"]);
        assert_eq!(codes(warn, fail), [""; 0]);
    }

    #[test]
    fn a_result_that_does_not_say_its_rules_is_not_held_to_them() {
        let old = Snapshot { provenance: Some(Provenance::default()), ..Snapshot::default() };
        assert_eq!(loosened_rules(&old, &with(Vec::new())), []);
    }
}

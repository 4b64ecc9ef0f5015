//! Rules of a spec against those of the one before it: which are gone, and which let more pass. Knows
//! no price, and judges no result.

use super::finding::Finding;
use super::judge::exceeds_bound;
use super::quantity;
use super::rule::{Rule, RuleBound, RuleComparison};
use super::snapshot::Snapshot;
use super::stated::{Severity, StatedRule};
use crate::quantity::figure_unit;

/// Rules of the old result that the new one does not keep at least as strictly. Nothing where one of
/// them does not say which rules its spec had.
pub(super) fn loosened_rules(old: &Snapshot, new: &Snapshot) -> Vec<Finding> {
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
        found.push(match now.is_empty() {
            true => Finding::RemovedRule { rule: text, severity },
            false => Finding::LooserRule { rule: text, severity, now },
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

/// The rules that can be breached: no `never`, and none that a `never` of the same list switches off.
fn active_rules<'a>(
    gates: &'a [StatedRule],
    old: &Snapshot,
    new: &Snapshot,
) -> Vec<ActiveRules<'a>> {
    let key = |rule: &Rule| quantity::resolve_figure_key(&rule.quantity, old, new);
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
    use super::loosened_rules;
    use crate::gate::finding::Finding;
    use crate::gate::rule::Rule;
    use crate::gate::snapshot::Snapshot;
    use crate::gate::stated::{Severity, StatedRule};
    use crate::gate::{Provenance, RuleOrigin};

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

//! Rules held against two results. It changes no result and knows no cause.

use super::figure_name::{self, RuleProblem, RuleProblemKind};
use super::rule::{RuleBound, RuleComparison};
use super::snapshot::{Snapshot, StatedRule, Verdict};
use crate::quantity::figure_unit;
use crate::units::Unit;

/// A rule with what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    pub gate: StatedRule,
    /// Key that its name means.
    pub key: String,
    /// Unit of the figure.
    pub unit: Unit,
    /// Old value; `None` where that result has none.
    pub old: Option<f64>,
    /// New value; `None` likewise.
    pub new: Option<f64>,
    /// Switched off by a `never` of the same severity, quantity and direction, from somebody who
    /// may.
    pub silenced: bool,
    pub verdict: Verdict,
    /// It holds by what the new spec states of prices and parts, and not by what the old side does.
    pub broken_on_terms: bool,
}

/// Differences below this share of a value are rounding: results keep twelve digits, and 2 % of a
/// number is rarely an exact float.
const ROUNDING: f64 = 1e-10;

impl Judged {
    /// By how much the figure changed; `None` where one of the results has none.
    #[must_use]
    pub fn change(&self) -> Option<f64> {
        Some(self.new? - self.old?)
    }
}

/// Every rule with its verdict, in the order given.
///
/// # Errors
/// Where the name of a rule means no figure, or its threshold is of another unit.
pub(super) fn judge_rules(
    gates: &[StatedRule],
    old: &Snapshot,
    new: &Snapshot,
) -> Result<Vec<Judged>, RuleProblem> {
    let mut judged = Vec::new();
    for gate in gates {
        judged.push(judge_rule(gate, old, new)?);
    }
    let never: Vec<(String, StatedRule)> = judged
        .iter()
        .filter(|judgement| judgement.gate.rule.bound == RuleBound::Never)
        .map(|judgement| (judgement.key.clone(), judgement.gate.clone()))
        .collect();
    for judgement in &mut judged {
        let same = |(key, never): &(String, StatedRule)| {
            *key == judgement.key
                && never.severity == judgement.gate.severity
                && never.rule.comparison == judgement.gate.rule.comparison
                && never.origin.can_overrule(judgement.gate.origin)
        };
        if judgement.gate.rule.bound != RuleBound::Never && never.iter().any(same) {
            judgement.silenced = true;
            judgement.verdict = Verdict::Pass;
        }
    }
    Ok(judged)
}

fn judge_rule(gate: &StatedRule, old: &Snapshot, new: &Snapshot) -> Result<Judged, RuleProblem> {
    let rule = &gate.rule;
    let problem = |kind| RuleProblem { rule: rule.to_string(), kind };
    let key = figure_name::resolve_figure_key(&rule.quantity, old, new)
        .map_err(|error| problem(RuleProblemKind::Quantity(error)))?;
    let unit = figure_unit(&key);
    let (before, after) = (old.figures.get(&key).copied(), new.figures.get(&key).copied());
    let breached = match rule.bound {
        RuleBound::Never => false,
        RuleBound::Change { by, negative } => {
            let reference = before.unwrap_or(0.0);
            let amount = by.amount_in_unit(unit, reference).ok_or_else(|| {
                let threshold = by.noun();
                problem(RuleProblemKind::Unit { threshold, key: key.clone(), unit })
            })?;
            let bound = if negative { -amount } else { amount };
            match (before, after) {
                (Some(before), Some(after)) => exceeds_bound(
                    after - before,
                    bound,
                    rule.comparison,
                    before.abs().max(after.abs()),
                ),
                // Nothing can be said of a figure that one side lacks, and silence would be a yes.
                (None, None) => false,
                _ => true,
            }
        }
        RuleBound::Level(level) => {
            let bound = level.amount_in_unit(unit, 0.0).ok_or_else(|| {
                let threshold = level.noun();
                problem(RuleProblemKind::Unit { threshold, key: key.clone(), unit })
            })?;
            after.is_none_or(|after| exceeds_bound(after, bound, rule.comparison, after.abs()))
        }
    };
    let verdict = if breached { gate.severity.breach_verdict() } else { Verdict::Pass };
    Ok(Judged {
        gate: gate.clone(),
        key,
        unit,
        old: before,
        new: after,
        silenced: false,
        verdict,
        broken_on_terms: false,
    })
}

/// Whether `value` lies beyond `bound`, by more than rounding of numbers of size `scale`.
pub(super) fn exceeds_bound(
    value: f64,
    bound: f64,
    comparison: RuleComparison,
    scale: f64,
) -> bool {
    let slack = ROUNDING * scale;
    match comparison {
        RuleComparison::Above => value - bound > slack,
        RuleComparison::Below => bound - value > slack,
        RuleComparison::Either => value.abs() - bound > slack,
    }
}

/// Whether two values of a figure differ by more than rounding.
pub(super) fn differs_by_more_than_rounding(old: f64, new: f64) -> bool {
    (new - old).abs() > ROUNDING * old.abs().max(new.abs())
}

#[cfg(test)]
mod tests {
    use super::judge_rules;
    use crate::gate::rule::Rule;
    use crate::gate::snapshot::{RuleOrigin, Severity, Snapshot, StatedRule, Verdict};

    fn snapshot(capex: Option<f64>) -> Snapshot {
        let key = "cost.capex_usd".to_owned();
        let mut snapshot = Snapshot::default();
        match capex {
            Some(value) => drop(snapshot.figures.insert(key, value)),
            None => drop(snapshot.absent.insert(key)),
        }
        snapshot
    }

    fn gate(rule: &str, severity: Severity) -> StatedRule {
        let rule = Rule::parse(rule).expect("the rule is one");
        StatedRule { rule, severity, origin: RuleOrigin::CommandLine }
    }

    #[track_caller]
    fn case(rule: &str, old: Option<f64>, new: Option<f64>, breached: bool) {
        let found = judge_rules(&[gate(rule, Severity::Fail)], &snapshot(old), &snapshot(new));
        let verdict = found.expect("the rule fits")[0].verdict;
        assert_eq!(verdict == Verdict::Fail, breached, "{rule}: {old:?} to {new:?}");
    }

    #[test]
    fn a_change_has_to_lie_beyond_its_threshold() {
        // 1.02 times 100 is no exact float: two percent are not more than two percent.
        case("capex>+2%", Some(100.0), Some(100.0 * 1.02), false);
        case("capex>+2%", Some(100.0), Some(102.01), true);
        case("capex>+2%", Some(100.0), Some(50.0), false);
        case("capex<-2%", Some(100.0), Some(97.9), true);
        case("capex<-2%", Some(100.0), Some(98.0), false);
        case("capex~2%", Some(100.0), Some(97.0), true);
        case("capex~2%", Some(100.0), Some(103.0), true);
        case("capex~2%", Some(100.0), Some(101.0), false);
        case("capex>+500000", Some(1e9), Some(1e9 + 500_000.0), false);
        case("capex>+500000", Some(1e9), Some(1e9 + 500_001.0), true);
        case("capex>-5%", Some(100.0), Some(96.0), true);
        case("capex>-5%", Some(100.0), Some(94.0), false);
    }

    #[test]
    fn a_threshold_of_zero_is_not_never() {
        case("capex>+0%", Some(100.0), Some(100.0), false);
        case("capex>+0%", Some(100.0), Some(100.000_01), true);
        case("capex>never", Some(100.0), Some(1e9), false);
    }

    #[test]
    fn a_level_is_held_against_the_new_value_alone() {
        case("capex>$60M", Some(70e6), Some(59e6), false);
        case("capex>$60M", Some(10.0), Some(61e6), true);
        case("capex>$60M", None, Some(61e6), true);
        case("capex>$60M", Some(10.0), None, true);
    }

    #[test]
    fn growth_from_nothing_is_more_than_any_share() {
        case("capex>+50%", Some(0.0), Some(1.0), true);
        case("capex>+50%", Some(0.0), Some(0.0), false);
        case("capex>+50%", None, Some(1.0), true);
        case("capex>+50%", None, None, false);
    }

    #[test]
    fn never_silences_its_own_severity_and_direction_only() {
        let gates = [
            gate("capex>+2%", Severity::Fail),
            gate("capex>never", Severity::Fail),
            gate("capex>+1%", Severity::Warn),
            gate("capex~1%", Severity::Fail),
        ];
        let found = judge_rules(&gates, &snapshot(Some(1.0)), &snapshot(Some(2.0)));
        let verdicts: Vec<Verdict> =
            found.expect("they fit").iter().map(|judged| judged.verdict).collect();
        assert_eq!(verdicts, [Verdict::Pass, Verdict::Pass, Verdict::Warn, Verdict::Fail]);
    }

    #[test]
    fn never_switches_off_only_what_its_writer_may() {
        use RuleOrigin::{CommandLine, Planner, Policy, Spec};
        for (never, rule_origin, silenced) in [
            (Spec, Spec, true),
            (Spec, Planner, false),
            (Spec, CommandLine, false),
            (Spec, Policy, false),
            (CommandLine, Spec, true),
            (CommandLine, Planner, true),
            (CommandLine, CommandLine, true),
            (CommandLine, Policy, false),
            (Policy, Spec, true),
            (Policy, Planner, true),
            (Policy, CommandLine, false),
            (Policy, Policy, true),
        ] {
            let by = |rule, origin| StatedRule { origin, ..gate(rule, Severity::Fail) };
            let gates = [by("capex>+2%", rule_origin), by("capex>never", never)];
            let found = judge_rules(&gates, &snapshot(Some(1.0)), &snapshot(Some(2.0)));
            let found = found.expect("they fit");
            let verdict = if silenced { Verdict::Pass } else { Verdict::Fail };
            assert_eq!(
                (found[0].silenced, found[0].verdict),
                (silenced, verdict),
                "{never:?} {rule_origin:?}"
            );
        }
    }

    #[test]
    fn never_silences_its_own_figure_only() {
        let both = |capex: f64| {
            let figures = ["cost.capex_usd", "cost.power_w"].map(|key| (key.to_owned(), capex));
            Snapshot { figures: figures.into(), ..Snapshot::default() }
        };
        let gates = [gate("capex>+2%", Severity::Fail), gate("power>never", Severity::Fail)];
        let found = judge_rules(&gates, &both(1.0), &both(2.0)).expect("they fit");
        assert_eq!((found[0].silenced, found[0].verdict), (false, Verdict::Fail));
    }

    #[test]
    fn a_threshold_of_another_unit_is_a_mistake() {
        let found = judge_rules(
            &[gate("capex>+100kW", Severity::Fail)],
            &snapshot(Some(1.0)),
            &snapshot(Some(1.0)),
        );
        assert!(found.is_err());
    }
}

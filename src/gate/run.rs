//! The whole check: verdict, rules, change, causes. Ties the other files together.

use std::fmt;

use super::cause::{Cause, causes};
use super::change::{Change, change};
use super::guard::{Found, findings, newly_unpriced};
use super::judge::{Gate, Judged, Origin, Severity, Verdict, judge};
use super::movement::{FactChange, Movement, facts, movements};
use super::quantity::QuantityError;
use super::rule::Rule;
use super::snapshot::Snapshot;
use crate::units::Unit;

/// The planner's own rule.
const NO_LOST_PRICE: &str = "price_not_found>+0";

/// Two results held against each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Name of the new design.
    pub name: String,
    /// The worst of rules and findings.
    pub verdict: Verdict,
    /// Every rule with its verdict.
    pub rules: Vec<Judged>,
    /// What no rule sees: lost prices, weaker ones, and rules that were loosened.
    pub findings: Vec<Found>,
    /// The change of capex taken apart.
    pub change: Change,
    /// Why the results differ.
    pub causes: Vec<Cause>,
    /// Figures that differ, by key.
    pub figures: Vec<Movement>,
    /// Words that differ, by key.
    pub facts: Vec<FactChange>,
    /// Parts that have no price now and had one, or were not on the bill.
    pub newly_unpriced: Vec<String>,
    /// Parts that have no price now.
    pub unpriced: Vec<String>,
}

/// Why a rule can't be judged.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleProblem {
    /// The rule.
    pub rule: String,
    /// What is wrong with it.
    pub kind: RuleProblemKind,
}

/// What keeps a rule from being judged.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleProblemKind {
    /// Its name means no figure.
    Quantity(QuantityError),
    /// Its threshold has another unit than the figure.
    Unit {
        /// What the threshold is, in words.
        threshold: &'static str,
        /// The figure.
        key: String,
        /// The figure's unit.
        unit: Unit,
    },
}

/// Holds a new result against an old one and against rules. `middle` is the new question
/// answered at the old prices, where somebody has asked; it tells what prices did to the design.
/// `guard` is what a finding means: a price that got lost, and the like.
///
/// # Errors
/// Where a rule can't be judged.
pub fn check(
    old: &Snapshot,
    new: &Snapshot,
    middle: Option<&Snapshot>,
    gates: &[Gate],
    guard: Severity,
) -> Result<Report, RuleProblem> {
    let mut gates = gates.to_vec();
    // A part that loses its price makes the total smaller, and no rule on money would see it.
    if let Ok(rule) = Rule::parse(NO_LOST_PRICE) {
        gates.push(Gate { rule, severity: guard, origin: Origin::Planner });
    }
    let rules = judge(&gates, old, new)?;
    let lost = rules.iter().any(|of| of.gate.origin == Origin::Planner && !of.silenced);
    let found = |finding| Found { finding, verdict: guard.verdict() };
    let findings: Vec<Found> = findings(old, new, lost).into_iter().map(found).collect();
    let change = change(old, new, middle);
    let (figures, facts) = (movements(old, new), facts(old, new));
    let moved = !figures.is_empty() || !facts.is_empty() || !change.lines.is_empty();
    let causes = causes(old, new, middle, &change, &facts, moved);
    let verdicts = rules.iter().map(|of| of.verdict).chain(findings.iter().map(|of| of.verdict));
    Ok(Report {
        name: new.name.clone(),
        verdict: verdicts.max().unwrap_or_default(),
        rules,
        findings,
        change,
        causes,
        figures,
        facts,
        newly_unpriced: newly_unpriced(old, new).cloned().collect(),
        unpriced: new.unpriced.clone(),
    })
}

impl Report {
    /// Whether both results are the same.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.figures.is_empty() && self.facts.is_empty() && self.change.lines.is_empty()
    }
}

impl RuleProblem {
    /// What to do about it; empty where the message says it all.
    #[must_use]
    pub fn hint(&self) -> String {
        match &self.kind {
            RuleProblemKind::Quantity(_) => String::new(),
            RuleProblemKind::Unit { unit, .. } => {
                format!(
                    "the figure is {}: write a percentage, or a number in its unit",
                    unit.noun()
                )
            }
        }
    }
}

impl fmt::Display for RuleProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rule `{}`: ", self.rule)?;
        match &self.kind {
            RuleProblemKind::Quantity(error) => error.fmt(f),
            RuleProblemKind::Unit { threshold, key, .. } => {
                write!(f, "{threshold} can't be held against `{key}`")
            }
        }
    }
}

impl std::error::Error for RuleProblem {}

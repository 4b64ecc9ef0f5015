//! Two results held against each other and against rules: what changed, how much of it by
//! quantity and how much by price, why, and whether a rule is breached. Pure functions on plain
//! values: where the results come from, and how the answer looks, is not its business.

mod cost_change;
mod digest;
mod figure_name;
mod finding;
mod guard;
mod judge;
mod rule;
mod snapshot;

pub use cost_change::{CapexChange, FactChange, LineChange, Movement};
pub use digest::Digest;
pub use figure_name::{QuantityError, RuleProblem, RuleProblemKind, resolve_figure_name};
pub use finding::{ChangeCause, Finding, GateFinding, PriceChange, RateChange};
pub use judge::Judged;
pub use rule::{Rule, RuleBound, RuleComparison, RuleError, Threshold};
pub use snapshot::{Provenance, RuleOrigin, Severity, Snapshot, SnapshotPart, StatedRule, Verdict};

use cost_change::{capex_change, fact_changes, figure_movements};
use finding::change_causes;
use guard::{find_weak_prices, newly_unpriced};
use judge::judge_rules;

/// The planner's own rule.
const NO_LOST_PRICE: &str = "price_not_found>+0";

/// Two results held against each other.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckReport {
    /// Name of the new design.
    pub name: String,
    /// The worst of rules and findings.
    pub verdict: Verdict,
    /// Every rule with its verdict.
    pub rules: Vec<Judged>,
    /// What no rule sees: lost prices, weaker ones, and rules that were loosened.
    pub findings: Vec<GateFinding>,
    /// The change of capex taken apart.
    pub change: CapexChange,
    pub causes: Vec<ChangeCause>,
    /// Figures that differ, by key.
    pub figures: Vec<Movement>,
    /// Words that differ, by key.
    pub facts: Vec<FactChange>,
    /// Parts that have no price now and had one, or were not on the bill.
    pub newly_unpriced: Vec<String>,
    /// Parts that have no price now.
    pub unpriced: Vec<String>,
}

/// Holds a new result against an old one and against rules. `middle` is the new question
/// answered at the old prices, where somebody has asked; it tells what prices did to the design.
/// `guard` is what a finding means: a price that got lost, and the like.
///
/// # Errors
/// Where a rule can't be judged.
pub fn check_snapshots(
    old: &Snapshot,
    new: &Snapshot,
    middle: Option<&Snapshot>,
    gates: &[StatedRule],
    guard: Severity,
) -> Result<CheckReport, RuleProblem> {
    let mut gates = gates.to_vec();
    // A part that loses its price makes the total smaller, and no rule on money would see it.
    if let Ok(rule) = Rule::parse(NO_LOST_PRICE) {
        gates.push(StatedRule { rule, severity: guard, origin: RuleOrigin::Planner });
    }
    let rules = judge_rules(&gates, old, new)?;
    let lost =
        rules.iter().any(|judged| judged.gate.origin == RuleOrigin::Planner && !judged.silenced);
    let found = |finding| GateFinding { finding, verdict: guard.breach_verdict() };
    let findings: Vec<GateFinding> =
        find_weak_prices(old, new, lost).into_iter().map(found).collect();
    let change = capex_change(old, new, middle);
    let (figures, facts) = (figure_movements(old, new), fact_changes(old, new));
    let moved = !figures.is_empty() || !facts.is_empty() || !change.lines.is_empty();
    let causes = change_causes(old, new, middle, &change, &facts, moved);
    let verdicts = rules
        .iter()
        .map(|judged| judged.verdict)
        .chain(findings.iter().map(|gate_finding| gate_finding.verdict));
    Ok(CheckReport {
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

impl CheckReport {
    /// Whether both results are the same.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.figures.is_empty() && self.facts.is_empty() && self.change.lines.is_empty()
    }
}

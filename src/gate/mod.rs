//! Two results held against each other and against rules: what changed, how much of it by
//! quantity and how much by price, why, and whether a rule is breached. Pure functions on plain
//! values: where the results come from, and how the answer looks, is not its business.

mod cost_change;
mod digest;
mod figure_name;
mod finding;
mod guard;
mod judge;
mod question;
mod rule;
mod snapshot;
mod terms;

pub use cost_change::{CapexChange, FactChange, LineChange, Movement};
pub use digest::Digest;
pub use figure_name::{QuantityError, RuleProblem, RuleProblemKind, resolve_figure_name};
pub use finding::{ChangeCause, Finding, GateFinding, PriceChange, QuestionChange, RateChange};
pub use judge::Judged;
pub use rule::{Rule, RuleBound, RuleComparison, RuleError, Threshold};
pub use snapshot::{Provenance, RuleOrigin, Severity, Snapshot, SnapshotPart, StatedRule, Verdict};

use cost_change::{capex_change, fact_changes, figure_movements};
use finding::change_causes;
use guard::{find_weak_prices, newly_unpriced};
use judge::judge_rules;
use question::question_changes;
use terms::rules_broken_on_terms;

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
    /// What the new spec asks otherwise, allowed or not.
    pub question: Vec<QuestionChange>,
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

/// What is held against each other.
#[derive(Clone, Debug)]
pub struct Sides<'a> {
    pub old: &'a Snapshot,
    pub new: &'a Snapshot,
    /// The new question answered at the old prices, where somebody has asked: what prices did to
    /// the design.
    pub middle: Option<&'a Snapshot>,
    /// The new question answered on the terms of the old side, or why it has no answer, where
    /// somebody has asked: the worse of both verdicts counts.
    pub on_terms: Option<Result<&'a Snapshot, String>>,
}

/// What they are judged by.
#[derive(Clone, Copy, Debug)]
pub struct Judges<'a> {
    pub rules: &'a [StatedRule],
    /// What a finding means: a price that got lost, and the like.
    pub guard: Severity,
    /// Keys of the question that may be others; `None` where nobody says.
    pub allowed: Option<&'a [String]>,
}

/// Holds a new result against an old one and against rules.
///
/// # Errors
/// Where a rule can't be judged.
pub fn check_snapshots(sides: &Sides<'_>, judges: Judges<'_>) -> Result<CheckReport, RuleProblem> {
    let (old, new, middle) = (sides.old, sides.new, sides.middle);
    let guard = judges.guard;
    let mut gates = judges.rules.to_vec();
    // A part that loses its price makes the total smaller, and no rule on money would see it.
    if let Ok(rule) = Rule::parse(NO_LOST_PRICE) {
        gates.push(StatedRule { rule, severity: guard, origin: RuleOrigin::Planner });
    }
    let mut rules = judge_rules(&gates, old, new)?;
    let lost =
        rules.iter().any(|judged| judged.gate.origin == RuleOrigin::Planner && !judged.silenced);
    let found = |finding| GateFinding { finding, verdict: guard.breach_verdict() };
    let mut findings: Vec<GateFinding> = Vec::new();
    let question = question_changes(old, new);
    if let Some(allowed) = judges.allowed {
        let changes = question.iter().filter(|change| !change.is_allowed(allowed)).cloned();
        findings.extend(changes.map(|change| found(Finding::ChangedQuestion(change))));
    }
    let change = capex_change(old, new, middle);
    if let Some(on_terms) = &sides.on_terms {
        let theirs = match on_terms {
            Ok(on_terms) => judge_rules(&gates, old, on_terms)?,
            Err(reason) => {
                findings.push(found(Finding::NoDesignOnTerms { reason: reason.clone() }));
                Vec::new()
            }
        };
        let grown = [change.by_quantity, change.network_by_quantity];
        findings.extend(rules_broken_on_terms(&mut rules, &theirs, grown));
    }
    findings.extend(find_weak_prices(old, new, lost).into_iter().map(found));
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
        question,
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

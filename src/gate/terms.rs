//! Rules that a new design keeps by what its spec states of prices, parts, stock and rates, and
//! breaks by what the old side states there.

use super::finding::{Finding, GateFinding};
use super::judge::{Judged, exceeds_bound};
use super::rule::RuleBound;
use super::snapshot::Verdict;
use crate::units::Usd;

/// Rules that come out worse on the terms of the old side than on the new spec's own.
pub(super) fn rules_broken_on_terms(own: &[Judged], on_terms: &[Judged]) -> Vec<GateFinding> {
    let worse = own.iter().zip(on_terms).filter(|(own, theirs)| theirs.verdict > own.verdict);
    worse
        .map(|(_, theirs)| GateFinding {
            finding: Finding::OwnTerms {
                rule: theirs.gate.rule.to_string(),
                unit: theirs.unit,
                old: theirs.old,
                new: theirs.new,
            },
            verdict: theirs.verdict,
        })
        .collect()
}

/// Rules on the price of what is bought that the new design breaks at the old prices, though not at
/// its own: `grown` is what its other pieces add at the old prices, of all and of the network.
pub(super) fn rules_broken_at_old_prices(rules: &[Judged], grown: [Usd; 2]) -> Vec<GateFinding> {
    let keys = ["cost.capex_usd", "cost.network_capex_usd"];
    let broken = |judged: &Judged| {
        let place = keys.iter().position(|key| *key == judged.key)?;
        let (RuleBound::Change { by, negative: false }, Some(old)) =
            (judged.gate.rule.bound, judged.old)
        else {
            return None;
        };
        let amount = grown[place].get();
        let bound = by.amount_in_unit(judged.unit, old)?;
        let is_open = judged.verdict == Verdict::Pass && !judged.silenced;
        let breaks = exceeds_bound(amount, bound, judged.gate.rule.comparison, old.abs());
        (is_open && breaks).then(|| GateFinding {
            finding: Finding::OwnTerms {
                rule: judged.gate.rule.to_string(),
                unit: judged.unit,
                old: Some(old),
                new: Some(old + amount),
            },
            verdict: judged.gate.severity.breach_verdict(),
        })
    };
    rules.iter().filter_map(broken).collect()
}

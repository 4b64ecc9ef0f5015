//! Rules that a new design keeps by what its spec states of prices, parts, stock and rates, and
//! breaks by what the old side states there.

use super::finding::{Finding, GateFinding};
use super::judge::{Judged, exceeds_bound};
use super::rule::RuleBound;
use super::snapshot::Verdict;
use crate::units::Usd;

/// Marks and tells the rules that come out worse than on the new spec's own terms: those of the
/// design on the terms of the old side, where there is one, and those of the new design's own pieces
/// at the old prices, which `grown` has of all that is bought and of the network.
pub(super) fn rules_broken_on_terms(
    own: &mut [Judged],
    on_terms: &[Judged],
    grown: [Usd; 2],
) -> Vec<GateFinding> {
    let mut found = Vec::new();
    for (place, judged) in own.iter_mut().enumerate() {
        let theirs = on_terms.get(place).filter(|theirs| theirs.verdict > judged.verdict);
        let broken = match theirs {
            Some(theirs) => Some((theirs.old, theirs.new, theirs.verdict)),
            None => value_at_old_prices(judged, grown)
                .map(|value| (judged.old, Some(value), judged.gate.severity.breach_verdict())),
        };
        let Some((old, new, verdict)) = broken else { continue };
        judged.broken_on_terms = true;
        let rule = judged.gate.rule.to_string();
        found.push(GateFinding {
            finding: Finding::OwnTerms { rule, unit: judged.unit, old, new },
            verdict,
        });
    }
    found
}

/// What the pieces of the new design cost at the old prices, where a rule on it holds at its own
/// prices and breaks at those.
fn value_at_old_prices(judged: &Judged, grown: [Usd; 2]) -> Option<f64> {
    let keys = ["cost.capex_usd", "cost.network_capex_usd"];
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
    (is_open && breaks).then_some(old + amount)
}

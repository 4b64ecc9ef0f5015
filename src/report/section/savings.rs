//! What a design saves against a full-bisection Clos.

use crate::compare::{BaselineResult, Comparison};
use crate::report::number;
use crate::units::Usd;

/// The design against the baseline that is hardest to beat, in a sentence.
pub(in crate::report) fn verdict_of(comparison: &Comparison) -> Option<String> {
    let best = cheapest_baseline(comparison.contenders.iter())?;
    Some(baseline_verdict("the cheapest baseline here", best, slowdown_subject(comparison)))
}

/// Whose step a slowdown is.
fn slowdown_subject(comparison: &Comparison) -> &'static str {
    if comparison.each.is_empty() { "its step is" } else { "its most slowed step is" }
}

/// The baseline that is hardest to beat, of those whose parts all have a price where the design's
/// have.
fn cheapest_baseline<'a>(
    contenders: impl Iterator<Item = &'a BaselineResult>,
) -> Option<&'a BaselineResult> {
    let priced = contenders.filter(|result| result.against.unpriced.is_empty());
    priced.min_by(|a, b| a.plan.cost.network_capex.total_cmp(&b.plan.cost.network_capex))
}

/// The design against one baseline, in a sentence.
fn baseline_verdict(what: &str, contender: &BaselineResult, steps: &str) -> String {
    let difference = &contender.against;
    let saving = if difference.network_capex_saving > Usd::ZERO {
        format!(
            "saves {} of network, {} of it",
            number::money(difference.network_capex_saving),
            difference.network_capex_share.map_or_else(|| "all".to_owned(), number::percent)
        )
    } else if difference.network_capex_saving < Usd::ZERO {
        format!(
            "costs {} more of network",
            number::money(Usd::ZERO - difference.network_capex_saving)
        )
    } else {
        "saves nothing".to_owned()
    };
    let broken: Vec<String> =
        contender.breaks.iter().map(|limit_move| format!("`{}`", limit_move.limit)).collect();
    let breaks = if broken.is_empty() {
        String::new()
    } else {
        format!(", which breaks {}", broken.join(" and "))
    };
    format!(
        "against {what} ({}{breaks}) the design {saving}, and {steps} {}",
        contender.name,
        relative_length_text(difference.slowdown - 1.0)
    )
}

/// A relative change of a length in words.
pub(in crate::report) fn relative_length_text(change: f64) -> String {
    let size = number::percent(change.abs());
    match number::percent_change(change).as_str() {
        "0.0 %" => "as long".to_owned(),
        _ if change > 0.0 => format!("{size} longer"),
        _ => format!("{size} shorter"),
    }
}

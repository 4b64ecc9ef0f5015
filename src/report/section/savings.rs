//! What a design saves against a full-bisection Clos.

use crate::compare::{Baseline, BaselineResult, Comparison};
use crate::design::{Alternative, AlternativeKind, AlternativeStanding, Plan, StagesReport};
use crate::fabric::FabricKind;
use crate::report::number;
use crate::units::Usd;

/// What it saves against a full-bisection Clos of the same machines, or against stages that are
/// planned otherwise; nothing where nothing is held against it.
pub(super) fn savings_sentence(plan: &Plan) -> String {
    if let Some(growth) = plan.stages_report() {
        return savings_of_stages(growth);
    }
    let is_clos = |alternative: &&Alternative| {
        alternative.differs == AlternativeKind::Family(FabricKind::Clos)
    };
    match plan.alternatives.iter().find(is_clos) {
        Some(clos) if clos.standing == AlternativeStanding::KeptOut => {
            format!("not counted against {}: {}", clos.name, clos.reason)
        }
        Some(clos) => {
            let less = |saved: Usd| {
                if saved >= Usd::ZERO {
                    format!("{} of network", number::money(saved))
                } else {
                    format!("nothing, it costs {} more,", number::money(Usd::ZERO - saved))
                }
            };
            let change = clos.step_ratio - 1.0;
            format!(
                "{} against {}, whose step takes {}{}",
                less(clos.network_capex_change),
                clos.name,
                relative_length_text(change),
                change_in_fastest_layout(plan, change)
            )
        }
        None if plan.parts().is_empty() && is_full_clos(plan) => {
            "nothing against a full-bisection Clos of these machines: it is one".to_owned()
        }
        None => String::new(),
    }
}

/// How much shorter a step is on a Clos in the layout that is fastest there, where that is another
/// one and tells;
/// `change` is that in the layout of the plan.
fn change_in_fastest_layout(plan: &Plan, change: f64) -> String {
    /// Shares of a step that are told.
    const TOLD: f64 = 1e-3;
    let fastest = 1.0 / plan.step.slowdown.max(1.0) - 1.0;
    let is_open = plan.solver.layouts.is_some();
    let is_one = plan.workloads.len() < 2 && plan.phases.is_empty();
    if is_open && is_one && fastest < change - TOLD {
        format!(" in this layout, {} in its fastest", relative_length_text(fastest))
    } else {
        String::new()
    }
}

/// True where the design itself is what savings are counted against.
fn is_full_clos(plan: &Plan) -> bool {
    let fabric = &plan.fabric;
    let full = fabric.within_rail >= 1.0 && fabric.across_rails >= 1.0;
    fabric.kind == FabricKind::Clos && full
}

fn savings_of_stages(growth: &StagesReport) -> String {
    let against = |value: Option<Usd>, what: &str| {
        let more = value? - growth.present_value;
        Some(format!("{} against {what}", number::money_change(more)))
    };
    let all = [
        against(growth.one_by_one, "stages planned one by one"),
        against(growth.at_once, "all bought at the start"),
    ];
    let all: Vec<String> = all.into_iter().flatten().collect();
    if all.is_empty() { all.concat() } else { format!("{} in today's money", all.join(", ")) }
}

/// The design against the baseline that is hardest to beat, in a sentence.
pub(in crate::report) fn verdict_of(comparison: &Comparison) -> Option<String> {
    let best = cheapest_baseline(comparison.contenders.iter())?;
    Some(baseline_verdict("the cheapest baseline here", best, slowdown_subject(comparison)))
}

/// The design against the cheaper of the full-bisection Clos fabrics, in a sentence; `None` where
/// that is the cheapest baseline anyway, or no Clos was asked for.
pub(in crate::report) fn verdict_of_clos(comparison: &Comparison) -> Option<String> {
    let all = comparison.contenders.iter();
    let clos = cheapest_baseline(all.clone().filter(|result| result.baseline == Baseline::Clos))?;
    let hardest = cheapest_baseline(all)?;
    (clos.name != hardest.name).then(|| {
        let what = "the cheapest full-bisection Clos that these machines could have";
        baseline_verdict(what, clos, slowdown_subject(comparison))
    })
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

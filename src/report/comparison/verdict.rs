//! What `planner compare` comes to, in a sentence or two.

use crate::compare::{Baseline, BaselineResult, Comparison};
use crate::cost::BillLine;
use crate::design::Plan;
use crate::report::decision::{Reference, reference_sentence};
use crate::report::{number, short_number};
use crate::units::Usd;

/// A share that people would not tell from none.
pub(super) const NONE: f64 = 5e-4;

/// A network beside the design.
pub(super) struct Contender<'a> {
    pub(super) name: String,
    pub(super) result: &'a BaselineResult,
}

/// What the design saves of the cheapest full-bisection Clos, or of what else there is; what a
/// missing price leaves open comes first.
pub(super) fn verdict_text(comparison: &Comparison, others: &[Contender<'_>]) -> String {
    let design = &comparison.design;
    let known = |contender: &&Contender<'_>| contender.result.plan.cost.capex;
    let cheapest = |clos: bool| {
        let fit = others.iter().filter(|other| other.result.against.is_priced());
        let fit = fit.filter(|other| !clos || other.result.baseline == Baseline::Clos);
        fit.min_by(|one, other| known(one).total_cmp(&known(other)))
    };
    let open = others
        .iter()
        .filter(|other| !other.result.against.is_priced() && known(other) < design.cost.capex)
        .min_by(|one, other| known(one).total_cmp(&known(other)))
        .map(|other| undecided_sentence(design, other));
    let saving = cheapest(true).or_else(|| cheapest(false)).map(|other| {
        let first = reference_sentence(design, &reference_of_contender(other));
        let more =
            if comparison.each.is_empty() { advantage_sentence(design, other) } else { None };
        more.map_or_else(|| first.clone(), |more| format!("{first} {more}"))
    });
    let none = || match others {
        [] => "Nothing stands beside the design.".to_owned(),
        _ => "Not compared in dollars: a price is missing.".to_owned(),
    };
    match (open, saving) {
        (Some(open), Some(saving)) => format!("{open} {saving}"),
        (open, saving) => open.or(saving).unwrap_or_else(none),
    }
}

/// What a missing price leaves open: of one part, below which the other network costs less.
fn undecided_sentence(design: &Plan, other: &Contender<'_>) -> String {
    let (plan, parts) = (&other.result.plan, &other.result.against.unpriced);
    let less = design.cost.capex - plan.cost.capex;
    let pieces = |plan: &Plan| -> u64 {
        let lines = plan.bill.iter().filter(|line| parts.contains(&line.part));
        lines.map(BillLine::bought_count).sum()
    };
    let one = if parts.len() == 1 { pieces(plan) } else { 0 };
    let more = one.saturating_sub(pieces(design));
    let parity = if more > 0 {
        let each = short_number::money(less / more as f64);
        format!("; at {each} for each of {} more it costs as much", number::count(more))
    } else {
        String::new()
    };
    let (parts, less) = (parts.join(", "), short_number::money(less));
    let name = &other.name;
    format!(
        "Undecided: {parts} has no price, and without that price {name} costs {less} less{parity}."
    )
}

/// A network as the design is held against it.
fn reference_of_contender(other: &Contender<'_>) -> Reference {
    let (against, plan) = (&other.result.against, &other.result.plan);
    let name = match (other.result.baseline, other.name.split_once(", ")) {
        (Baseline::Clos, _) => "full-bisection Clos".to_owned(),
        (_, Some((family, rest))) => format!("{family} network ({rest})"),
        (_, None) => format!("{} network", other.name),
    };
    let tokens = plan.cost.usd_per_million_tokens.filter(|usd| *usd > Usd::ZERO);
    Reference {
        name,
        saving: against.capex_saving,
        network_saving: against.network_capex_saving,
        network_share: against.network_capex_share,
        token_share: against
            .usd_per_million_tokens_saving
            .zip(tokens)
            .map(|(saved, whole)| saved / whole),
        step_change: against.slowdown - 1.0,
        // A note below the table says which.
        breaks: Vec::new(),
    }
}

/// What the other network has that the design lacks; room to grow has a row.
fn advantage_sentence(design: &Plan, other: &Contender<'_>) -> Option<String> {
    let share = other.result.plan.all_to_all.stored;
    let more = match share {
        less if less <= design.all_to_all.stored + NONE => return None,
        full if full >= 1.0 - NONE => "full all-to-all".to_owned(),
        share => format!("all-to-all at {} of NIC rate", short_number::percent(share)),
    };
    let name = other.name.split(" of ").next()?;
    Some(format!("The {name} has {more}."))
}

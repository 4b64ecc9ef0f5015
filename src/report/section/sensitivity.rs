//! What would change a design: limits that bind, other designs, prices.

use crate::design::{Alternative, AlternativeKind, Plan, PriceBand, PriceCrossing, SolverReport};
use crate::report::document::Section;
use crate::report::list::{
    ALTERNATIVE_COLUMNS, BINDING_LIMIT_COLUMNS, PRICE_BAND_COLUMNS, list_table,
};
use crate::report::number;

/// The limits that bind, and what more would be worth.
pub(in crate::report) fn binding_limits_section(solver: &SolverReport) -> Section {
    // Designs under other limits are of the layouts of the answer and of the fastest ones.
    let lead = match (solver.binding.is_empty(), &solver.layouts) {
        (true, _) => "none that the spec states",
        (false, Some(_)) => "in this layout; another one may save more",
        (false, None) => "",
    };
    Section::new("LIMITS THAT BIND", lead)
        .add_table(list_table(BINDING_LIMIT_COLUMNS, &solver.binding))
}

/// Other designs, and why they were not chosen.
pub(in crate::report) fn alternatives_section(plan: &Plan) -> Section {
    let others: Vec<Alternative> = told_once(&plan.alternatives).collect();
    let table = list_table(ALTERNATIVE_COLUMNS, &others);
    let section = Section::new("WHAT WOULD CHANGE IT", "").add_table(table);
    if plan.not_sized.is_empty() {
        return section;
    }
    let each = plan.not_sized.iter().map(|sized| {
        let more = number::percent_change(sized.at_least - 1.0);
        format!("{} {more}", sized.name.strip_prefix("node ").unwrap_or(&sized.name))
    });
    section.add_line(format!(
        "not sized, as machines, ports and the fastest step alone take at least so much more: {}",
        each.collect::<Vec<_>>().join(", ")
    ))
}

/// Designs that were not chosen, each with its name: one that several objectives in a row choose
/// once, under the names of all.
fn told_once(all: &[Alternative]) -> impl Iterator<Item = Alternative> {
    all.chunk_by(is_same_design).filter_map(|same| {
        let (first, more) = same.split_first()?;
        let (head, tail) = split_objectives(&first.name);
        let more = more.iter().map(|alternative| {
            split_objectives(&alternative.name).0.trim_start_matches("minimize = ")
        });
        let heads: Vec<&str> = std::iter::once(head).chain(more).collect();
        Some(Alternative { name: format!("{}{tail}", heads.join(", ")), ..first.clone() })
    })
}

/// True for what two objectives choose where that is the same.
fn is_same_design(one: &Alternative, other: &Alternative) -> bool {
    let told = |alternative: &Alternative| {
        let money = (alternative.network_capex_change, alternative.capex_change);
        (
            alternative.differs == AlternativeKind::Objective,
            money,
            alternative.step_ratio,
            alternative.usd_per_token_ratio,
        )
    };
    let words = |alternative: &Alternative| {
        (split_objectives(&alternative.name).1.to_owned(), alternative.reason.clone())
    };
    one.differs == AlternativeKind::Objective
        && told(one) == told(other)
        && words(one) == words(other)
}

/// A name of objectives and what follows their last closing quote.
fn split_objectives(name: &str) -> (&str, &str) {
    name.split_at(name.rfind('"').map_or(name.len(), |quote| quote + 1))
}

/// Between which prices the design stays the best.
pub(in crate::report) fn price_sensitivity_section(bands: &[PriceBand]) -> Section {
    let lead = if bands.is_empty() {
        ""
    } else {
        "the design stays optimal while one price moves in this range"
    };
    let section =
        Section::new("SENSITIVITY", lead).add_table(list_table(PRICE_BAND_COLUMNS, bands));
    if bands.is_empty() { section } else { section.add_line(price_flips_sentence(bands)) }
}

/// Which prices that rest on little would change the design, and at which value.
fn price_flips_sentence(bands: &[PriceBand]) -> String {
    let doubtful = || bands.iter().filter_map(|band| Some((band, band.doubt?)));
    let mut turns = Vec::new();
    for (band, doubt) in doubtful() {
        let mut turn = |turn: Option<&PriceCrossing>, word: &str| {
            turns.extend(turn.map(|turn| {
                let (part, at) = (&band.part, number::money(turn.price));
                format!("{part} ({}) {word} {at}: {}", doubt.name(), turn.to)
            }));
        };
        turn(band.below.as_ref(), "below");
        turn(band.above.as_ref(), "above");
    }
    let count = doubtful().count() as u64;
    let doubted = number::count_with_noun(count, "price is", "prices are");
    match (count, turns.is_empty()) {
        (0, _) => "no price here is assumed, or old in the month of pricing.as_of".to_owned(),
        (_, true) => format!(
            "{doubted} assumed or old, and none changes the design between a quarter and four times of it"
        ),
        (_, false) => format!("{doubted} assumed or old, of which change it: {}", turns.join("; ")),
    }
}

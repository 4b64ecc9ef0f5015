//! The report of `planner compare`: absolute, difference and percent, and whose saving it is.

mod beside;
mod several;
mod sheet;

pub(super) use several::whole;

use super::super::document::{Document, Section};
use super::super::format::{Format, Look, draw};
use super::super::table::{Cell, Column, Table};
use super::super::{json, number};
use super::{cluster, pictures};
use crate::compare::{Attribution, Baseline, Comparison, Contender};
use crate::units::Usd;

/// Most baselines beside a design in one table: more columns would break their headings.
const BESIDE: usize = 3;

/// The comparison in the wanted format, with a line break at its end.
#[must_use]
pub fn compare(comparison: &Comparison, look: Look<'_>) -> String {
    let page = look.format == Format::Html;
    let mut document = document(comparison, page);
    if page && comparison.attribution.is_some() {
        // A page opens with what to make of it, and then shows why; it stands behind the machines.
        document.sections[1..].rotate_right(1);
    }
    draw(&document, look, || json::compare(comparison))
}

fn document(comparison: &Comparison, page: bool) -> Document {
    let machines = Section::new("", "").line(cluster::machines(&comparison.design.nodes));
    let sections = match comparison.each.is_empty() {
        true => std::iter::once(machines).chain(one(comparison)).collect(),
        false => several::sections(comparison, page),
    };
    Document { title: comparison.design.name.clone(), sections, sheet: sheet::sheet(comparison) }
}

/// The design beside its baselines, where the difference comes from, and what to make of it.
pub(super) fn one(comparison: &Comparison) -> Vec<Section> {
    let (design, contenders) = (&comparison.design, &comparison.contenders);
    let heading = Section::new("COMPARISON", "savings are the design's, against each");
    let heading = missing(comparison, heading).pictures(pictures::designs(design, contenders));
    let tables = contenders.chunks(BESIDE).map(|some| beside::beside(design, some));
    let mut sections = vec![breaking(tables.fold(heading, Section::table), contenders)];
    if let Some(attribution) = &comparison.attribution {
        sections.push(origin(attribution));
        let advice = Section::new("SUMMARY", attribution.to_string()).summary();
        sections.push(match verdict_of(comparison) {
            Some(verdict) => advice.line(verdict),
            None => advice,
        });
    }
    sections
}

/// The design against the baseline that is hardest to beat, in a sentence.
pub(super) fn verdict_of(comparison: &Comparison) -> Option<String> {
    let best = cheapest(comparison.contenders.iter())?;
    Some(verdict("the cheapest baseline here", best, steps(comparison)))
}

/// The design against the cheaper of the full-bisection Clos fabrics, in a sentence; `None` where
/// that is the cheapest baseline anyway, or no Clos was asked for.
pub(super) fn verdict_of_clos(comparison: &Comparison) -> Option<String> {
    let all = comparison.contenders.iter();
    let clos = cheapest(all.clone().filter(|of| of.baseline == Baseline::Clos))?;
    let hardest = cheapest(all)?;
    (clos.name != hardest.name).then(|| {
        let what = "the cheapest full-bisection Clos that these machines could have";
        verdict(what, clos, steps(comparison))
    })
}

/// Whose step a slowdown is.
fn steps(comparison: &Comparison) -> &'static str {
    if comparison.each.is_empty() { "its step is" } else { "its most slowed step is" }
}

/// The baseline that is hardest to beat.
fn cheapest<'a>(contenders: impl Iterator<Item = &'a Contender>) -> Option<&'a Contender> {
    contenders.min_by(|a, b| a.plan.cost.network_capex.total_cmp(&b.plan.cost.network_capex))
}

/// The design against one baseline, in a sentence.
fn verdict(what: &str, contender: &Contender, steps: &str) -> String {
    let of = &contender.against;
    let saving = if of.network_capex_saving > Usd::ZERO {
        format!(
            "saves {} of network, {} of it",
            number::money(of.network_capex_saving),
            of.network_capex_share.map_or_else(|| "all".to_owned(), number::percent)
        )
    } else if of.network_capex_saving < Usd::ZERO {
        format!("costs {} more of network", number::money(Usd::ZERO - of.network_capex_saving))
    } else {
        "saves nothing".to_owned()
    };
    let broken: Vec<String> = contender.breaks.iter().map(|of| format!("`{}`", of.limit)).collect();
    let breaks = match broken.is_empty() {
        true => String::new(),
        false => format!(", which breaks {}", broken.join(" and ")),
    };
    format!(
        "against {what} ({}{breaks}) the design {saving}, and {steps} {}",
        contender.name,
        longer(of.slowdown - 1.0)
    )
}

/// A relative change of a length in words.
pub(super) fn longer(change: f64) -> String {
    let size = number::percent(change.abs());
    match number::percent_change(change).as_str() {
        "0.0 %" => "as long".to_owned(),
        _ if change > 0.0 => format!("{size} longer"),
        _ => format!("{size} shorter"),
    }
}

/// Says of baselines which limits of the spec they break: they are built without them.
fn breaking(section: Section, contenders: &[Contender]) -> Section {
    contenders.iter().filter(|of| !of.breaks.is_empty()).fold(section, |section, of| {
        let all: Vec<String> = of.breaks.iter().map(ToString::to_string).collect();
        section.line(format!("{} breaks limits of the spec: {}", of.name, all.join("; ")))
    })
}

/// Names the baselines that can't be built.
fn missing(comparison: &Comparison, section: Section) -> Section {
    if comparison.missing.is_empty() {
        return section;
    }
    let names: Vec<String> = comparison.missing.iter().map(ToString::to_string).collect();
    section.line(format!("no switch on offer can build {}", names.join(", ")))
}

/// Where the saving against the paper's Clos comes from, step by step.
fn origin(attribution: &Attribution) -> Section {
    let total: Usd = attribution.contributions.iter().map(|of| of.saving).sum();
    let lead = format!(
        "{} of network against a Clos of the same switch in one plane",
        number::money_change(total)
    );
    let mut table = Table::new(vec![
        Column::words("step", "step"),
        Column::numbers("saves", "saving_usd"),
        Column::numbers("share", "share"),
    ]);
    for contribution in &attribution.contributions {
        let share = if total == Usd::ZERO { 0.0 } else { contribution.saving / total };
        table.row(vec![
            Cell::words(contribution.cause.name()),
            Cell::shown(number::money_change(contribution.saving), contribution.saving.get()),
            Cell::shown(number::percent(share), share),
        ]);
    }
    Section::new("WHERE IT COMES FROM", lead).table(table)
}

//! The design of one cluster beside its baselines, and where the difference comes from.

use super::super::super::document::Section;
use super::super::super::number;
use super::super::super::table::{Cell, Column, Table};
use super::super::pictures;
use super::beside;
use super::verdict::verdict_of;
use crate::compare::{Attribution, Baseline, BaselineResult, Comparison};
use crate::units::Usd;

/// Most baselines beside a design in one table: more columns would break their headings.
pub(super) const BESIDE: usize = 3;

/// The design beside its baselines, where the difference comes from, and what to make of it.
pub(in super::super) fn cluster_comparison(comparison: &Comparison) -> Vec<Section> {
    let (design, contenders) = (&comparison.design, &comparison.contenders);
    let heading = Section::new("COMPARISON", "savings are the design's, against each");
    let heading = missing_baselines(comparison, heading)
        .add_pictures_on_top(pictures::baseline_pictures(design, contenders));
    let tables = contenders.chunks(BESIDE).map(|some| beside::comparison_table(design, some));
    let shown = tables.fold(heading, Section::add_table);
    let mut sections =
        vec![add_unpriced_parts(broken_limits_section(shown, contenders), contenders)];
    if let Some(attribution) = &comparison.attribution {
        sections.push(saving_origin_section(attribution));
        let advice = Section::new("SUMMARY", attribution.to_string()).with_summary_rank();
        sections.push(match verdict_of(comparison) {
            Some(verdict) => advice.add_line(verdict),
            None => advice,
        });
    }
    sections
}

/// Says of baselines which limits of the spec they break: they are built without them.
pub(super) fn broken_limits_section(section: Section, contenders: &[BaselineResult]) -> Section {
    contenders.iter().filter(|result| !result.breaks.is_empty()).fold(section, |section, result| {
        let all: Vec<String> = result.breaks.iter().map(ToString::to_string).collect();
        section.add_line(format!("{} breaks limits of the spec: {}", result.name, all.join("; ")))
    })
}

/// Says of baselines which parts without a price keep them from being compared in dollars.
pub(super) fn add_unpriced_parts(section: Section, contenders: &[BaselineResult]) -> Section {
    contenders.iter().filter(|result| !result.against.unpriced.is_empty()).fold(
        section,
        |section, result| {
            let parts = result.against.unpriced.join(", ");
            section.add_line(format!(
                "{} is not compared in dollars: no book prices {parts}",
                result.name
            ))
        },
    )
}

/// Names the baselines that can't be built.
pub(super) fn missing_baselines(comparison: &Comparison, section: Section) -> Section {
    if comparison.missing.is_empty() {
        return section;
    }
    let names: Vec<String> = comparison.missing.iter().map(ToString::to_string).collect();
    let section =
        section.add_line(format!("nothing on offer builds {} for this job", names.join(", ")));
    let routed =
        comparison.missing.iter().filter(|baseline| matches!(baseline, Baseline::Routed(_)));
    routed.fold(section, |section, baseline| {
        section.add_line(format!(
            "`planner design --set cluster.fabric={baseline}` says why not {baseline}"
        ))
    })
}

/// Where the saving against the paper's Clos comes from, step by step.
fn saving_origin_section(attribution: &Attribution) -> Section {
    let total: Usd =
        attribution.contributions.iter().map(|this_contribution| this_contribution.saving).sum();
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
        table.push_row(vec![
            Cell::words(contribution.cause.name()),
            Cell::with_text_and_value(
                number::money_change(contribution.saving),
                contribution.saving.get(),
            ),
            Cell::with_text_and_value(number::percent(share), share),
        ]);
    }
    Section::new("WHERE IT COMES FROM", lead).add_table(table)
}

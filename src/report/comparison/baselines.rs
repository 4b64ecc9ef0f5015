//! The report of `planner compare`: absolute, difference and percent, and whose saving it is.

use super::screen::{comparison_screen, missing_baselines_text};
use super::side_by_side;
use crate::compare::{Attribution, BaselineDifference, BaselineResult, Comparison};
use crate::design::Plan;
use crate::quantity::{FigureSource, Quantity, all_quantities, quantity_for_key};
use crate::report::decision::title_text;
use crate::report::document::{Document, Section};
use crate::report::format::{Format, RenderOptions, draw_document};
use crate::report::section::{charts, machines, parts_and_stages};
use crate::report::table::{Cell, Column, Table};
use crate::report::{json, number};
use crate::units::{Amount, Usd};
use Under::Figure;
use Under::Tiers;

/// The comparison in the wanted format, with a line break at its end.
#[must_use]
pub fn render_comparison(comparison: &Comparison, look: RenderOptions<'_>) -> String {
    let page = look.format == Format::Html;
    let document = comparison_document(comparison, page);
    draw_document(&document, look, || json::comparison_json(comparison))
}

fn comparison_document(comparison: &Comparison, page: bool) -> Document {
    let machines = Section::new("", "").add_line(machines::machines_text(&comparison.design.nodes));
    let mut sections: Vec<Section> = if comparison.each.is_empty() {
        std::iter::once(machines).chain(cluster_comparison(comparison)).collect()
    } else {
        comparison_sections(comparison, page)
    };
    let screen = comparison_screen(comparison);
    if page {
        // A page has no screen: what to make of it stands behind the machines.
        sections.insert(1, Section::new("SUMMARY", screen.verdict.clone()));
    }
    Document {
        title: title_text(&comparison.design),
        sections,
        screen: Some(screen),
        sheet: comparison_spreadsheet(comparison),
    }
}

/// Most baselines beside a design in one table: more columns would break their headings.
pub(in crate::report) const BESIDE: usize = 3;

/// The design beside its baselines, and where the difference comes from.
pub(in crate::report) fn cluster_comparison(comparison: &Comparison) -> Vec<Section> {
    let (design, contenders) = (&comparison.design, &comparison.contenders);
    let heading = Section::new("COMPARISON", "saved by the design, against each");
    let heading = missing_baselines_text(comparison)
        .into_iter()
        .fold(heading, Section::add_line)
        .add_pictures_on_top(charts::baseline_pictures(design, contenders));
    let tables = contenders.chunks(BESIDE).map(|some| side_by_side::comparison_table(design, some));
    let shown = tables.fold(heading, Section::add_table);
    let mut sections = vec![add_notes(shown, contenders)];
    sections.extend(comparison.attribution.as_ref().map(saving_origin_section));
    sections
}

/// Says of baselines which limits of the spec they break, as they are built without them, and which
/// parts without a price keep them from being compared in dollars; of those that are alike once.
fn add_notes(section: Section, contenders: &[BaselineResult]) -> Section {
    let broken = |result: &BaselineResult| {
        let all: Vec<String> = result.breaks.iter().map(ToString::to_string).collect();
        (!all.is_empty()).then(|| format!("breaks limits of the spec: {}", all.join("; ")))
    };
    let unpriced = |result: &BaselineResult| {
        let parts = result.against.unpriced.join(", ");
        (!parts.is_empty()).then(|| format!("not compared in dollars: no book prices {parts}"))
    };
    let mut notes: Vec<(String, Vec<&str>)> = Vec::new();
    for result in contenders {
        for note in broken(result).into_iter().chain(unpriced(result)) {
            match notes.iter_mut().find(|(known, _)| *known == note) {
                Some((_, names)) => names.push(&result.name),
                None => notes.push((note, vec![&result.name])),
            }
        }
    }
    notes.into_iter().fold(section, |section, (note, names)| {
        section.add_line(format!("{}: {note}", names.join("; ")))
    })
}

/// Where the saving against the paper's Clos comes from, step by step.
fn saving_origin_section(attribution: &Attribution) -> Section {
    let total: Usd =
        attribution.contributions.iter().map(|this_contribution| this_contribution.saving).sum();
    let lead = format!(
        "{} of network against a Clos of the same switch in 1 plane",
        number::money_change(total)
    );
    let mut table = Table::new(vec![
        Column::words("change", "step"),
        Column::numbers("saves", "saving_usd"),
        Column::numbers("share", "share"),
    ]);
    let moved = attribution.contributions.iter().filter(|it| it.saving != Usd::ZERO);
    for contribution in moved {
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
    Section::new("WHERE THE SAVING COMES FROM", lead)
        .add_table(table)
        .add_line(attribution.to_string())
}

/// Opening, the whole beside its baselines, and each part or stage beside its own; on a page each
/// has one heading.
fn comparison_sections(comparison: &Comparison, page: bool) -> Vec<Section> {
    let design = &comparison.design;
    let opening = parts_and_stages::clusters_summary(design);
    let mut sections = vec![opening.with_summary_rank(), multi_cluster_comparison(comparison)];
    for (cluster, this_comparison) in design.clusters.iter().zip(&comparison.each) {
        let (heading, name) = parts_and_stages::cluster_title(cluster);
        let section = Section::new(heading, name)
            .add_line(machines::machines_text(&this_comparison.design.nodes));
        // What stands for all is said of all.
        let beside = cluster_comparison(this_comparison).into_iter().map(Section::with_usual_rank);
        if page {
            sections.push(beside.fold(section, Section::merge_section));
        } else {
            sections.push(section);
            sections.extend(beside);
        }
    }
    sections
}

/// All clusters together beside their baselines.
pub(in crate::report) fn multi_cluster_comparison(comparison: &Comparison) -> Section {
    let (design, contenders) = (&comparison.design, &comparison.contenders);
    let lead = "of all together; saved by the design, against each";
    let heading = missing_baselines_text(comparison)
        .into_iter()
        .fold(Section::new("COMPARISON", lead), Section::add_line);
    let [network, _, power, _] = charts::baseline_pictures(design, contenders);
    let tables = contenders
        .chunks(BESIDE)
        .map(|some| side_by_side::multi_cluster_comparison_table(design, some));
    let section = add_notes(tables.fold(heading, Section::add_table), contenders);
    section.add_pictures_on_top([network, power])
}

/// What stands under a heading.
enum Under {
    /// The figure of that key.
    Figure(&'static str),
    /// Tiers of the fabric.
    Tiers,
    /// What the design has over a baseline; only baselines have it.
    Against(fn(&BaselineDifference) -> Amount),
}

/// Headings and what stands under each; they are a contract, older than some keys of JSON. Figures
/// that are compared and not named here follow under the last word of their key.
const COLUMNS: [(&str, Under); 17] = [
    ("planes", Figure("fabric.planes")),
    ("tiers", Tiers),
    ("switches", Figure("fabric.switches")),
    ("transceivers", Figure("fabric.transceivers")),
    ("within_rail_share", Figure("fabric.bisection_share")),
    ("across_rails_share", Figure("fabric.across_rails_share")),
    ("network_capex_usd", Figure("cost.network_capex_usd")),
    ("capex_usd", Figure("cost.capex_usd")),
    ("network_power_w", Figure("cost.network_power_w")),
    ("power_w", Figure("cost.power_w")),
    ("step_s", Figure("step.time_s")),
    ("all_to_all_share", Figure("all_to_all.stored_share")),
    ("goodput_share", Figure("goodput_share")),
    ("usd_per_million_tokens", Figure("cost.usd_per_million_tokens")),
    (
        "network_capex_saving_usd",
        Under::Against(|difference| Amount::Money(difference.network_capex_saving)),
    ),
    ("power_saving_w", Under::Against(|difference| Amount::Power(difference.power_saving))),
    ("slowdown", Under::Against(|difference| Amount::Number(difference.slowdown))),
];

/// The designs one under the other, for a spreadsheet.
fn comparison_spreadsheet(comparison: &Comparison) -> Table {
    let named = |row: &&Quantity| {
        COLUMNS.iter().any(|(_, under)| matches!(under, Figure(key) if *key == row.key))
    };
    let rest: Vec<&Quantity> =
        all_quantities().filter(|row| row.compared).filter(|row| !named(row)).collect();
    let mut columns = vec![Column::words("design", "design")];
    columns.extend(COLUMNS.iter().map(|(key, _)| Column::numbers(key, key)));
    columns.extend(
        rest.iter()
            .map(|row| Column::numbers(row.key_without_section(), row.key_without_section())),
    );
    let mut table = Table::new(columns);
    let mut row = |name: &str, plan: &Plan, against: Option<&BaselineDifference>| {
        let answer = FigureSource::from_plan(plan);
        let value = |(_, under): &(&str, Under)| match under {
            Figure(key) => quantity_for_key(key).and_then(|row| row.read_from(&answer)),
            Tiers => Some(Amount::from_count(plan.fabric.tier_count() as u64)),
            Under::Against(read) => against.map(read),
        };
        let rest = rest.iter().map(|row| row.read_from(&answer));
        let cell = |value: Option<Amount>| value.as_ref().map_or_else(Cell::no_value, Cell::amount);
        let mut cells = vec![Cell::words(name)];
        cells.extend(COLUMNS.iter().map(value).chain(rest).map(cell));
        table.push_row(cells);
    };
    let mut rows = |whose: &str, comparison: &Comparison| {
        row(&format!("{whose}design"), &comparison.design, None);
        for contender in &comparison.contenders {
            let name = format!("{whose}{}", contender.name);
            row(&name, &contender.plan, Some(&contender.against));
        }
    };
    if comparison.each.is_empty() {
        rows("", comparison);
    }
    // Sums stand in the report and in JSON: a column adds up here.
    for (cluster, one) in comparison.design.clusters.iter().zip(&comparison.each) {
        rows(&format!("{}: ", parts_and_stages::cluster_title(cluster).1), one);
    }
    table
}

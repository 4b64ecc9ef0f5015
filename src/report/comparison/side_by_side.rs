//! Designs side by side, a column each.

use super::specs_screen::{is_one_job, snapshot_cell, specs_screen};
use crate::compare::{BaselineDifference, BaselineResult};
use crate::design::Plan;
use crate::quantity::{Better, FigureSource, Quantity, all_quantities, quantity_for_key};
use crate::report::amount::amount_text;
use crate::report::document::{Document, Section};
use crate::report::format::{RenderOptions, draw_document};
use crate::report::picture::{Bar, Bars, Ink, Picture};
use crate::report::section::{fabric, machines, routing};
use crate::report::sheet::SideBySide;
use crate::report::table::{Cell, Column, Table, figure_cell};
use crate::report::{json, number};
use crate::units::{Seconds, Usd, UsdRange};

/// The designs beside one another, with a line break at its end.
#[must_use]
pub fn side_by_side(sheet: &SideBySide<'_>, look: RenderOptions<'_>) -> String {
    draw_document(&side_by_side_document(sheet), look, || json::side_by_side(sheet))
}

fn side_by_side_document(sheet: &SideBySide<'_>) -> Document {
    let names = sheet.design_names();
    let columns = names.iter().map(|name| Column::numbers(name, name));
    let mut table =
        Table::new([Column::words("figure", "figure")].into_iter().chain(columns).collect());
    let mut best = Table::new(vec![
        Column::words("figure", "figure"),
        Column::words("best", "best"),
        Column::numbers("value", "value"),
        Column::words("worst", "worst"),
        Column::numbers("value", "worst_value"),
    ]);
    for row in sheet.figure_rows() {
        let cells = sheet.all.iter().map(|(_, snapshot)| snapshot_cell(snapshot, row));
        table.push_row([Cell::words(row.label)].into_iter().chain(cells).collect());
        if let Some(((first, least), (last, most))) = best_and_worst(sheet, row) {
            best.push_row(vec![
                Cell::words(row.label),
                Cell::words(first),
                figure_cell(row.unit, Some(least)),
                Cell::words(last),
                figure_cell(row.unit, Some(most)),
            ]);
        }
    }
    let count = number::count_with_noun(sheet.all.len() as u64, "design", "designs");
    let screen = specs_screen(sheet);
    if !is_one_job(sheet) {
        best.rows.clear();
    }
    let mut sections = vec![
        Section::new("SIDE BY SIDE", count)
            .add_table(table.clone())
            .add_pictures_on_top(
                PICTURED.map(|(key, title)| figure_bars_picture(sheet, key, title)),
            )
            .with_summary_rank(),
        Section::new("BEST AND WORST", "figures of which less, or more, is better").add_table(best),
        Section::new("VERDICT", screen.verdict.clone()),
    ];
    sections.retain(|section| !section.parts.is_empty() || section.heading == "VERDICT");
    Document { title: names.join(", "), sections, screen: Some(screen), sheet: table }
}

/// Figures that a page draws, by their keys.
const PICTURED: [(&str, &str); 4] = [
    ("cost.capex_usd", "What the cluster costs"),
    ("cost.network_capex_usd", "What the network costs"),
    ("step.time_s", "How long a step takes"),
    ("cost.usd_per_million_tokens", "What a million trained tokens cost"),
];

/// A figure of each design that has it.
fn figure_bars_picture(sheet: &SideBySide<'_>, key: &str, title: &str) -> Option<Picture> {
    let row = sheet.figure_rows().find(|row| row.key == key)?;
    let all = sheet.design_names().into_iter().zip(&sheet.all);
    let found = all.filter_map(|(name, (_, snapshot))| Some((name, *snapshot.figures.get(key)?)));
    let bars = found.map(|(name, figure)| {
        Bar::with_single_ink(name, figure_cell(row.unit, Some(figure)).text, figure, Ink::Blue)
    });
    Bars { bars: bars.collect(), ..Bars::default() }.picture(title)
}

/// A design by its name, with its figure.
type End<'a> = (&'a str, f64);

/// The designs with the best and the worst figure; `None` where all have the same, or no side is
/// better.
fn best_and_worst<'a>(sheet: &SideBySide<'a>, row: &Quantity) -> Option<(End<'a>, End<'a>)> {
    let found = sheet
        .design_names()
        .into_iter()
        .zip(&sheet.all)
        .filter_map(|(name, (_, snapshot))| Some((name, *snapshot.figures.get(row.key)?)));
    let mut found: Vec<End<'_>> = found.collect();
    found.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (first, last) = (*found.first()?, *found.last()?);
    match row.better {
        _ if first.1 >= last.1 => None,
        Better::Neither => None,
        Better::Lower => Some((first, last)),
        Better::Higher => Some((last, first)),
    }
}

/// The design beside some baselines: one column for each.
pub(super) fn comparison_table(design: &Plan, contenders: &[BaselineResult]) -> Table {
    let heading =
        format!("design\n{}\n{}", design.fabric.kind, machines::planes_text(design.fabric.planes));
    let mut columns = Columns::new(&heading, design, contenders);
    add_fabric_rows(&mut columns);
    add_money_rows(&mut columns);
    add_power_rows(&mut columns);
    add_time_rows(&mut columns);
    columns.add_remaining_figures();
    columns.table
}

/// Several clusters together beside their baselines: what can be added up.
pub(super) fn multi_cluster_comparison_table(
    design: &Plan,
    contenders: &[BaselineResult],
) -> Table {
    let mut columns = Columns::new("design", design, contenders);
    add_money_rows(&mut columns);
    add_present_value_rows(&mut columns);
    add_power_rows(&mut columns);
    let longest = |plan: &Plan| {
        let times = plan.clusters.iter().map(|cluster| cluster.plan.step.time.total_time());
        number::time(times.fold(Seconds::ZERO, Seconds::max))
    };
    columns.add_design_row("longest step", longest);
    columns.add_baseline_row("most slowed by", |difference| {
        Some(number::percent_change(difference.slowdown - 1.0))
    });
    columns.table
}

/// Columns of the table that people read: the design, then the baselines.
struct Columns<'a> {
    design: &'a Plan,
    contenders: &'a [BaselineResult],
    /// Keys of the figures that stand in it.
    shown: Vec<&'static str>,
    table: Table,
}

impl<'a> Columns<'a> {
    fn new(heading: &str, design: &'a Plan, contenders: &'a [BaselineResult]) -> Self {
        let name = |result: &BaselineResult| {
            Column::numbers(&result.name.replace(", ", "\n"), &result.name)
        };
        let mut columns = vec![Column::words("", "quantity"), Column::numbers(heading, "design")];
        columns.extend(contenders.iter().map(name));
        Self { design, contenders, shown: Vec::new(), table: Table::new(columns) }
    }

    /// A figure under its name; nothing where no design has it.
    fn add_figure(&mut self, key: &str) {
        let Some(row) = quantity_for_key(key) else { return };
        let text = |plan: &Plan| {
            row.read_from(&FigureSource::from_plan(plan)).map(|value| amount_text(&value))
        };
        let plans = self.contenders.iter().map(|result| &result.plan);
        if plans.chain([self.design]).any(|plan| text(plan).is_some()) {
            self.figure_as(key, |plan| text(plan).unwrap_or_else(|| "-".to_owned()));
        }
    }

    /// A sum of prices, with how many parts it lacks.
    fn sum(&mut self, key: &str) {
        let Some(row) = quantity_for_key(key) else { return };
        self.figure_as(key, |plan| {
            let value = row
                .read_from(&FigureSource::from_plan(plan))
                .map_or_else(|| "-".to_owned(), |amount| amount_text(&amount));
            match plan.cost.unpriced.len() {
                0 => value,
                parts => format!("{value} + {parts} unpriced"),
            }
        });
    }

    /// A figure under its name, in words of its own.
    fn figure_as(&mut self, key: &str, read: impl Fn(&Plan) -> String) {
        let Some(row) = quantity_for_key(key) else { return };
        self.shown.push(row.key);
        self.add_design_row(row.label, read);
    }

    /// Figures that are compared and do not stand in it yet.
    fn add_remaining_figures(&mut self) {
        for row in all_quantities().filter(|row| row.compared) {
            if !self.shown.contains(&row.key) {
                self.add_figure(row.key);
            }
        }
    }

    /// A row that every design has.
    fn add_design_row(&mut self, name: &str, read: impl Fn(&Plan) -> String) {
        let mut cells = vec![Cell::words(name), Cell::words(read(self.design))];
        cells.extend(self.contenders.iter().map(|contender| Cell::words(read(&contender.plan))));
        self.table.push_row(cells);
    }

    /// A row that only baselines have: how the design compares with each.
    fn add_baseline_row(
        &mut self,
        name: &str,
        read: impl Fn(&BaselineDifference) -> Option<String>,
    ) {
        let mut cells = vec![Cell::words(format!("  {name}")), Cell::words("")];
        cells.extend(
            self.contenders
                .iter()
                .map(|contender| read(&contender.against).map_or_else(Cell::no_value, Cell::words)),
        );
        self.table.push_row(cells);
    }
}

fn add_fabric_rows(columns: &mut Columns<'_>) {
    columns.add_design_row("tiers", |plan| plan.fabric.tier_count().to_string());
    columns.add_figure("fabric.switches");
    columns.add_figure("fabric.transceivers");
    columns.figure_as("fabric.bisection_share", |plan| fabric::level_text(plan.fabric.within_rail));
    columns.figure_as("fabric.across_rails_share", |plan| {
        if plan.fabric.kind.joins_rails() {
            fabric::level_text(plan.fabric.across_rails)
        } else {
            "forwarded".to_owned()
        }
    });
    columns.figure_as("all_to_all.stored_share", |plan| routing::throughput_text(&plan.all_to_all));
    columns.add_figure("headroom.gpus_before_another_tier");
}

fn add_money_rows(columns: &mut Columns<'_>) {
    columns.sum("cost.network_capex_usd");
    columns.add_baseline_row("saved", |difference| {
        Some(saving_text(difference, difference.network_capex_saving))
    });
    if columns.contenders.iter().any(|result| result.against.network_capex_saving_range.is_some()) {
        // At any prices within the ranges that the book states.
        let end = |difference: &BaselineDifference, end: fn(UsdRange) -> Usd| {
            difference.network_capex_saving_range.map(|range| saving_text(difference, end(range)))
        };
        columns
            .add_baseline_row("saved, at least", |difference| end(difference, |range| range.low));
        columns
            .add_baseline_row("saved, at most", |difference| end(difference, |range| range.high));
    }
    columns.add_baseline_row("saved, % of the other", |difference| {
        difference.network_capex_share.filter(|_| difference.is_priced()).map(number::percent)
    });
    columns.sum("cost.capex_usd");
    columns.add_baseline_row("saved", |difference| {
        Some(saving_text(difference, difference.capex_saving))
    });
    if columns.design.cost.usd_per_million_tokens.is_some() {
        columns.sum("cost.usd_per_million_tokens");
        let ends = |plan: &Plan| {
            let end = |key: &str| {
                quantity_for_key(key)?
                    .read_from(&FigureSource::from_plan(plan))
                    .map(|value| amount_text(&value))
            };
            let low = end("cost.low_usd_per_million_tokens");
            let ends = low.zip(end("cost.high_usd_per_million_tokens"));
            ends.map_or_else(|| "-".to_owned(), |(low, high)| format!("{low} to {high}"))
        };
        columns.add_design_row("  likely", ends);
        columns.add_baseline_row("saved", |difference| {
            difference.usd_per_million_tokens_saving.map(|usd| saving_text(difference, usd))
        });
        let interval = |difference: &BaselineDifference| {
            difference.usd_per_million_tokens_saving_interval.filter(|_| difference.is_priced())
        };
        columns.add_baseline_row("saved, likely", |difference| {
            interval(difference).map(saving_range_text)
        });
    }
}

/// A saving in dollars; in words where parts of one side have no price.
fn saving_text(difference: &BaselineDifference, saving: Usd) -> String {
    if difference.is_priced() { number::money_change(saving) } else { "unknown".to_owned() }
}

fn saving_range_text(range: UsdRange) -> String {
    format!("{} to {}", number::money_change(range.low), number::money_change(range.high))
}

/// What stages come to in today's money; nothing for a cluster that does not grow.
fn add_present_value_rows(columns: &mut Columns<'_>) {
    if columns.design.growth.is_none() {
        return;
    }
    columns.add_figure("growth.present_value_usd");
    columns.add_baseline_row("saved", |difference| {
        difference.present_value_saving.map(|usd| saving_text(difference, usd))
    });
}

fn add_power_rows(columns: &mut Columns<'_>) {
    columns.add_figure("cost.network_power_w");
    columns.add_baseline_row("saved", |difference| {
        Some(number::power_change(difference.power_saving))
    });
    columns.add_figure("cost.power_w");
}

fn add_time_rows(columns: &mut Columns<'_>) {
    columns.add_figure("step.time_s");
    columns.add_baseline_row("design slower by", |difference| {
        Some(number::percent_change(difference.slowdown - 1.0))
    });
    columns.add_figure("goodput_share");
    columns.add_figure("failures.days_lost_per_year");
    columns.add_figure("failures.network_days_lost_per_year");
    columns.add_figure("failures.usd_lost_per_year");
    columns.add_figure("failures.worst_part");
    columns.add_figure("failures.worst_gpus");
    columns.add_figure("failures.worst_pace_share");
    columns.add_figure("cost.training_days");
}

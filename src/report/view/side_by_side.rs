//! The report of `planner compare A B C`: any number of designs, one column each. It holds them
//! against each other by their figures alone; what made one differ is `planner diff`'s.

use super::super::document::{Document, Section};
use super::super::format::{RenderOptions, draw_document};
use super::super::picture::{Bar, Bars, Ink, Picture};
use super::super::sheet::SideBySide;
use super::super::table::{Cell, Column, Table};
use super::super::{json, number};
use super::gate::figure::figure_cell;
use crate::gate::Snapshot;
use crate::quantity::{Better, Quantity};
use crate::units::Unit;

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
    let sections = vec![
        Section::new("SIDE BY SIDE", count)
            .add_table(table.clone())
            .add_pictures_on_top(
                PICTURED.map(|(key, title)| figure_bars_picture(sheet, key, title)),
            )
            .with_summary_rank(),
        Section::new("BEST AND WORST", "of figures that have a better side").add_table(best),
    ];
    Document { title: names.join(", "), sections, sheet: table }
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

fn snapshot_cell(snapshot: &Snapshot, row: &Quantity) -> Cell {
    match snapshot.words.get(row.key) {
        Some(word) if row.unit == Unit::Word => Cell::words(word),
        _ => figure_cell(row.unit, snapshot.figures.get(row.key).copied()),
    }
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

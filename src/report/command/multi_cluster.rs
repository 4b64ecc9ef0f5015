//! The reports of several clusters as one: all of them beside each other, then each by itself.

use crate::report::document::{Document, Screen, Section, SectionRank};
use crate::report::format::{RenderOptions, draw_document};
use crate::report::sheet::ClusterSheets;
use crate::report::table::{Cell, Column, Table};
use crate::report::{json, number};
use crate::scenario::ClusterName;

/// A figure of a cluster, under the heading of its column.
pub(in crate::report) type Figure = (Column, Cell);

/// What a report says of one cluster.
pub(in crate::report) struct ClusterReport<'d, T> {
    /// The report of one by itself.
    pub(in crate::report) document: &'d dyn Fn(&T) -> Document,
    /// What programs read of it.
    pub(in crate::report) json: &'d dyn Fn(&T) -> String,
    /// What one has beside the others, each figure of all of them.
    pub(in crate::report) beside: &'d dyn Fn(&T) -> Vec<Figure>,
    /// What only all of several together have: for people, and as a JSON value.
    pub(in crate::report) whole: Option<&'d dyn Fn() -> (Section, String)>,
}

/// The report of every cluster in the wanted format, with a line break at its end: that of the only
/// one as it is.
pub(in crate::report) fn report_each_cluster<T>(
    sheets: &ClusterSheets<'_, T>,
    look: RenderOptions<'_>,
    told: &ClusterReport<'_, T>,
) -> String {
    if let Some(only) = sheets.single_sheet() {
        return draw_document(&(told.document)(only), look, || (told.json)(only));
    }
    let whole = told.whole.map(|whole| whole());
    let (section, value) = whole.unzip();
    draw_document(&clusters_document(sheets, told, section), look, || {
        json::clusters_json(sheets, told.json, value.as_deref())
    })
}

fn clusters_document<T>(
    sheets: &ClusterSheets<'_, T>,
    told: &ClusterReport<'_, T>,
    whole: Option<Section>,
) -> Document {
    let mut sections = vec![clusters_side_by_side(sheets, told.beside)];
    sections.extend(whole.map(Section::with_summary_rank));
    let (mut all, mut verdicts) = (Table::default(), Vec::new());
    let more = sections.clone();
    for (name, sheet) in &sheets.each {
        let Document { title: _, sections: own, screen, sheet: table } = (told.document)(sheet);
        verdicts.extend(screen.map(|screen| format!("{}: {}", name, screen.verdict)));
        sections.push(
            Section::new(cluster_heading(sheets), name.to_string())
                .add_line(part_option_hint(name)),
        );
        // The summary is of all clusters.
        sections.extend(own.into_iter().map(|section| match section.rank {
            SectionRank::Summary => Section { rank: SectionRank::Usual, ..section },
            _ => section,
        }));
        add(&mut all, name, sheets.is_staged(), table);
    }
    let screen = (!verdicts.is_empty()).then(|| Screen {
        more,
        verdict: verdicts.join(" "),
        brief: verdicts,
        ..Screen::default()
    });
    Document { title: sheets.name.to_owned(), sections, screen, sheet: all }
}

fn cluster_heading<T>(sheets: &ClusterSheets<'_, T>) -> &'static str {
    if sheets.is_staged() { "STAGE" } else { "PART" }
}

/// What has this cluster alone as its question.
fn part_option_hint(name: &ClusterName) -> String {
    match name.part_argument() {
        Some(typed) => format!("`--part '{typed}'` shows it alone"),
        None => String::new(),
    }
}

/// All clusters beside each other.
fn clusters_side_by_side<T>(
    sheets: &ClusterSheets<'_, T>,
    figures: &dyn Fn(&T) -> Vec<Figure>,
) -> Section {
    let mut table = Table::default();
    for (name, sheet) in &sheets.each {
        let (columns, cells): (Vec<Column>, Vec<Cell>) = figures(sheet).into_iter().unzip();
        if table.columns.is_empty() {
            table.columns = cluster_name_columns(sheets.is_staged());
            table.columns.extend(columns);
        }
        table.push_row(cluster_name_cells(name).into_iter().chain(cells).collect());
    }
    let count = sheets.each.len() as u64;
    let (heading, lead) = if sheets.is_staged() {
        ("STAGES", number::count_with_noun(count, "stage", "stages"))
    } else {
        ("PARTS", number::count_with_noun(count, "part", "parts"))
    };
    Section::new(heading, lead).add_table(table).with_summary_rank()
}

/// Columns that say which cluster a row is of.
fn cluster_name_columns(are_stages: bool) -> Vec<Column> {
    if are_stages {
        vec![Column::numbers("stage", "stage"), Column::numbers("year", "year")]
    } else {
        vec![Column::words("workload", "workload")]
    }
}

fn cluster_name_cells(name: &ClusterName) -> Vec<Cell> {
    match name {
        ClusterName::Whole => vec![Cell::words("")],
        ClusterName::Part(workload) => vec![Cell::words(workload)],
        ClusterName::Stage { number, year } => {
            vec![Cell::count(*number as u64), Cell::with_text_and_value(year.to_string(), *year)]
        }
    }
}

/// Adds the rows of a cluster's table for a spreadsheet, with its name before each. Tables may
/// differ in columns: those that one lacks are empty there.
fn add(all: &mut Table, name: &ClusterName, are_stages: bool, table: Table) {
    if all.columns.is_empty() {
        all.columns = cluster_name_columns(are_stages);
    }
    let mut places = Vec::new();
    for column in table.columns {
        let known = all.columns.iter().position(|other_column| other_column.key == column.key);
        places.push(known.unwrap_or(all.columns.len()));
        if known.is_none() {
            all.columns.push(column);
        }
    }
    let width = all.columns.len();
    all.rows.iter_mut().for_each(|row| row.resize(width, Cell::default()));
    for row in table.rows {
        let mut cells = cluster_name_cells(name);
        cells.resize(width, Cell::default());
        for (cell, place) in row.into_iter().zip(&places) {
            cells[*place] = cell;
        }
        all.rows.push(cells);
    }
}

//! Words for a sweep: the table of its points, the front, and a plot that a terminal can show.

use super::sweep_plots;
use crate::quantity::{figure_unit, strip_unit};
use crate::report::document::{Document, Section};
use crate::report::format::{RenderOptions, draw_document};
use crate::report::picture::{Picture, standalone_svg};
use crate::report::table::{self, Cell, Column, Table};
use crate::report::{json, number};
use crate::sweep::{
    BetterDirection, Outcome, Plotted, Shard, SlowerWithMoreGpus, Sweep, SweepEntry,
    SweepObjective, SweepRow,
};

/// Mark of a point that no other beats.
const FRONT: &str = "*";

/// The sweep in the wanted format, with a line break at its end.
#[must_use]
pub fn render_sweep(sweep: &Sweep, look: RenderOptions<'_>) -> String {
    sweep_plotted(sweep, &[], look)
}

/// The sweep with lines that were asked for.
#[must_use]
pub fn sweep_plotted(sweep: &Sweep, plots: &[Plotted], look: RenderOptions<'_>) -> String {
    let mut document = sweep_document(sweep);
    if !plots.is_empty() {
        let section = plots.iter().fold(Section::new("LINES", ""), sweep_plots::add_line_plot);
        document.sections.insert(1, section.with_summary_rank());
    }
    draw_document(&document, look, || json::sweep_json(sweep))
}

/// The lines that were asked for as one SVG.
#[must_use]
pub fn sweep_drawing(sweep: &Sweep, plots: &[Plotted]) -> String {
    let pictures: Vec<Picture> = plots.iter().filter_map(sweep_plots::lines_picture).collect();
    standalone_svg(&sweep.name, &pictures)
}

fn sweep_document(sweep: &Sweep) -> Document {
    let mut sections = vec![
        points_section(sweep).with_summary_rank(),
        sweep_plots::plot_section(sweep),
        impossible_points_section(sweep),
    ];
    sections.retain(|section| !section.parts.is_empty() || !section.lead.is_empty());
    Document { title: sweep_title(sweep), sections, screen: None, sheet: sweep_table(sweep) }
}

fn sweep_title(sweep: &Sweep) -> String {
    let points = number::count_with_noun(sweep.rows.len() as u64, "point", "points");
    let designs = number::count_with_noun(sweep.design_count() as u64, "design", "designs");
    let title = format!("{}: {points}, {designs}", sweep.name);
    if sweep.shard == Shard::WHOLE {
        title
    } else {
        format!("{title}; shard {} of a grid of {}", sweep.shard, sweep.grid.point_count())
    }
}

/// Headings of the axes and columns: the last word of a key where that tells them apart.
fn column_headings(sweep: &Sweep) -> Vec<String> {
    let axes = sweep.grid.axes().iter().map(|axis| axis.key.as_str());
    let keys: Vec<&str> =
        axes.chain(sweep.columns.iter().map(|column| strip_unit(&column.key))).collect();
    let last = |key: &str| key.rsplit('.').next().unwrap_or(key).to_owned();
    keys.iter()
        .map(|key| {
            let alone = keys.iter().filter(|other| last(other) == last(key)).count() == 1;
            if alone { last(key) } else { (*key).to_owned() }
        })
        .collect()
}

fn points_section(sweep: &Sweep) -> Section {
    let axes = sweep.grid.axes().len();
    let headings = column_headings(sweep);
    let same = |place: usize| place.checked_sub(axes).and_then(|column| same_word(sweep, column));
    let mut columns: Vec<Column> = headings
        .iter()
        .enumerate()
        .map(|(place, heading)| {
            let words = place < axes || is_word(sweep, place - axes);
            let shown = if same(place).is_some() { "" } else { heading };
            if words { Column::words(shown, heading) } else { Column::numbers(shown, heading) }
        })
        .collect();
    columns.push(Column::words("best", "front"));
    let mut table = Table::new(columns);
    for (row, on_front) in sweep.rows.iter().zip(sweep.front_membership()) {
        let mut cells: Vec<Cell> =
            sweep.grid.point_values(row.place).into_iter().map(Cell::words).collect();
        match &row.outcome {
            Outcome::Design(entries) => cells.extend(
                entries.iter().zip(&sweep.columns).enumerate().map(|(place, (entry, column))| {
                    let cell = entry_cell(entry, &column.key);
                    match same(axes + place) {
                        Some(_) => Cell { text: String::new(), ..cell },
                        None => cell,
                    }
                }),
            ),
            Outcome::Impossible(_) => cells.extend(sweep.columns.iter().map(|_| Cell::no_value())),
        }
        cells.push(Cell::words(if on_front { FRONT } else { "" }));
        table.push_row(cells);
    }
    let [first, second] = sweep.objectives.map(|objective| objective_text(sweep, objective));
    let lead = format!("{FRONT} best trade-off of {first} and {second}");
    let alike = headings.iter().enumerate().filter_map(|(place, heading)| {
        same(place).map(|word| match (heading.as_str(), word) {
            ("status", "optimal" | "goodput-bound") => "all designs proven".to_owned(),
            _ => format!("all designs: {heading} {word}"),
        })
    });
    let section = alike.fold(Section::new("POINTS", lead).add_table(table), Section::add_line);
    sweep
        .slower_with_more_gpus()
        .iter()
        .fold(section, |section, gpus| section.add_line(slower_step_sentence(sweep, gpus)))
}

/// That more GPUs make a step longer at a point.
fn slower_step_sentence(sweep: &Sweep, gpus: &SlowerWithMoreGpus<'_>) -> String {
    format!(
        "{} is slower than {}: {} per step and {}; more GPUs do not help there, a larger \
         `training.global_batch` may",
        point_name(sweep, gpus.more),
        point_name(sweep, gpus.fewer),
        number::time(gpus.takes),
        number::time(gpus.took)
    )
}

/// A figure of the front, with its direction where that is not the usual one.
fn objective_text(sweep: &Sweep, objective: SweepObjective) -> String {
    let Some(column) = sweep.columns.get(objective.column) else { return String::new() };
    let key = strip_unit(&column.key);
    if BetterDirection::for_key(&column.key) == Some(objective.sense) {
        return key.to_owned();
    }
    let word = match objective.sense {
        BetterDirection::SmallerIsBetter => "small",
        BetterDirection::LargerIsBetter => "large",
    };
    format!("{key} ({word} is good)")
}

/// The word that all designs have in a column, where there are several.
fn same_word(sweep: &Sweep, column: usize) -> Option<&str> {
    let words = sweep.rows.iter().filter_map(|row| match &row.outcome {
        Outcome::Design(entries) => Some(entries.get(column)),
        Outcome::Impossible(_) => None,
    });
    let words: Vec<&str> = words
        .map(|entry| match entry {
            Some(SweepEntry::Word(word)) => Some(word.as_str()),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let (first, others) = words.split_first()?;
    (!others.is_empty() && others.iter().all(|word| word == first)).then_some(*first)
}

fn is_word(sweep: &Sweep, column: usize) -> bool {
    sweep.rows.iter().any(|row| match &row.outcome {
        Outcome::Design(entries) => matches!(entries.get(column), Some(SweepEntry::Word(_))),
        Outcome::Impossible(_) => false,
    })
}

fn entry_cell(entry: &SweepEntry, key: &str) -> Cell {
    match entry {
        SweepEntry::Figure(value) => table::figure_cell(figure_unit(key), Some(*value)),
        SweepEntry::Word(word) => Cell::words(word),
        SweepEntry::None => Cell::no_value(),
    }
}

/// Most reasons that a page shows.
const MOST_REASONS: usize = 10;

/// Points without a design, each reason once.
fn impossible_points_section(sweep: &Sweep) -> Section {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for row in &sweep.rows {
        let Outcome::Impossible(reason) = &row.outcome else { continue };
        let point = point_name(sweep, row);
        match reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, points)) => points.push(point),
            None => reasons.push((reason, vec![point])),
        }
    }
    let mut section = Section::new("NO DESIGN", "");
    for (reason, points) in reasons.iter().take(MOST_REASONS) {
        let more = match points.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        section = section.add_line(format!("{}{more}: {reason}", points[0]));
    }
    match reasons.len().saturating_sub(MOST_REASONS) {
        0 => section,
        more => section.add_line(format!("and {more} other reasons; `--format json` has all")),
    }
}

/// A point by its values.
fn point_name(sweep: &Sweep, row: &SweepRow) -> String {
    let axes = sweep.grid.axes().iter().map(|axis| axis.key.as_str());
    let values = axes.zip(sweep.grid.point_values(row.place));
    values.map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
}

/// Every point for a spreadsheet, under whole keys.
fn sweep_table(sweep: &Sweep) -> Table {
    let axes = sweep.grid.axes().iter().map(|axis| Column::words("", &axis.key));
    let mut columns: Vec<Column> = vec![Column::numbers("", "index")];
    columns.extend(axes);
    columns.extend(sweep.columns.iter().map(|column| Column::numbers("", &column.key)));
    columns.extend([Column::words("", "on_front"), Column::words("", "impossible")]);
    let mut table = Table::new(columns);
    for (row, on_front) in sweep.rows.iter().zip(sweep.front_membership()) {
        let mut cells = vec![Cell::count(row.place as u64)];
        cells.extend(sweep.grid.point_values(row.place).into_iter().map(Cell::words));
        let reason = match &row.outcome {
            Outcome::Design(entries) => {
                let cell = |(entry, column): (&SweepEntry, &crate::sweep::SweepColumn)| match entry
                {
                    SweepEntry::None => Cell::default(),
                    entry => entry_cell(entry, &column.key),
                };
                cells.extend(entries.iter().zip(&sweep.columns).map(cell));
                ""
            }
            Outcome::Impossible(reason) => {
                cells.extend(sweep.columns.iter().map(|_| Cell::default()));
                reason
            }
        };
        cells.push(Cell::words(on_front.to_string()));
        cells.push(Cell::words(reason));
        table.push_row(cells);
    }
    table
}

//! A plot of plain characters: bars where one key varies, the two objectives against each other
//! where several do. It fits the report's width, whatever the terminal.

use super::super::super::document::{Part, Section};
use super::super::super::table::{Cell, Column, Table};
use super::super::gate::figure;
use super::key;
use crate::gate::Unit;
use crate::sweep::Sweep;

/// Columns of the longest bar.
const BAR: f64 = 50.0;

/// Columns and lines of a scatter plot.
const COLUMNS: usize = 64;
const LINES: usize = 16;

/// Fewest designs that make a picture.
const FEWEST: usize = 2;

/// The plot; empty where there is nothing to see.
pub(super) fn section(sweep: &Sweep) -> Section {
    if sweep.designs() < FEWEST {
        return Section::new("", "");
    }
    if sweep.grid.axes().len() == 1 { bars(sweep) } else { scatter(sweep) }
}

/// The objectives, one bar a point.
fn bars(sweep: &Sweep) -> Section {
    let mut section = Section::new("PLOT", "");
    for column in sweep.objectives {
        let unit = unit(sweep, column);
        let figures = || sweep.rows.iter().filter_map(|row| row.outcome.figure(column));
        let most = figures().fold(0.0, f64::max);
        if most <= 0.0 {
            continue;
        }
        let axis = sweep.grid.axes().first().map_or("", |axis| axis.key.as_str());
        let mut table =
            Table::new(vec![Column::words(axis, ""), Column::words(key(sweep, column), "")]);
        for row in &sweep.rows {
            let bar = match row.outcome.figure(column) {
                Some(figure) => {
                    let length = (figure.max(0.0) / most * BAR).round() as usize;
                    format!("{} {}", "█".repeat(length), figure::text(unit, figure))
                }
                None => "no design".to_owned(),
            };
            table.row(vec![Cell::words(sweep.grid.point(row.place).concat()), Cell::words(bar)]);
        }
        section = section.table(table);
    }
    section
}

/// The objectives against each other; points on the front are marked.
fn scatter(sweep: &Sweep) -> Section {
    let [across, up] = sweep.objectives;
    let front = sweep.front();
    let points: Vec<(f64, f64, bool)> = sweep
        .rows
        .iter()
        .zip(front)
        .filter_map(|(row, on)| Some((row.outcome.figure(across)?, row.outcome.figure(up)?, on)))
        .collect();
    let range = |of: fn(&(f64, f64, bool)) -> f64| {
        let least = points.iter().map(of).fold(f64::INFINITY, f64::min);
        let most = points.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        (least, most)
    };
    let (left, right) = range(|point| point.0);
    let (bottom, top) = range(|point| point.1);
    if points.len() < FEWEST {
        return Section::new("", "");
    }
    let place = |value: f64, (least, most): (f64, f64), cells: usize| {
        let share = if most > least { (value - least) / (most - least) } else { 0.5 };
        (share * (cells - 1) as f64).round() as usize
    };
    let mut canvas = vec![vec![' '; COLUMNS]; LINES];
    // What is on the front is drawn last, so that nothing hides it.
    for (x, y, on) in points.iter().filter(|of| !of.2).chain(points.iter().filter(|of| of.2)) {
        let column = place(*x, (left, right), COLUMNS);
        let line = LINES - 1 - place(*y, (bottom, top), LINES);
        canvas[line][column] = if *on { '*' } else { 'o' };
    }
    let heading = format!("{} (up) over {} (across)", key(sweep, up), key(sweep, across));
    let (highest, lowest) =
        (figure::text(unit(sweep, up), top), figure::text(unit(sweep, up), bottom));
    let margin = highest.chars().count().max(lowest.chars().count());
    let mut text = format!("  {heading}\n");
    for (line, cells) in canvas.iter().enumerate() {
        let label = match line {
            0 => highest.as_str(),
            _ if line == LINES - 1 => lowest.as_str(),
            _ => "",
        };
        let cells: String = cells.iter().collect();
        text.push_str(format!("  {label:>margin$} │{cells}").trim_end());
        text.push('\n');
    }
    let (least, most) =
        (figure::text(unit(sweep, across), left), figure::text(unit(sweep, across), right));
    let gap = COLUMNS.saturating_sub(least.chars().count() + most.chars().count());
    text.push_str(&format!("  {:margin$} └{}\n", "", "─".repeat(COLUMNS)));
    text.push_str(&format!("  {:margin$}  {least}{}{most}\n", "", " ".repeat(gap)));
    let mut section = Section::new("PLOT", "* on the front, o not");
    section.parts.push(Part::Verbatim(text));
    section
}

fn unit(sweep: &Sweep, column: usize) -> Unit {
    sweep.columns.get(column).map_or(Unit::Plain, |column| Unit::of_key(&column.key))
}

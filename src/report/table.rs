//! Rows, columns, cells; cells of figures and changes.

use super::amount::amount_text;
use super::{number, words};
use crate::units::{Amount, Bytes, Seconds, Unit, Usd};

/// A table: columns, and rows of as many cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Table {
    pub(super) columns: Vec<Column>,
    /// Each as long as `columns`.
    pub(super) rows: Vec<Vec<Cell>>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    pub(super) heading: String,
    /// Heading for a spreadsheet, with the unit of its cells; empty for a column that a
    /// spreadsheet does not need.
    pub(super) key: String,
    /// Which side its cells lean to.
    pub(super) side: Side,
}

/// Which side the cells of a column lean to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// One entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cell {
    /// For people: rounded, with unit.
    pub(super) text: String,
    /// For a spreadsheet: exact, without unit.
    pub(super) raw: String,
}

impl Table {
    /// A table of those columns, still empty.
    pub(super) const fn new(columns: Vec<Column>) -> Self {
        Self { columns, rows: Vec::new() }
    }

    /// Columns that people see: those with a heading or a text in any cell.
    pub(super) fn visible_columns(&self) -> Vec<usize> {
        let text = |place: usize| {
            move |row: &Vec<Cell>| row.get(place).is_some_and(|cell| !cell.text.is_empty())
        };
        (0..self.columns.len())
            .filter(|place| {
                !self.columns[*place].heading.is_empty() || self.rows.iter().any(text(*place))
            })
            .collect()
    }

    /// Takes the column with that key away from people: a spreadsheet alone has it.
    pub(super) fn hide_column(&mut self, key: &str) {
        let Some(place) = self.columns.iter().position(|column| column.key == key) else { return };
        self.columns[place].heading.clear();
        self.rows.iter_mut().for_each(|row| row[place].text.clear());
    }

    /// Gives the column with that key another heading.
    pub(super) fn rename_column(&mut self, key: &str, heading: &str) {
        for column in self.columns.iter_mut().filter(|column| column.key == key) {
            column.heading = heading.to_owned();
        }
    }

    /// Takes the column with that key away.
    pub(super) fn remove_column(&mut self, key: &str) {
        let Some(place) = self.columns.iter().position(|column| column.key == key) else { return };
        self.columns.remove(place);
        self.rows.iter_mut().for_each(|row| drop(row.remove(place)));
    }

    /// Puts a column behind the one with that key; a cell for each row.
    pub(super) fn insert_column_after(
        &mut self,
        key: &str,
        column: Column,
        cells: impl IntoIterator<Item = Cell>,
    ) {
        let before = self.columns.iter().position(|column| column.key == key);
        let place = before.map_or(self.columns.len(), |place| place + 1);
        self.columns.insert(place, column);
        for (row, cell) in self.rows.iter_mut().zip(cells) {
            row.insert(place, cell);
        }
    }

    /// Adds a row; missing cells are empty, surplus ones are dropped.
    pub(super) fn push_row(&mut self, mut cells: Vec<Cell>) {
        cells.resize(self.columns.len(), Cell::default());
        self.rows.push(cells);
    }
}

impl Column {
    /// A column of words.
    pub(super) fn words(heading: &str, key: &str) -> Self {
        Self { heading: heading.to_owned(), key: key.to_owned(), side: Side::Left }
    }

    /// A column of numbers.
    pub(super) fn numbers(heading: &str, key: &str) -> Self {
        Self { heading: heading.to_owned(), key: key.to_owned(), side: Side::Right }
    }
}

impl Cell {
    /// Words.
    pub(super) fn words(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { raw: text.clone(), text }
    }

    /// A number that is shown in one way and exported in another.
    pub(super) fn with_text_and_value(text: String, raw: f64) -> Self {
        Self { text, raw: words::exact_number(raw).to_string() }
    }

    /// A value in its unit.
    pub(super) fn amount(value: &Amount) -> Self {
        let raw = match value {
            Amount::Memory(bytes) | Amount::Volume(bytes) => bytes.count().to_string(),
            Amount::Count(count) => count.to_string(),
            Amount::Flag(_) | Amount::Word(_) => amount_text(value),
            other => words::exact_number(other.scalar()).to_string(),
        };
        Self { text: amount_text(value), raw }
    }

    /// A count.
    pub(super) fn count(value: impl Into<u128>) -> Self {
        let value = value.into();
        Self { text: number::count(value), raw: value.to_string() }
    }

    /// An amount of money.
    pub(super) fn money(value: Usd) -> Self {
        Self::with_text_and_value(number::money(value), value.get())
    }

    /// Bytes on wires.
    pub(super) fn volume(value: Bytes) -> Self {
        Self { text: number::volume(value), raw: value.count().to_string() }
    }

    /// A time.
    pub(super) fn time(value: Seconds) -> Self {
        Self::with_text_and_value(number::time(value), value.get())
    }

    /// A share as percent.
    pub(super) fn percent(share: f64) -> Self {
        Self::with_text_and_value(number::percent(share), share)
    }

    /// The entry of something that there is none of.
    pub(super) fn no_value() -> Self {
        Self { text: "-".to_owned(), raw: String::new() }
    }
}

/// A figure.
pub(super) fn figure_cell(unit: Unit, figure: Option<f64>) -> Cell {
    figure.map_or_else(Cell::no_value, |figure| {
        Cell::with_text_and_value(figure_text(unit, figure), figure)
    })
}

/// By how much a figure changed, with its sign.
pub(super) fn change_cell(unit: Unit, change: Option<f64>) -> Cell {
    let Some(change) = change else { return Cell::no_value() };
    let sign = if change > 0.0 { "+" } else { "-" };
    let shown = match unit {
        Unit::Money => number::money_change(Usd::from_f64(change)),
        _ if change == 0.0 => "0".to_owned(),
        // Percent would read like the share of the old value that stands beside it.
        Unit::Share => format!("{sign}{:.2} points", change.abs() * 100.0),
        _ => format!("{sign}{}", figure_text(unit, change.abs())),
    };
    Cell::with_text_and_value(shown, change)
}

/// The change as a share of the old value.
pub(super) fn change_share_cell(old: Option<f64>, new: Option<f64>) -> Cell {
    match (old, new) {
        (Some(old), Some(new)) if old != 0.0 && old != new => {
            let share = (new - old) / old.abs();
            Cell::with_text_and_value(fine_percent(share), share)
        }
        _ => Cell::default(),
    }
}

/// A change as percent; one that a decimal would hide says that it is there.
fn fine_percent(share: f64) -> String {
    const HIDDEN: f64 = 0.000_5;
    match share {
        _ if share > 0.0 && share < HIDDEN => "<+0.1 %".to_owned(),
        _ if share < 0.0 && share > -HIDDEN => ">-0.1 %".to_owned(),
        _ => number::percent_change(share),
    }
}

/// A figure in its unit.
pub(super) fn figure_text(unit: Unit, figure: f64) -> String {
    match unit {
        Unit::Count | Unit::Number if figure.fract() == 0.0 && figure >= 0.0 => {
            number::count(figure as u128)
        }
        Unit::Count | Unit::Number => words::exact_number((figure * 1e4).round() / 1e4).to_string(),
        _ => amount_text(&unit.to_amount(figure)),
    }
}

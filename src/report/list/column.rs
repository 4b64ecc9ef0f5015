//! Columns of a list: described once, read by JSON, terminal, Markdown, HTML and CSV.

use super::value::{JsonObject, JsonValue};
use crate::report::table::{Cell, Column, Side, Table};

/// A column of a list of `R`.
#[derive(Clone, Copy, Debug)]
pub(in crate::report) struct ListColumn<R> {
    /// Its key in JSON, with the unit.
    key: &'static str,
    /// Its heading in CSV.
    csv_key: &'static str,
    /// Its heading for people.
    heading: &'static str,
    side: Side,
    /// What a table says where there is no value.
    missing: &'static str,
    readers: Readers,
    read: fn(&R) -> JsonValue,
}

/// Who reads a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Readers {
    /// JSON, `null` where there is no value, and tables.
    All,
    /// JSON alone.
    Json,
    /// JSON alone, of rows with a value.
    JsonWhereKnown,
    /// Tables alone.
    Tables,
    /// JSON, and of tables that of a spreadsheet.
    JsonAndSpreadsheet,
}

/// A column of words, for JSON and tables.
pub(in crate::report) const fn word_column<R>(
    key: &'static str,
    heading: &'static str,
    read: fn(&R) -> JsonValue,
) -> ListColumn<R> {
    ListColumn {
        key,
        csv_key: key,
        heading,
        side: Side::Left,
        missing: "-",
        readers: Readers::All,
        read,
    }
}

/// A column of numbers, for JSON and tables.
pub(in crate::report) const fn number_column<R>(
    key: &'static str,
    heading: &'static str,
    read: fn(&R) -> JsonValue,
) -> ListColumn<R> {
    ListColumn { side: Side::Right, ..word_column(key, heading, read) }
}

/// A column that JSON alone has.
pub(in crate::report) const fn json_column<R>(
    key: &'static str,
    read: fn(&R) -> JsonValue,
) -> ListColumn<R> {
    ListColumn { readers: Readers::Json, ..word_column(key, "", read) }
}

/// A column that JSON alone has, of rows with a value.
pub(in crate::report) const fn known_column<R>(
    key: &'static str,
    read: fn(&R) -> JsonValue,
) -> ListColumn<R> {
    ListColumn { readers: Readers::JsonWhereKnown, ..word_column(key, "", read) }
}

impl<R> ListColumn<R> {
    /// JSON does not have it: another column says the same.
    pub(in crate::report) const fn only_in_tables(self) -> Self {
        Self { readers: Readers::Tables, ..self }
    }

    /// People do not see it: it is too long for a table.
    pub(in crate::report) const fn not_for_people(self) -> Self {
        Self { readers: Readers::JsonAndSpreadsheet, ..self }
    }

    /// CSV calls it that.
    pub(in crate::report) const fn with_csv_key(self, csv_key: &'static str) -> Self {
        Self { csv_key, ..self }
    }

    /// Tables say that where there is no value.
    pub(in crate::report) const fn with_missing_text(self, missing: &'static str) -> Self {
        Self { missing, ..self }
    }

    const fn is_in_json(&self) -> bool {
        !matches!(self.readers, Readers::Tables)
    }

    const fn is_in_tables(&self) -> bool {
        !matches!(self.readers, Readers::Json | Readers::JsonWhereKnown)
    }

    fn table_cell(&self, row: &R) -> Cell {
        let cell = match (self.read)(row) {
            JsonValue::Null if self.missing == "-" => Cell::no_value(),
            JsonValue::Null => Cell::words(self.missing),
            value => value.into_cell(),
        };
        if self.readers == Readers::JsonAndSpreadsheet {
            Cell { text: String::new(), ..cell }
        } else {
            cell
        }
    }
}

/// The row as JSON: each column in its order.
pub(in crate::report) fn row_json<R>(columns: &[ListColumn<R>], row: &R) -> JsonObject {
    columns.iter().filter(|column| column.is_in_json()).fold(JsonObject::new(), |object, column| {
        match (column.read)(row) {
            JsonValue::Null if column.readers == Readers::JsonWhereKnown => object,
            value => object.with(column.key, value),
        }
    })
}

/// The rows as a list in JSON.
pub(in crate::report) fn list_json<'a, R: 'a>(
    columns: &[ListColumn<R>],
    rows: impl IntoIterator<Item = &'a R>,
) -> JsonValue {
    JsonValue::List(rows.into_iter().map(|row| row_json(columns, row).into()).collect())
}

/// The rows as a table of all columns that tables have.
pub(in crate::report) fn list_table<'a, R: 'a>(
    columns: &[ListColumn<R>],
    rows: impl IntoIterator<Item = &'a R>,
) -> Table {
    make_table(columns.iter().filter(|column| column.is_in_tables()).collect(), rows)
}

/// The rows as a table of the columns with those keys, in that order.
pub(in crate::report) fn table_with_keys<'a, R: 'a>(
    columns: &[ListColumn<R>],
    keys: &[&str],
    rows: impl IntoIterator<Item = &'a R>,
) -> Table {
    let column_with_key =
        |key: &&str| columns.iter().find(|column| column.key == *key && column.is_in_tables());
    let picked: Vec<&ListColumn<R>> = keys.iter().filter_map(column_with_key).collect();
    debug_assert_eq!(picked.len(), keys.len(), "no column has one of {keys:?}");
    make_table(picked, rows)
}

fn make_table<'a, R: 'a>(
    columns: Vec<&ListColumn<R>>,
    rows: impl IntoIterator<Item = &'a R>,
) -> Table {
    let head = |column: &&ListColumn<R>| Column {
        heading: column.heading.to_owned(),
        key: column.csv_key.to_owned(),
        side: column.side,
    };
    let mut table = Table::new(columns.iter().map(head).collect());
    for row in rows {
        table.push_row(columns.iter().map(|column| column.table_cell(row)).collect());
    }
    table
}

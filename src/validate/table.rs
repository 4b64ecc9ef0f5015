//! Comma-separated text with a header. No quotes: the shipped data needs none.

use std::collections::BTreeMap;

use super::problem::DataProblem;

/// One row, by column name.
pub(super) struct Record<'a> {
    fields: BTreeMap<&'a str, &'a str>,
    line: usize,
}

/// The rows of a text.
pub(super) fn read_records(text: &str) -> impl Iterator<Item = Record<'_>> {
    let mut lines = text.lines().enumerate();
    let header: Vec<&str> =
        lines.next().map(|(_, line)| line.split(',').collect()).unwrap_or_default();
    lines.filter(|(_, line)| !line.is_empty()).map(move |(index, line)| Record {
        fields: header.iter().copied().zip(line.split(',')).collect(),
        line: index + 1,
    })
}

impl<'a> Record<'a> {
    /// A field as text; empty where the column is missing.
    pub(super) fn field_text(&self, column: &str) -> &'a str {
        self.fields.get(column).copied().unwrap_or_default()
    }

    /// A number.
    pub(super) fn field_number<T: std::str::FromStr>(
        &self,
        column: &str,
    ) -> Result<T, DataProblem> {
        self.field_text(column).parse().map_err(|_| self.field_problem(column))
    }

    /// A number, or `None` where the field is empty.
    pub(super) fn optional_number<T: std::str::FromStr>(
        &self,
        column: &str,
    ) -> Result<Option<T>, DataProblem> {
        if self.field_text(column).is_empty() {
            Ok(None)
        } else {
            self.field_number(column).map(Some)
        }
    }

    /// A field that is 0 or 1.
    pub(super) fn field_flag(&self, column: &str) -> Result<bool, DataProblem> {
        self.field_number::<u8>(column).map(|value| value != 0)
    }

    /// What is wrong with a field.
    pub(super) fn field_problem(&self, column: &str) -> DataProblem {
        DataProblem::Field {
            line: self.line,
            column: column.to_owned(),
            value: self.field_text(column).to_owned(),
        }
    }
}

//! CSV records, roles of rows, problems of rows.

use std::collections::BTreeMap;
use std::fmt;

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

const ROLES: &str = include_str!("../../presets/validation/roles.csv");

/// What a row is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowRole {
    /// Constants are fitted on it; false where it is only judged.
    pub fitted: bool,
    /// What it is left out with: rows of one source go together.
    pub source: String,
    /// Why it is only judged; empty where it is fitted.
    pub why: String,
    /// The one constant that it is fitted for; empty for all that it moves.
    pub only: String,
}

/// The role of a row: the first line of the file that names its set and a part of its name.
pub(super) fn find_role(set: &str, id: &str) -> Result<RowRole, DataProblem> {
    read_records(ROLES)
        .find(|role| role.field_text("set") == set && id.contains(role.field_text("rows")))
        .map(|role| RowRole {
            fitted: role.field_text("use") == "fitted",
            source: role.field_text("source").to_owned(),
            why: role.field_text("why").to_owned(),
            only: role.field_text("only").to_owned(),
        })
        .ok_or_else(|| DataProblem::Unknown { what: "role of a row", name: format!("{set}: {id}") })
}

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataProblem {
    /// A field that can't be read.
    Field { line: usize, column: String, value: String },
    /// A name that the presets lack.
    Unknown { what: &'static str, name: String },
    /// A layout that can't carry its model.
    Layout { id: String, rules: String },
}

impl fmt::Display for DataProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field { line, column, value } => {
                write!(f, "line {line}: `{value}` is no value of `{column}`")
            }
            Self::Unknown { what, name } => write!(f, "no {what} is called `{name}`"),
            Self::Layout { id, rules } => write!(f, "row `{id}`: {rules}"),
        }
    }
}

impl std::error::Error for DataProblem {}

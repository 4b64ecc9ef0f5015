//! What can be wrong with a row of measurements.

use std::fmt;

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataProblem {
    /// A field that can't be read.
    Field {
        /// Line in its file.
        line: usize,
        /// Column.
        column: String,
        /// What stands there.
        value: String,
    },
    /// A name that the presets lack.
    Unknown {
        /// What kind of name.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A layout that can't carry its model.
    Layout {
        /// Name of the row.
        id: String,
        /// The rules it breaks.
        rules: String,
    },
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

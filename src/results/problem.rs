//! Why a text is no result that can be compared.

use std::fmt;

/// What is wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum ResultProblem {
    /// Longer than any result.
    TooLarge {
        /// Its length.
        bytes: usize,
        /// Longest that is read.
        most: usize,
    },
    /// More of something than any result has.
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many.
        has: usize,
        /// Most that are read.
        most: usize,
    },
    /// Not text in UTF-8.
    NotUtf8,
    /// Not JSON.
    Json {
        /// What the parser says, with line and column.
        message: String,
    },
    /// JSON, but no result of this program.
    NoResult,
    /// A result of another command, or of a version that writes another schema.
    Schema {
        /// What it says it is.
        found: String,
        /// What is read.
        wanted: &'static str,
    },
    /// It does not say which program made it.
    Untold,
    /// A value is missing or of another type than the schema says.
    Value {
        /// Its key.
        key: String,
    },
    /// A total is not the sum of its parts.
    Sum {
        /// Its key.
        key: String,
        /// What it says.
        stated: f64,
        /// What its parts come to.
        parts: f64,
    },
    /// Its content does not give the digest that it carries.
    Digest {
        /// The digest that it carries.
        stated: String,
        /// What its content gives.
        found: String,
    },
}

impl ResultProblem {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Schema { wanted: "planner/sweep/1", .. } => {
                "write one with `planner sweep --shard I/N --format json -o FILE`"
            }
            Self::Untold => "make it again with this planner",
            Self::Value { .. } => "has it been edited? write it anew",
            Self::Sum { .. } | Self::Digest { .. } => {
                "has it been edited? write it anew with `planner design --format json -o FILE`"
            }
            _ => "write one with `planner design --format json -o FILE`",
        }
    }
}

impl fmt::Display for ResultProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { bytes, most } => {
                write!(f, "it has more than {most} bytes, the most that a result has ({bytes})")
            }
            Self::TooMany { what, has, most } => {
                write!(f, "it has {has} {what}, and a result has at most {most}")
            }
            Self::NotUtf8 => f.write_str("it is no UTF-8 text"),
            Self::Json { message } => write!(f, "no valid JSON: {message}"),
            Self::NoResult => {
                f.write_str("it is JSON, but no result of planner: it has no `schema`")
            }
            Self::Schema { found, wanted } => {
                write!(f, "it is `{found}`, and only `{wanted}` is read here")
            }
            Self::Sum { key, stated, parts } => {
                write!(f, "`{key}` is {stated}, and its own parts come to {parts}")
            }
            Self::Digest { stated, found } => {
                write!(f, "its digest is `{stated}`, and its content gives `{found}`")
            }
            Self::Untold => f.write_str("it does not say which planner made it"),
            Self::Value { key } => write!(f, "`{key}` is missing, or not what it should be"),
        }
    }
}

impl std::error::Error for ResultProblem {}

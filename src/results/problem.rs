//! Why a text is no result; sums and digest of a kept result.

use std::fmt;

use serde_json::{Map, Value};

use crate::cost::Role;
use crate::gate::Digest;
use crate::quantity::all_quantities;
use crate::units::ROUNDING;
use crate::units::parse::strip_control_characters;

/// What is wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum ResultProblem {
    /// Longer than any result.
    TooLarge { bytes: usize, most: usize },
    /// More of something than any result has.
    TooMany {
        what: &'static str,
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
        wanted: &'static str,
    },
    /// It does not say which program made it.
    Untold,
    /// A value is missing or of another type than the schema says.
    Value { key: String },
    /// A total is not the sum of its parts.
    Sum {
        key: String,
        stated: f64,
        /// What its parts come to.
        parts: f64,
    },
    /// Its content does not give the digest that it carries.
    Digest {
        /// The digest that it carries.
        stated: String,
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
                write!(f, "its checksum is `{stated}`, and its content gives `{found}`")
            }
            Self::Untold => f.write_str("it does not say which planner made it"),
            Self::Value { key } => write!(f, "`{key}` is missing, or not what it should be"),
        }
    }
}

impl std::error::Error for ResultProblem {}

/// Most characters of a name, word or key that are kept: what is longer is not ours, and would only
/// fill the memory.
pub(super) const LONGEST_WORD: usize = 200;

/// A word of a file, fit for a report: short, one line, no control characters.
pub(super) fn sanitize_word(text: &str) -> String {
    strip_control_characters(&text.chars().take(LONGEST_WORD).collect::<String>())
}

/// Key of the digest.
pub(super) const DIGEST: &str = "digest";

/// Checks a result against itself, and says whether it carries a digest: those of older versions do
/// not, and only their sums can be held against them.
///
/// # Errors
/// Where a total is not the sum of its parts, or the digest is of another content.
pub(super) fn has_sound_digest(root: &Map<String, Value>) -> Result<bool, ResultProblem> {
    check_sums(root, "")?;
    let Some(stated) = root.get(DIGEST) else { return Ok(false) };
    let stated = stated.as_str().unwrap_or_default();
    let found = Digest::digest_json(root, Some(DIGEST)).to_string();
    if stated == found {
        Ok(true)
    } else {
        Err(ResultProblem::Digest { stated: sanitize_word(stated), found })
    }
}

/// The sums of a design, and of those of its parts; `path` is where it stands.
fn check_sums(table: &Map<String, Value>, path: &str) -> Result<(), ResultProblem> {
    check_bill(table, path)?;
    check_addends(table, path)?;
    let parts = table.get("parts").and_then(Value::as_array);
    for (place, part) in parts.into_iter().flatten().enumerate() {
        let part = part.as_object();
        part.map_or(Ok(()), |part| check_sums(part, &format!("{path}parts.{place}.")))?;
    }
    Ok(())
}

/// The bill against the costs that sum it up, and against itself.
fn check_bill(table: &Map<String, Value>, path: &str) -> Result<(), ResultProblem> {
    let lines: Vec<&Value> =
        table.get("bom").and_then(Value::as_array).into_iter().flatten().collect();
    let number = |line: &Value, key: &str| line.get(key).and_then(Value::as_f64).unwrap_or(0.0);
    let role = |line: &Value| line.get("role").and_then(Value::as_str).and_then(Role::parse);
    let network = |line: &&&Value| role(line).is_some_and(Role::is_network);
    let paid = |line: &Value| number(line, "total_usd");
    let drawn =
        |line: &Value| number(line, "power_w") * (number(line, "count") - number(line, "spares"));
    let cost = |key: &str| table.get("cost").and_then(|cost| cost.get(key)?.as_f64());
    for (key, parts) in [
        ("capex_usd", lines.iter().map(|line| paid(line)).sum()),
        ("network_capex_usd", lines.iter().filter(network).map(|line| paid(line)).sum()),
        ("power_w", lines.iter().map(|line| drawn(line)).sum()),
        ("network_power_w", lines.iter().filter(network).map(|line| drawn(line)).sum()),
    ] {
        check_total(cost(key), parts, || format!("{path}cost.{key}"))?;
    }
    let unpriced: Vec<&str> = table
        .get("cost")
        .and_then(|cost| cost.get("unpriced")?.as_array())
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    for (place, line) in lines.iter().enumerate() {
        let bought = number(line, "count") - number(line, "owned");
        let key = |key: &str| format!("{path}bom.{place}.{key}");
        let price = number(line, "unit_usd");
        check_total(Some(paid(line)), price * bought, || key("total_usd"))?;
        // What has no price and is bought is named, and nothing else is.
        let name = line.get("part").and_then(Value::as_str).unwrap_or_default();
        let priced = line.get("unit_usd").is_some_and(Value::is_number);
        if bought > 0.0 && !priced && !unpriced.contains(&name) {
            return Err(ResultProblem::Value { key: format!("{path}cost.unpriced") });
        }
    }
    Ok(())
}

/// Every figure that is a sum against its parts.
fn check_addends(table: &Map<String, Value>, path: &str) -> Result<(), ResultProblem> {
    let value = |key: &str| {
        let (first, rest) = key.split_once('.')?;
        rest.split('.').try_fold(table.get(first)?, |value, word| value.get(word))?.as_f64()
    };
    for row in all_quantities().filter(|row| !row.parts.is_empty()) {
        let sum = row.parts.iter().filter_map(|part| value(part)).sum();
        check_total(value(row.key), sum, || format!("{path}{}", row.key))?;
    }
    Ok(())
}

/// That a total, where there is one, is what its parts come to.
fn check_total(
    stated: Option<f64>,
    parts: f64,
    key: impl Fn() -> String,
) -> Result<(), ResultProblem> {
    let Some(stated) = stated else { return Ok(()) };
    if (stated - parts).abs() <= ROUNDING * stated.abs().max(parts.abs()) {
        return Ok(());
    }
    Err(ResultProblem::Sum { key: key(), stated, parts })
}

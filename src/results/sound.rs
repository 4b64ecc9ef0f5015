//! Whether a kept result is what was once written: its totals are the sums of their parts, and its
//! content gives the digest that it carries. What the figures mean is not its business.

use serde_json::{Map, Value};

use super::problem::ResultProblem;
use super::word::sanitize_word;
use crate::cost::Role;
use crate::gate::Digest;
use crate::quantity::all_quantities;

/// Key of the digest.
pub(super) const DIGEST: &str = "digest";

/// By which share of a total its parts may miss it: results keep twelve digits of each.
const ROUNDING: f64 = 1e-9;

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
    match stated == found {
        true => Ok(true),
        false => Err(ResultProblem::Digest { stated: sanitize_word(stated), found }),
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

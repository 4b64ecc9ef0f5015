//! From JSON to a [`Snapshot`]. Keys that it does not know are figures like all others; what it
//! needs to know by name is the bill and the origin.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::problem::{DIGEST, LONGEST_WORD, ResultProblem, has_sound_digest, sanitize_word};
use crate::gate::{Provenance, Rule, RuleOrigin, Severity, Snapshot, SnapshotPart, StatedRule};
use crate::hardware::{Exchange, PriceBasis, PricedItem};
use crate::quantity::NAMED;
use crate::units::{Currency, Usd};

/// Longest result that is read.
pub const LONGEST_BYTES: usize = 16 << 20;

/// Most figures, and most lines of a bill: a design has some hundreds of each, and each is compared
/// with those of another.
const MOST_FIGURES: usize = 10_000;

/// What can be compared.
const SCHEMA: &str = "planner/design/1";

/// Figure that counts the parts without a price.
const PRICE_NOT_FOUND: &str = "price_not_found";

/// Whether a text is meant as JSON: no spec starts with a brace.
#[must_use]
pub fn looks_like_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    bytes.trim_ascii_start().starts_with(b"{")
}

/// The result in a file's bytes.
///
/// # Errors
/// Where the bytes are no result that can be compared.
pub fn read_snapshot(bytes: &[u8]) -> Result<Snapshot, ResultProblem> {
    let root = read_object(bytes, SCHEMA)?;
    let sealed = has_sound_digest(&root)?;
    let mut snapshot = Snapshot {
        name: root.get("name").and_then(Value::as_str).map(sanitize_word).unwrap_or_default(),
        bill: read_bill(&root)?,
        unpriced: read_unpriced(&root),
        provenance: root.get("inputs").map(read_provenance).transpose()?,
        sealed,
        ..Snapshot::default()
    };
    for (key, value) in root.iter().filter(|(key, _)| !NOT_FIGURES.contains(&key.as_str())) {
        flatten_value(&sanitize_word(key), value, &mut snapshot);
    }
    let kept = [snapshot.figures.len(), snapshot.words.len(), snapshot.absent.len()];
    let (has, lines) = (kept.iter().sum::<usize>(), snapshot.bill.len());
    for (what, has) in [("figures", has), ("lines of a bill", lines)] {
        if has > MOST_FIGURES {
            return Err(ResultProblem::TooMany { what, has, most: MOST_FIGURES });
        }
    }
    let missing = snapshot.unpriced.len() as f64;
    snapshot.figures.insert(PRICE_NOT_FOUND.to_owned(), missing);
    for key in ["cost.capex_usd", "step.time_s"] {
        if !snapshot.figures.contains_key(key) {
            return Err(ResultProblem::Value { key: key.to_owned() });
        }
    }
    Ok(snapshot)
}

/// The object in a file's bytes, where it says that it is of that schema.
pub(super) fn read_object(
    bytes: &[u8],
    schema: &'static str,
) -> Result<Map<String, Value>, ResultProblem> {
    if bytes.len() > LONGEST_BYTES {
        return Err(ResultProblem::TooLarge { bytes: bytes.len(), most: LONGEST_BYTES });
    }
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|_| ResultProblem::NotUtf8)?;
    // The parser bounds the depth of nesting by itself.
    let value: Value = serde_json::from_str(text)
        .map_err(|error| ResultProblem::Json { message: error.to_string() })?;
    let Value::Object(root) = value else { return Err(ResultProblem::NoResult) };
    match root.get("schema").and_then(Value::as_str) {
        Some(found) if found == schema => Ok(root),
        Some(found) => Err(ResultProblem::Schema { found: sanitize_word(found), wanted: schema }),
        None => Err(ResultProblem::NoResult),
    }
}

/// What is no figure of the design: its name, its version, its origin, its digest.
const NOT_FIGURES: [&str; 4] = ["schema", "name", "inputs", DIGEST];

/// A name as a rule can write it.
fn name_in_rule(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "_-".contains(c) { c } else { '-' };
    sanitize_word(name).to_ascii_lowercase().chars().map(plain).collect()
}

/// Every number and word of a value by its dotted key; lists of what has no name are left out.
fn flatten_value(key: &str, value: &Value, into: &mut Snapshot) {
    match value {
        Value::Number(number) => {
            let figure = number.as_f64().filter(|figure| figure.is_finite());
            into.figures.extend(figure.map(|figure| (key.to_owned(), figure)));
        }
        Value::Null => drop(into.absent.insert(key.to_owned())),
        Value::String(text) => drop(into.words.insert(key.to_owned(), sanitize_word(text))),
        Value::Bool(flag) => drop(into.words.insert(key.to_owned(), flag.to_string())),
        Value::Object(inner) => {
            for (name, value) in
                inner.iter().filter(|(name, _)| key.len() + name.len() < LONGEST_WORD)
            {
                flatten_value(&format!("{key}.{}", sanitize_word(name)), value, into);
            }
        }
        Value::Array(all) if NAMED.contains(&key) => {
            let mut names: Vec<String> = Vec::new();
            for share in all {
                let Some(name) = share.get("name").and_then(Value::as_str).map(name_in_rule) else {
                    continue;
                };
                let alike = names.iter().filter(|known| **known == name).count();
                let own = if alike > 0 { format!("{name}-{}", alike + 1) } else { name.clone() };
                names.push(name);
                flatten_value(&format!("{key}.{own}"), share, into);
            }
        }
        Value::Array(_) => {}
    }
}

fn read_bill(root: &Map<String, Value>) -> Result<Vec<SnapshotPart>, ResultProblem> {
    let refuse = |key: &str| ResultProblem::Value { key: format!("bom.{key}") };
    let lines = root.get("bom").and_then(Value::as_array).ok_or_else(|| refuse("part"))?;
    let line = |line: &Value| {
        let text = |key: &str| line.get(key).and_then(Value::as_str).map(sanitize_word);
        let count = |key: &str| line.get(key).and_then(Value::as_u64).ok_or_else(|| refuse(key));
        let usd = |key: &str| line.get(key).and_then(Value::as_f64).and_then(Usd::new);
        Ok(SnapshotPart {
            name: text("part").ok_or_else(|| refuse("part"))?,
            role: text("role").ok_or_else(|| refuse("role"))?,
            bought: count("count")?.saturating_sub(count("owned")?),
            unit: usd("unit_usd"),
            total: usd("total_usd").ok_or_else(|| refuse("total_usd"))?,
            basis: line.get("basis").and_then(Value::as_str).and_then(PriceBasis::parse),
            exchange: line
                .get("exchange")
                .map(|value| read_exchange(value).ok_or_else(|| refuse("exchange")))
                .transpose()?,
        })
    };
    lines.iter().map(line).collect()
}

fn read_unpriced(root: &Map<String, Value>) -> Vec<String> {
    let names = root.get("cost").and_then(|cost| cost.get("unpriced")).and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str).map(sanitize_word).collect()
}

fn read_provenance(value: &Value) -> Result<Provenance, ResultProblem> {
    let refuse = |key: &str| ResultProblem::Value { key: format!("inputs.{key}") };
    let text = |key: &str| {
        value.get(key).and_then(Value::as_str).map(sanitize_word).ok_or_else(|| refuse(key))
    };
    let prices = value.get("prices").and_then(Value::as_object).ok_or_else(|| refuse("prices"))?;
    let price = |(name, value): (&String, &Value)| {
        let usd = value.as_f64().and_then(Usd::new).ok_or_else(|| refuse("prices"))?;
        Ok((PricedItem::parse(&sanitize_word(name)), usd))
    };
    Ok(Provenance {
        planner: text("planner")?,
        question: text("question")?,
        catalogue: text("catalogue")?,
        asked: value
            .get("asked")
            .map(|figure| read_texts(figure, "asked", sanitize_word))
            .transpose()?,
        stated: value
            .get("stated")
            .map(|figure| read_texts(figure, "stated", str::to_owned))
            .transpose()?,
        machines: value
            .get("machines")
            .map(|figure| read_texts(figure, "machines", sanitize_word))
            .transpose()?,
        price_book: text("price_book")?,
        prices: prices.iter().map(price).collect::<Result<BTreeMap<_, _>, _>>()?,
        exchange: value.get("exchange").map_or(Ok(BTreeMap::new()), read_exchanges)?,
        rules: value.get("gate").map(read_rules).transpose()?,
    })
}

/// A rate of exchange; nothing where it is none.
fn read_exchange(value: &Value) -> Option<Exchange> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let usd = value.get("usd")?.as_f64().filter(|usd| usd.is_finite() && *usd > 0.0)?;
    Some(Exchange {
        currency: Currency::parse(text("currency")?)?,
        usd,
        date: sanitize_word(text("date")?),
    })
}

/// Rates of exchange by what was priced at them.
fn read_exchanges(value: &Value) -> Result<BTreeMap<PricedItem, Exchange>, ResultProblem> {
    let refuse = || ResultProblem::Value { key: "inputs.exchange".to_owned() };
    let rate = |(name, value): (&String, &Value)| {
        Ok((PricedItem::parse(&sanitize_word(name)), read_exchange(value).ok_or_else(refuse)?))
    };
    value.as_object().ok_or_else(refuse)?.iter().map(rate).collect()
}

/// Rules that the spec of a result stated.
fn read_rules(value: &Value) -> Result<Vec<StatedRule>, ResultProblem> {
    let mut gates = Vec::new();
    for (key, severity) in [("fail_on", Severity::Fail), ("warn_on", Severity::Warn)] {
        let refuse = || ResultProblem::Value { key: format!("inputs.gate.{key}") };
        for text in value.get(key).and_then(Value::as_array).ok_or_else(refuse)? {
            let rule = text.as_str().and_then(|text| Rule::parse(text).ok()).ok_or_else(refuse)?;
            gates.push(StatedRule { rule, severity, origin: RuleOrigin::Spec });
        }
    }
    Ok(gates)
}

/// A text by name, such as what stands for each machine.
fn read_texts(
    value: &Value,
    key: &str,
    read: impl Fn(&str) -> String,
) -> Result<BTreeMap<String, String>, ResultProblem> {
    let refuse = || ResultProblem::Value { key: format!("inputs.{key}") };
    let text = |(name, text): (&String, &Value)| {
        Ok((read(name), text.as_str().map(&read).ok_or_else(refuse)?))
    };
    value.as_object().ok_or_else(refuse)?.iter().map(text).collect()
}

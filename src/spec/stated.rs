//! What a spec states, key by key, and a spec read on the terms of another one: its own prices,
//! hardware, stock, rates of failure and framework left out for those of the other.

use std::collections::{BTreeMap, BTreeSet};

use super::document::{SpannedValue, SpecTable, SpecValue};
use super::overrides::Override;
use crate::scenario::StatedKeys;
use crate::units::parse::quote_toml;

/// Tables by which a spec says itself what its design costs and how fast it is.
const TERM_TABLES: [&str; 6] =
    ["failures", "framework", "hardware", "inventory", "prices", "pricing"];
/// The price book, which stands in another table.
const BOOK: &str = "cluster.prices";
/// Kinds of parts that a design has only where the spec names them.
const NAMED_KINDS: [&str; 5] = ["calibrations", "families", "gpus", "nics", "nodes"];

/// Whether a key says what a design costs and how fast it is.
#[must_use]
pub fn is_term(key: &str) -> bool {
    key == BOOK || TERM_TABLES.iter().any(|table| key.split('.').next() == Some(table))
}

/// Every key that a document states, dotted, with its value as TOML on one line; tables in a list
/// are `workload[1].gpus`, counted from 1.
pub(crate) fn stated_keys(document: &SpecTable) -> StatedKeys {
    let mut found = BTreeMap::new();
    add_table("", document, &mut found);
    found
}

fn add_table(path: &str, table: &SpecTable, found: &mut StatedKeys) {
    for (name, entry) in &table.entries {
        let name = toml_key(name);
        let key = if path.is_empty() { name } else { format!("{path}.{name}") };
        add_value(key, &entry.item.value, found);
    }
}

fn add_value(key: String, value: &SpecValue, found: &mut StatedKeys) {
    match value {
        SpecValue::Table(table) if !table.entries.is_empty() => add_table(&key, table, found),
        SpecValue::List(items) if items.iter().any(|item| item.value.as_table().is_some()) => {
            for (place, item) in items.iter().enumerate() {
                add_value(format!("{key}[{}]", place + 1), &item.value, found);
            }
        }
        value => drop(found.insert(key, toml_value(value))),
    }
}

fn toml_key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { quote_toml(name) }
}

fn toml_value(value: &SpecValue) -> String {
    let list = |items: &[SpannedValue]| {
        items.iter().map(|item| toml_value(&item.value)).collect::<Vec<_>>().join(", ")
    };
    match value {
        SpecValue::Text(text) => quote_toml(text),
        SpecValue::Integer(number) => number.to_string(),
        SpecValue::Float(number) => format!("{number:?}"),
        SpecValue::Flag(flag) => flag.to_string(),
        SpecValue::Date => "a date".to_owned(),
        SpecValue::List(items) => format!("[{}]", list(items)),
        SpecValue::Table(_) => "{}".to_owned(),
    }
}

/// Replaces what a document states of the terms by what the others state, and gives the overrides
/// that put it in. Machines, GPUs and interfaces that only the document knows stay, with their
/// prices: there is nothing to hold them against. Other parts that nobody else knows go, as a design
/// would take them by itself.
pub(crate) fn replace_terms(
    document: &mut SpecTable,
    theirs: &StatedKeys,
    is_shipped: impl Fn(&str, &str) -> bool,
) -> Vec<Override> {
    let is_theirs = |part: &str| {
        let below = format!("{part}.");
        theirs.keys().any(|key| key == part || key.starts_with(&below))
    };
    let mut kept: BTreeSet<String> = BTreeSet::new();
    // Parts before prices, which stay for the parts that do.
    for table in TERM_TABLES {
        let Some(entry) = document.entries.get_mut(table) else { continue };
        let SpecValue::Table(inner) = &mut entry.item.value else { continue };
        match table {
            "prices" => inner.entries.retain(|item, _| kept.contains(item)),
            "hardware" => {
                for (kind, entry) in &mut inner.entries {
                    let SpecValue::Table(parts) = &mut entry.item.value else { continue };
                    parts.entries.retain(|name, _| {
                        let key = format!("hardware.{}.{}", toml_key(kind), toml_key(name));
                        let is_named = NAMED_KINDS.contains(&kind.as_str());
                        is_named && !is_shipped(kind, name) && !is_theirs(&key)
                    });
                    kept.extend(parts.entries.keys().cloned());
                }
            }
            _ => inner.entries.clear(),
        }
        if inner.entries.is_empty() {
            document.entries.remove(table);
        }
    }
    if let Some(SpecValue::Table(cluster)) =
        document.entries.get_mut("cluster").map(|entry| &mut entry.item.value)
    {
        cluster.entries.remove("prices");
    }
    let theirs = theirs.iter().filter(|(key, _)| is_term(key));
    theirs.map(|(key, value)| Override::from_key_value(key, value)).collect()
}

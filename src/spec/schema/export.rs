//! Keys of a spec as JSON Schema and as docs/spec.md.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::ROOT;
use crate::keys::{Kind, Section};
use crate::units::exact_text::text_forms;

/// The JSON Schema of a spec.
#[must_use]
pub fn json_schema() -> Value {
    let mut schema = section_schema(&ROOT);
    if let Value::Object(object) = &mut schema {
        object.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
        object.insert("title".into(), "planner spec".into());
    }
    schema
}

fn section_schema(section: &Section) -> Value {
    let mut properties = Map::new();
    for key in section.keys {
        let mut value = kind_schema(&key.kind);
        if let Value::Object(object) = &mut value {
            let default = match key.default.text() {
                "" => String::new(),
                default => format!("; default: {default}"),
            };
            object.insert("description".into(), format!("{}{default}", key.doc).into());
        }
        properties.insert(key.name.into(), value);
    }
    // What is required can come from a preset instead, so nothing is required of the text.
    json!({ "type": "object", "description": section.doc, "properties": properties,
            "additionalProperties": false })
}

fn kind_schema(kind: &Kind) -> Value {
    match kind {
        Kind::Text | Kind::Name | Kind::Order | Kind::Quantity(_) | Kind::Cost => {
            json!({ "type": "string" })
        }
        Kind::Date => json!({ "type": "string", "pattern": "^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$" }),
        Kind::Choice(allowed) => json!({ "enum": allowed }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Count { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Kind::Number { min, max } => json!({ "type": "number", "minimum": min, "maximum": max }),
        Kind::Amount { .. } => json!({ "type": ["string", "number"] }),
        Kind::Auto(inner) => json!({ "anyOf": [kind_schema(inner), { "const": "auto" }] }),
        Kind::Some(inner) => {
            json!({ "anyOf": [kind_schema(inner), { "type": "array", "items": kind_schema(inner) }] })
        }
        Kind::Price => json!({ "type": ["string", "object"] }),
        Kind::Table(inner) => section_schema(inner),
        Kind::Tables(inner) => json!({ "type": "array", "items": section_schema(inner) }),
        Kind::Map(inner) => json!({ "type": "object", "additionalProperties": kind_schema(inner) }),
    }
}

/// What a key is, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyText {
    pub doc: &'static str,
    /// What may be written, and what holds where it is left out.
    pub value: String,
}

/// What the key of a spec means that has this path, as `limits.within_rail`; in a table of names
/// any name stands for all.
#[must_use]
pub fn describe_key(path: &str) -> Option<KeyText> {
    let mut section = &ROOT;
    let mut names = path.split('.');
    loop {
        let key = section.find_key(names.next()?)?;
        let (inner, named) = match key.kind {
            Kind::Table(inner) | Kind::Tables(inner) => (Some(inner), false),
            Kind::Map(Kind::Table(inner)) => (Some(*inner), true),
            _ => (None, false),
        };
        let mut rest = names.clone();
        if named {
            rest.next();
        }
        match inner.filter(|_| rest.clone().next().is_some()) {
            Some(inner) => (section, names) = (inner, rest),
            None if rest.next().is_some() => return None,
            None => {
                let default = match (key.required, key.default.text()) {
                    (true, _) => "; required".to_owned(),
                    (_, "") => String::new(),
                    (_, default) => format!("; default {default}"),
                };
                let value = describe_kind(&key.kind).replace('`', "") + &default;
                return Some(KeyText { doc: key.doc, value });
            }
        }
    }
}

const HEAD: &str = "\
# Every key of a spec

Written by the program from its table of keys: change that, not this page.
`-v` lists each default that was used.
Quantities are text with their unit: `\"400 Gb/s\"` are bits, `\"50 GB/s\"` bytes, `\"80 GiB\"` binary.
";

/// The page.
#[must_use]
pub fn schema_page() -> String {
    let mut page = HEAD.to_owned();
    write_section(&ROOT, "", &mut page);
    page
}

fn write_section(section: &Section, path: &str, page: &mut String) {
    let title = if path.is_empty() { "At the top".to_owned() } else { format!("`[{path}]`") };
    // Writing to a String can't fail.
    let _ = write!(page, "\n## {title}\n\n{}.\n\n", capitalize_first(section.doc));
    write_keys(section, page);
    for key in section.keys {
        let path =
            if path.is_empty() { key.name.to_owned() } else { format!("{path}.{}", key.name) };
        match key.kind {
            Kind::Table(inner) => write_section(inner, &path, page),
            Kind::Map(Kind::Table(inner)) => write_section(inner, &format!("{path}.NAME"), page),
            Kind::Tables(inner) => write_entry(inner, &path, page),
            _ => {}
        }
    }
}

/// The keys of a section as a table.
fn write_keys(section: &Section, page: &mut String) {
    page.push_str("| key | value | default | meaning |\n|---|---|---|---|\n");
    let from_preset = section.find_key("preset").is_some();
    for key in section.keys {
        let default = match (key.required, key.default.text()) {
            (true, "") if from_preset => "required, or the preset's",
            (true, "") => "required",
            (_, default) => default,
        };
        let value = describe_kind(&key.kind);
        let _ = writeln!(page, "| `{}` | {value} | {default} | {} |", key.name, key.doc);
    }
}

/// A table of which there may be several. Its own tables are described where they first stand.
fn write_entry(section: &Section, path: &str, page: &mut String) {
    let _ = write!(page, "\n## `[[{path}]]`\n\n{}.\n\n", capitalize_first(section.doc));
    write_keys(section, page);
}

/// What may be written, in a few words.
fn describe_kind(kind: &Kind) -> String {
    match kind {
        Kind::Text => "text".into(),
        Kind::Name => "a name".into(),
        Kind::Date => "a date such as `\"2026-09-15\"`, `\"2026-09\"` or `\"2026\"`".into(),
        Kind::Choice(allowed) => {
            allowed.iter().map(|text| format!("`\"{text}\"`")).collect::<Vec<_>>().join(", ")
        }
        Kind::Order => "`\"tp-cp-ep-dp-pp\"` in any order, or `\"auto\"`".into(),
        Kind::Flag => "`true` or `false`".into(),
        Kind::Count { min, max } => format!("{min} to {max}"),
        Kind::Number { min, max } => format!("{min} to {max}, fractions too"),
        Kind::Amount { .. } => "a count such as `\"300B\"`".into(),
        Kind::Quantity(unit) => {
            let written = text_forms(*unit);
            format!("{} such as `{}`", written.noun, written.example)
        }
        Kind::Auto(inner) => format!("{}, or `\"auto\"`", describe_kind(inner)),
        Kind::Some(inner) => format!("{}, or a list", describe_kind(inner)),
        Kind::Cost => "`\"$1000\"`, or `\"EUR 860\"` with a rate".into(),
        Kind::Price => "`\"$1000\"`, or a table with price, basis, date and source".into(),
        Kind::Table(_) => "a table".into(),
        Kind::Tables(_) => "a list of tables".into(),
        Kind::Map(inner) => format!("by name: {}", describe_kind(inner)),
    }
}

fn capitalize_first(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

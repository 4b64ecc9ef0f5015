//! The table of keys as a JSON Schema (draft 2020-12), for editors that complete and check specs.

use serde_json::{Map, Value, json};

use super::ROOT;
use crate::keys::{Kind, Section};

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

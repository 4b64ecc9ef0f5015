//! The digest that a result carries, over what a reader finds in its text.

use serde_json::Value;

use crate::gate::Digest;

/// The digest of a result that has none yet.
pub(super) fn digest(text: &str) -> String {
    let mut digest = Digest::default();
    // What was just written is JSON.
    tell(&serde_json::from_str(text).unwrap_or_default(), &mut digest);
    digest.to_string()
}

fn tell(value: &Value, digest: &mut Digest) {
    match value {
        Value::Null => digest.null(),
        Value::Bool(flag) => digest.flag(*flag),
        Value::Number(number) => digest.number(number.as_f64().unwrap_or_default()),
        Value::String(text) => digest.text(text),
        Value::Array(values) => {
            digest.list(values.len());
            values.iter().for_each(|value| tell(value, digest));
        }
        Value::Object(entries) => {
            digest.table(entries.len());
            let mut keys: Vec<&String> = entries.keys().collect();
            keys.sort_unstable();
            for key in keys {
                digest.text(key);
                tell(&entries[key], digest);
            }
        }
    }
}

//! Numbers of JSON.

use serde_json::Value;

/// A whole number, also where it is written as a float.
pub(super) fn whole_number(value: &Value) -> Option<u64> {
    let float =
        || value.as_f64().filter(|figure| figure.fract() == 0.0 && (0.0..1e15).contains(figure));
    value.as_u64().or_else(|| float().map(|figure| figure as u64))
}

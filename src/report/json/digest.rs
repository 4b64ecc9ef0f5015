//! The digest that a result carries, over what a reader finds in its text.

use serde_json::{Map, Value};

use crate::gate::Digest;

/// The digest of a result that has none yet.
pub(super) fn result_digest(text: &str) -> String {
    // What was just written is a JSON object.
    let result: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
    Digest::digest_json(&result, None).to_string()
}

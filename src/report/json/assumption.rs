//! What was taken for granted, as programs read it.

use serde::Serialize;

/// Something taken for granted.
#[derive(Serialize)]
pub(super) struct AssumptionJson {
    topic: String,
    text: String,
}

impl AssumptionJson {
    pub(super) fn new(assumption: &crate::scenario::Assumption) -> Self {
        Self { topic: assumption.topic.clone(), text: assumption.text.clone() }
    }
}

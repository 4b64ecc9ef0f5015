//! Values of a JSON object, with the complaint where one is missing. Knows no format.

use serde_json::Value;

use super::problem::RecordingProblem;
use crate::parallel::Rank;

/// Where a value stands, for complaints.
#[derive(Clone, Copy)]
pub(super) struct JsonAt<'a> {
    pub(super) file: &'a str,
    pub(super) place: &'a str,
}

impl JsonAt<'_> {
    pub(super) fn call_problem(self, reason: impl Into<String>) -> RecordingProblem {
        RecordingProblem::Call {
            file: self.file.to_owned(),
            place: self.place.to_owned(),
            reason: reason.into(),
        }
    }

    /// A whole number that has to be there.
    pub(super) fn required_count(self, value: &Value, key: &str) -> Result<u64, RecordingProblem> {
        let missing = || self.call_problem(format!("`{key}` is no whole number"));
        value.get(key).and_then(Value::as_u64).ok_or_else(missing)
    }

    /// A rank that has to be there.
    pub(super) fn required_rank(self, value: &Value, key: &str) -> Result<Rank, RecordingProblem> {
        let count = self.required_count(value, key)?;
        let beyond = || self.call_problem(format!("`{key}` is {count}, which is no rank"));
        u32::try_from(count).map(Rank).map_err(|_| beyond())
    }

    /// A text that has to be there.
    pub(super) fn required_text<'b>(
        self,
        value: &'b Value,
        key: &str,
    ) -> Result<&'b str, RecordingProblem> {
        let missing = || self.call_problem(format!("`{key}` is no text"));
        value.get(key).and_then(Value::as_str).ok_or_else(missing)
    }

    /// A list that has to be there.
    pub(super) fn required_list<'b>(
        self,
        value: &'b Value,
        key: &str,
    ) -> Result<&'b [Value], RecordingProblem> {
        let missing = || self.call_problem(format!("`{key}` is no list"));
        value.get(key).and_then(Value::as_array).map(Vec::as_slice).ok_or_else(missing)
    }
}

/// The schema that a document names.
pub(super) fn schema_name(value: &Value) -> Option<&str> {
    value.get("schema").and_then(Value::as_str)
}

/// Whole numbers of a list; others are left out.
pub(super) fn whole_numbers(values: &[Value]) -> Vec<u64> {
    values.iter().filter_map(Value::as_u64).collect()
}

/// Ranks of a list; `null`, an unknown receiver, is left out.
pub(super) fn known_ranks(values: &[Value]) -> Vec<Rank> {
    let rank = |number: u64| u32::try_from(number).ok().map(Rank);
    whole_numbers(values).into_iter().filter_map(rank).collect()
}

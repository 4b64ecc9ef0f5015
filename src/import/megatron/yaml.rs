//! Recipes in YAML: their values, with references between keys followed.

use std::cell::Cell;
use std::collections::BTreeMap;

use serde_json::Value;

use super::adapters::OtherJob;
use crate::import::questions::Question;

/// How many references and items are followed for one key.
const MOST: usize = 100;

/// Flags by name, and what the recipe says that has none.
#[derive(Default)]
pub(super) struct Recipe {
    pub(super) named: BTreeMap<String, String>,
    pub(super) origin: &'static str,
    /// A key of what a spec can't describe, such as a second stack of layers.
    pub(super) refused: Option<String>,
    /// What it says that trains something else, with what that does.
    pub(super) other: Option<OtherJob>,
    pub(super) questions: Vec<Question>,
    pub(super) lost: Vec<String>,
    pub(super) assumed: Vec<String>,
    /// Defaults of Primus stand behind it.
    pub(super) primus: bool,
    /// The stack is not Megatron, whose ways of a step it has not.
    pub(super) foreign: bool,
}

impl Recipe {
    pub(super) fn new(origin: &'static str) -> Self {
        Self { origin, ..Self::default() }
    }

    pub(super) fn add_question(&mut self, missing: String, answer: &str) {
        self.questions.push(Question::new(String::new(), missing, answer));
    }
}

/// The GPUs of so many nodes with so many each, where both are numbers.
pub(super) fn write_world_size(
    named: &mut BTreeMap<String, String>,
    nodes: Option<String>,
    each: Option<String>,
) {
    let number = |text: Option<String>| text?.parse::<u64>().ok();
    if let (Some(nodes), Some(each)) = (number(nodes), number(each)) {
        named.insert("world_size".to_owned(), nodes.saturating_mul(each).to_string());
    }
}

/// A text of YAML; the last of two equal keys counts, as in Python.
pub(super) fn parse_yaml(text: &str) -> Option<Value> {
    let options = serde_saphyr::options! {
        duplicate_keys: serde_saphyr::options::DuplicateKeyPolicy::LastWins,
    };
    serde_saphyr::from_str_with_options(text, options).ok()
}

/// The names of a YAML file's tables, where that is what it is.
pub(in crate::import) fn yaml_keys(text: &str) -> Option<String> {
    /// Most names that are shown.
    const SHOWN: usize = 6;
    let root = parse_yaml(text)?;
    let names = root.as_object()?.keys().take(SHOWN);
    Some(names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
}

/// The text behind a dotted path, with references followed.
pub(super) fn read_text(root: &Value, path: &str) -> Option<String> {
    text_of(root, find_value(root, path)?, path, &Cell::new(MOST))
}

/// A value as text, with its references followed.
pub(super) fn value_text(root: &Value, value: &Value) -> Option<String> {
    text_of(root, value, "", &Cell::new(MOST))
}

/// The value behind a dotted path.
fn find_value<'a>(root: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(root, |value, key| value.as_object()?.get(key))
}

/// A value as text, with its references followed; `None` of null, of what has to be filled in, and
/// of what is no single value.
fn text_of(root: &Value, value: &Value, path: &str, left: &Cell<usize>) -> Option<String> {
    left.set(left.get().checked_sub(1)?);
    match value {
        Value::Bool(flag) => Some(flag.to_string()),
        // Less than nothing stands for what is not limited.
        Value::Number(number) if number.as_f64().is_some_and(|number| number < 0.0) => None,
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) if text == "???" || text == "null" || text.is_empty() => None,
        Value::String(text) => {
            match text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')) {
                Some(reference) => follow_reference(root, reference, path, left),
                None if text.contains("${") => None,
                None => Some(text.clone()),
            }
        }
        Value::Array(items) => {
            let words: Option<Vec<String>> =
                items.iter().map(|item| text_of(root, item, path, left)).collect();
            words.map(|words| words.join(" "))
        }
        Value::Null | Value::Object(_) => None,
    }
}

/// What stands between `${` and `}`: a path, a path beside this one, or a sum of either.
fn follow_reference(root: &Value, text: &str, path: &str, left: &Cell<usize>) -> Option<String> {
    left.set(left.get().checked_sub(1)?);
    let text = text.trim();
    if let Some((name, list)) = text.split_once(':') {
        let number = |part: &str| -> Option<u64> {
            let part = part.trim();
            let inner = part.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
            let value = match inner {
                Some(reference) => follow_reference(root, reference, path, left)?,
                None => part.to_owned(),
            };
            value.parse().ok()
        };
        let numbers: Option<Vec<u64>> = list.split(',').map(number).collect();
        let (first, rest) = numbers.as_deref()?.split_first()?;
        let result = rest.iter().try_fold(*first, |left, right| match name.trim() {
            "multiply" => left.checked_mul(*right),
            "sum" | "add" => left.checked_add(*right),
            "divide" => left.checked_div(*right),
            _ => None,
        });
        return result.map(|number| number.to_string());
    }
    let whole = match text.strip_prefix('.') {
        Some(beside) => match path.rsplit_once('.') {
            Some((table, _)) => format!("{table}.{beside}"),
            None => beside.to_owned(),
        },
        None => text.to_owned(),
    };
    text_of(root, find_value(root, &whole)?, &whole, left)
}

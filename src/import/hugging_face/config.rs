//! A configuration as keys that may have one of several names: first those of the file, then the
//! defaults of its class. Remembers what was read and what was taken from the class.

use std::cell::RefCell;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::super::number::whole_number;
use super::super::problem::ImportProblem;

/// The keys of a configuration.
pub(super) struct Config<'a> {
    file: &'a Map<String, Value>,
    class: Option<&'a Map<String, Value>>,
    read: RefCell<BTreeSet<String>>,
    taken: RefCell<BTreeSet<String>>,
}

impl<'a> Config<'a> {
    pub(super) fn new(file: &'a Map<String, Value>, class: Option<&'a Map<String, Value>>) -> Self {
        Self { file, class, read: RefCell::default(), taken: RefCell::default() }
    }

    /// The value of the first key that is there and not null, with its key.
    pub(super) fn first_value(&self, keys: &[&str]) -> Option<(String, &'a Value)> {
        self.read.borrow_mut().extend(keys.iter().map(|key| (*key).to_owned()));
        let read = |map: &'a Map<String, Value>| {
            keys.iter().find_map(|key| Some(((*key).to_owned(), find_value(map, key)?)))
        };
        if let Some((key, value)) = read(self.file) {
            return (!value.is_null()).then_some((key, value));
        }
        let (key, value) = read(self.class?)?;
        if value.is_null() {
            return None;
        }
        self.taken.borrow_mut().insert(format!("`{key}` = {value}"));
        Some((key, value))
    }

    /// A whole number that need not be there.
    pub(super) fn optional_count(&self, keys: &[&str]) -> Result<Option<u64>, ImportProblem> {
        let Some((key, value)) = self.first_value(keys) else { return Ok(None) };
        whole_number(value).map(Some).ok_or_else(|| value_problem(key, value, "a whole number"))
    }

    /// A whole number that has to be there.
    pub(super) fn required_count(&self, keys: &[&str]) -> Result<u64, ImportProblem> {
        let missing = || ImportProblem::Missing { key: keys.join("` or `") };
        self.optional_count(keys)?.ok_or_else(missing)
    }

    /// A switch that need not be there.
    pub(super) fn optional_flag(&self, keys: &[&str]) -> Result<Option<bool>, ImportProblem> {
        let Some((key, value)) = self.first_value(keys) else { return Ok(None) };
        value.as_bool().map(Some).ok_or_else(|| value_problem(key, value, "true or false"))
    }

    /// A list that need not be there.
    pub(super) fn optional_list(&self, keys: &[&str]) -> Option<&'a Vec<Value>> {
        self.first_value(keys)?.1.as_array()
    }

    /// What was taken from the class, as the file does not say it.
    pub(super) fn keys_from_class_defaults(&self) -> Vec<String> {
        self.taken.borrow().iter().cloned().collect()
    }

    /// Keys of the file that nobody asked for.
    pub(super) fn unread_keys(&self) -> Vec<String> {
        let read = self.read.borrow();
        let asked =
            |key: &str| read.iter().any(|text| text == key || text.split('.').next() == Some(key));
        self.file.keys().filter(|key| !asked(key)).cloned().collect()
    }
}

/// A key, or one in an inner object: `attn_config.kv_n_heads`.
fn find_value<'a>(map: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    match key.split_once('.') {
        None => map.get(key),
        Some((outer, inner)) => map.get(outer)?.as_object()?.get(inner),
    }
}

fn value_problem(key: String, value: &Value, wanted: &'static str) -> ImportProblem {
    ImportProblem::Value { key, value: value.to_string(), wanted }
}

//! The arguments of a shell script, a list of flags, a YAML of flags, or the table of arguments that
//! Megatron-LM prints at the start of a log. Variables of a shell are not followed.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::super::problem::ImportProblem;
use super::super::shell::split_words;

/// Arguments by name, as Python has them: `num_layers`. A switch has no value.
#[derive(Default)]
pub(super) struct Arguments {
    named: BTreeMap<String, String>,
    read: RefCell<BTreeSet<String>>,
}

impl Arguments {
    /// The arguments of a text.
    pub(super) fn parse_arguments(text: &str) -> Self {
        let mut named = parse_printed(text);
        if named.is_empty() {
            named = parse_flags(text);
        }
        named.retain(|_, value| value != "False" && value != "None");
        Self { named, read: RefCell::default() }
    }

    /// Arguments by name.
    pub(super) fn new(named: BTreeMap<String, String>) -> Self {
        Self { named, read: RefCell::default() }
    }

    pub(super) fn get_text(&self, name: &str) -> Option<&str> {
        self.read.borrow_mut().insert(name.to_owned());
        self.named.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    pub(super) fn get_count(&self, name: &str) -> Result<Option<u64>, ImportProblem> {
        let Some(word) = self.get_text(name) else { return Ok(None) };
        let wrong = || ImportProblem::Value {
            key: format!("--{}", name.replace('_', "-")),
            value: format!("`{word}`"),
            wanted: "a whole number; variables of a shell are not followed",
        };
        word.parse().map(Some).map_err(|_| wrong())
    }

    pub(super) fn has_flag(&self, name: &str) -> bool {
        self.read.borrow_mut().insert(name.to_owned());
        self.named.get(name).is_some_and(|value| value != "false")
    }

    /// Names that nobody asked for.
    pub(super) fn unread_names(&self) -> Vec<String> {
        let read = self.read.borrow();
        let named = self.named.keys().filter(|name| !read.contains(*name));
        named.map(|name| format!("--{}", name.replace('_', "-"))).collect()
    }
}

/// Lines of a log such as `  num_layers ........ 96`, behind a rank or not.
fn parse_printed(text: &str) -> BTreeMap<String, String> {
    let line = |line: &str| {
        let line = line.rsplit_once("]: ").map_or(line, |(_, rest)| rest);
        let (name, value) = line.trim().split_once(" ..")?;
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        (plain && !name.is_empty())
            .then(|| (name.to_owned(), value.trim_start_matches('.').trim().to_owned()))
    };
    text.lines().filter_map(line).collect()
}

/// Flags with the words behind them.
fn parse_flags(text: &str) -> BTreeMap<String, String> {
    let mut named = BTreeMap::new();
    let mut last: Option<String> = None;
    for word in split_words(text) {
        // A YAML of flags has a colon behind each.
        let word = word.trim_end_matches(':');
        match word
            .strip_prefix("--")
            .filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
        {
            Some(flag) => {
                let (flag, value) = flag.split_once('=').unwrap_or((flag, ""));
                let name = flag.replace('-', "_");
                named.insert(name.clone(), value.to_owned());
                last = Some(name).filter(|_| value.is_empty());
            }
            None => {
                if let Some(name) = last.take() {
                    named.insert(name, word.trim_matches('"').to_owned());
                }
            }
        }
    }
    named
}

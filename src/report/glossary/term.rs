//! What the glossary is made of: words by subject, warnings, and what is found of them.

use crate::report::words::finish_sentence;

/// A word of the field.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) word: &'static str,
    /// Other names of it, and words that its text explains too.
    pub(super) also: &'static [&'static str],
    pub(super) text: &'static str,
}

/// Words of one subject.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) subject: &'static str,
    pub(super) entries: &'static [Entry],
}

/// A warning.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) code: &'static str,
    pub(super) means: &'static str,
    pub(super) action: &'static str,
}

/// What a name means that is no figure: a word, a warning or a key of a spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// `word`, `warning` or `key`.
    pub kind: &'static str,
    pub name: String,
    pub meaning: String,
    /// What `more` is; both are empty where there is no more.
    pub label: &'static str,
    pub more: String,
}

impl Term {
    /// A key of a spec: what it means, and its value.
    #[must_use]
    pub fn from_key(path: &str, means: &str, value: String) -> Self {
        let meaning = finish_sentence(means);
        Self { kind: "key", name: path.to_owned(), meaning, label: "value", more: value }
    }
}

//! A text to be read. Does not open files: who calls has the bytes already.

use crate::scenario::Assumption;

/// A text and the name that messages call it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecText {
    /// Name for messages: a path, or `<stdin>`.
    pub name: String,
    /// The text.
    pub text: String,
    /// What is assumed in a text that was made of another file, by key; none in what a user wrote.
    pub assumed: Box<[Assumption]>,
}

impl SpecText {
    /// A text that is already known to be UTF-8.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), assumed: Box::default() }
    }
}

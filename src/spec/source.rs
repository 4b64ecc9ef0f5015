//! A text to be read and the guards in front of the parser. Does not open files: who calls has
//! the bytes already.

use super::document::Place;
use super::problem::{Problem, ProblemKind, Problems};

/// Longest spec that is read. A spec is a page; what is larger is some other file.
pub const LONGEST_BYTES: usize = 1 << 20;

/// A text and the name that messages call it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Name for messages: a path, or `<stdin>`.
    pub name: String,
    /// The text.
    pub text: String,
}

impl Source {
    /// A text that is already known to be UTF-8.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// The bytes of a file. A byte-order mark is dropped.
    ///
    /// # Errors
    /// Where the bytes are too many, or no UTF-8 text.
    pub fn from_bytes(name: impl Into<String>, bytes: &[u8]) -> Result<Self, Problems> {
        let name = name.into();
        let refuse = |kind| {
            let problem = Problem { key: String::new(), kind, place: None };
            Problems::new(vec![problem], Self::new(name.clone(), ""), &[])
        };
        if bytes.len() > LONGEST_BYTES {
            return Err(refuse(ProblemKind::TooLarge { bytes: bytes.len(), most: LONGEST_BYTES }));
        }
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Self::new(name, text)),
            Err(error) => Err(refuse(ProblemKind::NotUtf8 { at: error.valid_up_to() })),
        }
    }

    /// What makes the text unfit for the parser, if anything does.
    pub(crate) fn guard(&self) -> Option<Problem> {
        let refuse = |kind, place| Some(Problem { key: String::new(), kind, place });
        if self.text.len() > LONGEST_BYTES {
            let kind = ProblemKind::TooLarge { bytes: self.text.len(), most: LONGEST_BYTES };
            return refuse(kind, None);
        }
        if let Some(at) = self.text.find('\0') {
            return refuse(ProblemKind::Nul, Some(Place::spec(at, at + 1)));
        }
        None
    }
}

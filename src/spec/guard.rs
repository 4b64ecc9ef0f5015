//! The guards in front of the parser: what is no text, too long, or holds what no text does.

use super::document::TextPlace;
use super::problem::{Problem, ProblemKind};
use super::problems::Problems;
use super::source::SpecText;

/// Longest spec that is read. A spec is a page; what is larger is some other file.
pub const LONGEST_BYTES: usize = 1 << 20;

impl SpecText {
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
    pub(crate) fn guard_text(&self) -> Option<Problem> {
        let refuse = |kind, place| Some(Problem { key: String::new(), kind, place });
        if self.text.len() > LONGEST_BYTES {
            let kind = ProblemKind::TooLarge { bytes: self.text.len(), most: LONGEST_BYTES };
            return refuse(kind, None);
        }
        if let Some(at) = self.text.find('\0') {
            return refuse(ProblemKind::Nul, Some(TextPlace::from_spec_range(at, at + 1)));
        }
        None
    }
}

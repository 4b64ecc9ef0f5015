//! All that is wrong with a spec, with the texts that the places lie in.

use std::fmt;

use super::document::{SourceId, TextPlace};
use super::overrides::Override;
use super::problem::Problem;
use super::source::SpecText;

/// Everything that is wrong, in the order of the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Problems {
    /// The problems; at least one.
    pub list: Vec<Problem>,
    pub(crate) spec: SpecText,
    pub(crate) overrides: Vec<Override>,
    /// The user's own price book, where problems may lie in it.
    pub(crate) book: Option<Box<SpecText>>,
}

impl Problems {
    pub(crate) fn new(mut list: Vec<Problem>, spec: SpecText, overrides: &[Override]) -> Self {
        // What has no place is about what is not written: it comes last.
        let position = |problem: &Problem| match problem.place {
            Some(TextPlace { source, start, end }) => (0, source, start, end),
            None => (1, SourceId::Spec, 0, 0),
        };
        list.sort_by(|a, b| position(a).cmp(&position(b)).then_with(|| a.key.cmp(&b.key)));
        list.dedup();
        Self { list, spec, overrides: overrides.to_vec(), book: None }
    }

    /// Whether some of them lie in overrides, not in the text of the spec.
    pub(crate) fn lie_in_overrides(&self) -> bool {
        let is = |problem: &Problem| {
            problem.place.is_some_and(|place| matches!(place.source, SourceId::Override(_)))
        };
        self.list.iter().any(is)
    }

    /// The problems with the text of the price book that some of them lie in.
    pub(crate) fn with_price_book(self, book: Option<&SpecText>) -> Self {
        Self { book: book.cloned().map(Box::new), ..self }
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Problems {}

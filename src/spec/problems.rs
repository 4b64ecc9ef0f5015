//! All problems of a spec at once, with carets.

use std::fmt;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::document::{SourceId, SpecText, TextPlace};
use super::library;
use super::overrides::Override;
use super::problem::Problem;

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

/// Most problems that are spelt out; beyond that the file is some other file.
const MOST_SHOWN: usize = 30;

impl Problems {
    /// All problems as text that ends with a line feed, with terminal colours where `color`.
    #[must_use]
    pub fn render(&self, color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let mut text = String::new();
        for problem in self.list.iter().take(MOST_SHOWN) {
            text.push_str(&renderer.render(&[self.annotate_problem(problem)]));
            text.push_str("\n\n");
        }
        let names = self.source_names();
        let summary = match (self.list.len(), self.list.len().saturating_sub(MOST_SHOWN)) {
            (1, _) => format!("1 problem in {names}"),
            (all, 0) => format!("{all} problems in {names}"),
            (all, more) => format!("{all} problems in {names}, {more} not shown"),
        };
        let summary = annotate_snippets::normalize_untrusted_str(&summary);
        text.push_str(&renderer.render(&[Group::with_title(Level::ERROR.primary_title(summary))]));
        text.push('\n');
        text.replace(is_c1_control, "\u{fffd}")
    }

    fn annotate_problem<'a>(&'a self, problem: &'a Problem) -> Group<'a> {
        let group = Group::with_title(Level::ERROR.primary_title(problem.to_string()));
        let group = match problem.place {
            None => group.element(Origin::path(self.spec.name.as_str())),
            Some(place) => {
                let (name, text) = self.source(place.source);
                let cut = SourceExcerpt::new(text, place);
                let label = Some(problem.caret_label()).filter(|label| !label.is_empty());
                let annotation = AnnotationKind::Primary.span(cut.start..cut.end).label(label);
                group.element(
                    Snippet::source(cut.line)
                        .line_start(cut.number)
                        .path(name)
                        .annotation(annotation),
                )
            }
        };
        match problem.hint() {
            hint if hint.is_empty() => group,
            hint => group.element(Level::HELP.message(hint)),
        }
    }

    /// The files that problems lie in: the spec, its price book, or both.
    fn source_names(&self) -> String {
        let in_book =
            |problem: &&Problem| problem.place.is_some_and(|place| place.source == SourceId::Book);
        let booked = self.list.iter().filter(in_book).count();
        match &self.book {
            Some(book) if booked == self.list.len() => book.name.clone(),
            Some(book) if booked > 0 => format!("{} and {}", self.spec.name, book.name),
            _ => self.spec.name.clone(),
        }
    }

    /// Name and text of a source.
    fn source(&self, id: SourceId) -> (&str, &str) {
        match id {
            SourceId::Spec => (&self.spec.name, &self.spec.text),
            SourceId::Override(index) => {
                ("--set", self.overrides.get(index).map_or("", |o| o.text.as_str()))
            }
            SourceId::Preset(index) => library::preset_file(index),
            SourceId::Book => self.book.as_ref().map_or(("", ""), |text| (&text.name, &text.text)),
        }
    }
}

/// A control character of the upper half: some terminals take U+009B for the start of a command,
/// and the renderer makes visible only those below U+0080.
const fn is_c1_control(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{9f}')
}

/// The one line that a place starts on, and the place's bytes in it. The renderer gets no more
/// than that line, so that its work does not grow with the file.
struct SourceExcerpt<'a> {
    line: &'a str,
    number: usize,
    start: usize,
    end: usize,
}

impl<'a> SourceExcerpt<'a> {
    fn new(text: &'a str, place: TextPlace) -> Self {
        let start = floor_boundary(text, place.start);
        let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let last = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let last = first + text[first..last].trim_end_matches('\r').len();
        let end = floor_boundary(text, place.end).clamp(start.min(last), last);
        let number = 1 + text[..first].matches('\n').count();
        Self { line: &text[first..last], number, start: start.min(last) - first, end: end - first }
    }
}

/// The character boundary at or before `at`.
fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

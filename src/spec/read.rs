//! Text to scenario; guards in front of the parser.

use std::collections::BTreeSet;

use super::document::{
    self, Book, BookEntry, Contents, Dated, SourceId, SpecTable, SpecText, TextPlace,
};
use super::overrides::Override;
use super::problem::{Problem, ProblemKind};
use super::problems::Problems;
use super::stated::{replace_terms, stated_keys};
use super::{check, library, resolve};
use crate::gate::StatedRule;
use crate::scenario::{Assumption, Scenario, StatedKeys};

/// The scenario that a spec asks for, after the overrides.
///
/// ```
/// use planner::spec::{SpecText, presets, read_scenario};
///
/// let source = presets::ready_spec("starter").expect("it ships");
/// let scenario = read_scenario(&source, &[]).expect("it is sound");
/// assert_eq!(scenario.name, "starter");
///
/// let typo = SpecText::new("model.toml", "[modle]\n");
/// let problems = read_scenario(&typo, &[]).unwrap_err();
/// assert!(problems.render(false).contains("did you mean `model`?"));
/// ```
///
/// # Errors
/// Everything that is wrong with the spec and the overrides, each with its place.
pub fn read_scenario(source: &SpecText, overrides: &[Override]) -> Result<Scenario, Problems> {
    read_with(source, overrides, None)
}

/// The scenario with a price book of the user's own over the one that the spec names.
///
/// # Errors
/// As [`read_scenario`], and where the book prices what the spec has not.
pub fn read_with(
    source: &SpecText,
    overrides: &[Override],
    book: Option<&Book>,
) -> Result<Scenario, Problems> {
    let (document, problems) = read_checked_document(source, overrides)?;
    resolve_checked_document(&document, problems, source, overrides, book)
}

/// The scenario on the terms of somebody else: what the spec says of prices, parts, stock, rates of
/// failure and the framework counts only where the terms, keys of another spec, say nothing of it.
///
/// # Errors
/// As [`read_scenario`], where the spec can't be read on those terms.
pub fn read_on_terms(
    source: &SpecText,
    overrides: &[Override],
    book: Option<&Book>,
    terms: &StatedKeys,
) -> Result<Scenario, Problems> {
    let (mut document, mut problems) = read_checked_document(source, overrides)?;
    let shipped = library::Library::get_shipped();
    let stated = replace_terms(&mut document, terms, |kind, name| {
        shipped.entries_of_kind(kind).entries.contains_key(name)
    });
    let all: Vec<Override> = overrides.iter().cloned().chain(stated).collect();
    for (index, change) in all.iter().enumerate().skip(overrides.len()) {
        problems.extend(change.apply(index, &mut document).err().map(|problem| *problem));
    }
    resolve_checked_document(&document, problems, source, &all, book)
}

fn resolve_checked_document(
    document: &SpecTable,
    mut problems: Vec<Problem>,
    source: &SpecText,
    overrides: &[Override],
    book: Option<&Book>,
) -> Result<Scenario, Problems> {
    match resolve::resolve_document(document, book) {
        (Some(mut scenario), found) if problems.is_empty() && found.is_empty() => {
            let stated =
                |assumption: &&Assumption| overrides.iter().any(|set| set.is_of(&assumption.topic));
            let assumed = source.assumed.iter().filter(|assumption| !stated(assumption));
            scenario.add_assumptions(assumed);
            scenario.stated = stated_keys(document);
            Ok(scenario)
        }
        (_, found) => {
            problems.extend(found);
            let problems = Problems::new(problems, source.clone(), overrides);
            Err(problems.with_price_book(book.map(|book| &book.source)))
        }
    }
}

/// Whether some bytes are meant as a spec: a line of theirs opens the table of a model.
#[must_use]
pub fn looks_like_spec(bytes: &[u8]) -> bool {
    let opens = |line: &[u8]| {
        let marks = |byte: &u8| b"[ \t\"'\xef\xbb\xbf".contains(byte);
        let name = &line[line.iter().take_while(|byte| marks(byte)).count()..];
        [&b"model"[..], b"workload"].iter().any(|table| {
            name.strip_prefix(*table).is_some_and(|rest| {
                rest.trim_ascii_start().first().is_some_and(|byte| b"].=\"'".contains(byte))
            })
        })
    };
    bytes.split(|byte| *byte == b'\n').any(opens)
}

/// What a spec or a policy states for `planner check`, after the overrides: rules, and the keys of
/// the question that it lets a change state otherwise.
///
/// # Errors
/// Everything that is wrong with the text, its keys and its rules.
pub fn read_gate(
    source: &SpecText,
    overrides: &[Override],
) -> Result<(Vec<StatedRule>, Vec<String>), Problems> {
    let (document, mut problems) = read_checked_document(source, overrides)?;
    let (rules, allowed, found) = resolve::document_gate(&document);
    problems.extend(found);
    if problems.is_empty() {
        Ok((rules, allowed))
    } else {
        Err(Problems::new(problems, source.clone(), overrides))
    }
}

/// The document after the overrides, with what is wrong with its keys and values.
fn read_checked_document(
    source: &SpecText,
    overrides: &[Override],
) -> Result<(SpecTable, Vec<Problem>), Problems> {
    let refuse = |list| Problems::new(list, source.clone(), overrides);
    let mut document = parse_document(source, overrides.is_empty()).map_err(refuse)?;
    let mut problems = Vec::new();
    for (index, change) in overrides.iter().enumerate() {
        problems.extend(change.apply(index, &mut document).err().map(|problem| *problem));
    }
    problems.extend(check::check_document(&document));
    Ok((document, problems))
}

/// The document, or what keeps it from being one.
fn parse_document(source: &SpecText, refuse_empty: bool) -> Result<SpecTable, Vec<Problem>> {
    if let Some(problem) = source.guard_text() {
        return Err(vec![problem]);
    }
    let document = SpecTable::parse(SourceId::Spec, &source.text).map_err(|errors| {
        let problem = |error: document::SyntaxError| Problem {
            key: String::new(),
            kind: ProblemKind::Syntax { message: error.message },
            place: error.place,
        };
        let breaks: Vec<usize> = source.text.match_indices('\n').map(|(at, _)| at).collect();
        let mut lines = BTreeSet::new();
        // What follows an error on its line is rarely another one.
        let first_of_line = |error: &document::SyntaxError| {
            let start = error.place.map_or(0, |place| place.start);
            lines.insert(breaks.partition_point(|at| *at < start))
        };
        errors.into_iter().filter(first_of_line).map(problem).collect::<Vec<_>>()
    })?;
    if refuse_empty && document.entries.is_empty() {
        return Err(vec![Problem { key: String::new(), kind: ProblemKind::Empty, place: None }]);
    }
    let crowded = check::too_long_lists(&document);
    if !crowded.is_empty() {
        return Err(crowded);
    }
    Ok(document)
}

/// A price book, in the shape of those that ship.
///
/// # Errors
/// Everything that is wrong with it, each with its place. Whether a spec has what it prices is
/// found out when the spec is read.
pub fn price_book(source: &SpecText) -> Result<Book, Problems> {
    let refuse = |list| Problems::new(list, source.clone(), &[]);
    let table = parse_document(source, true).map_err(refuse)?;
    let (Contents { prices, entries, dates }, problems) = resolve::price_book(&table);
    if !problems.is_empty() {
        return Err(refuse(problems));
    }
    // Beside a spec, places in the book are places in another text.
    let there = |place: TextPlace| TextPlace { source: SourceId::Book, ..place };
    let entry = |entry: BookEntry| BookEntry {
        name: entry.name.map(there),
        rate: entry.rate.map(there),
        ..entry
    };
    let date = |dated: Dated| Dated { place: dated.place.map(there), ..dated };
    let entries = entries.into_iter().map(entry).collect();
    let dates = dates.into_iter().map(date).collect();
    Ok(Book { prices, source: source.clone(), entries, dates })
}

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
        if self.text.trim_start().starts_with('{') {
            return refuse(ProblemKind::Json, None);
        }
        None
    }
}

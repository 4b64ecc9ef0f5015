//! What resolution carries along: the document, the problems and the assumptions so far.

use crate::keys::{Key, Kind};
use crate::scenario::Assumption;
use crate::spec::document::{Book, EMPTY, SourceId, SpecTable, TextPlace};
use crate::spec::library::Library;
use crate::spec::problem::{Problem, ProblemKind};
use crate::spec::reader::Reader;
use crate::spec::schema::ROOT;
use crate::units::exact_text::text_forms;

/// The state of a resolution.
pub(super) struct Context<'a> {
    pub(super) root: Reader<'a>,
    pub(super) document: &'a SpecTable,
    /// What ships, below what the document says.
    pub(super) presets: &'static Library,
    /// The user's own price book.
    pub(super) book: Option<&'a Book>,
    pub(super) problems: Vec<Problem>,
    pub(super) assumptions: Vec<Assumption>,
}

impl<'a> Context<'a> {
    pub(super) fn new(document: &'a SpecTable) -> Self {
        Self {
            root: Reader::new(document, &ROOT, "", None),
            document,
            presets: Library::get_shipped(),
            book: None,
            problems: Vec::new(),
            assumptions: Vec::new(),
        }
    }

    /// The section of that name, or an empty one.
    pub(super) fn section_reader(&self, name: &'static str) -> Reader<'a> {
        match (self.root.sub_table(name), ROOT.find_key(name).map(|key| key.kind)) {
            (Some(reader), _) => reader,
            (None, Some(Kind::Table(section))) => Reader::new(&EMPTY, section, name, None),
            (None, _) => Reader::new(&EMPTY, &ROOT, name, None),
        }
    }

    pub(super) fn add_problem(&mut self, key: String, place: Option<TextPlace>, kind: ProblemKind) {
        self.problems.push(Problem { key, kind, place });
    }

    /// A problem that ties a key to others.
    pub(super) fn report_contradiction(
        &mut self,
        reader: &Reader<'_>,
        key: &str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        // A preset is right by itself: what the spec changed beside it is at fault.
        let own = |place: &TextPlace| !matches!(place.source, SourceId::Preset(_));
        let place = reader.place_of(key).filter(own).or(reader.place());
        let kind = ProblemKind::new_contradiction(message, hint);
        self.add_problem(reader.path_of(key), place, kind);
    }

    /// Refuses what a table asks for where the spec is of parts or stages; `remedy` is what to do
    /// but split the spec.
    pub(super) fn refuse_several_clusters(
        &mut self,
        reader: &Reader<'_>,
        key: &str,
        message: impl Into<String>,
        remedy: &str,
    ) {
        let workloads = self.root.sub_tables("workload");
        if workloads.iter().any(|workload| workload.is_stated("gpus"))
            || self.root.is_stated("stage")
        {
            let hint = format!("{remedy}, or design each cluster in a spec of its own");
            self.report_contradiction(reader, key, message, hint);
        }
    }

    /// The name under a key of which there is nothing.
    pub(super) fn report_unknown_value(
        &mut self,
        reader: &Reader<'_>,
        key: &str,
        what: &'static str,
        name: &str,
        known: impl IntoIterator<Item = String>,
    ) {
        let (path, place) = (reader.path_of(key), reader.place_of(key));
        self.report_unknown_name(path, place, what, name, known);
    }

    /// A name that nothing has.
    pub(super) fn report_unknown_name(
        &mut self,
        key: String,
        place: Option<TextPlace>,
        what: &'static str,
        name: &str,
        known: impl IntoIterator<Item = String>,
    ) {
        let known = known.into_iter().collect();
        let kind = ProblemKind::UnknownName { what, name: name.to_owned(), known };
        self.add_problem(key, place, kind);
    }

    /// Says what was assumed; once, however often it is needed.
    pub(super) fn note_assumption(&mut self, topic: impl Into<String>, text: impl Into<String>) {
        self.add_assumption(Assumption { topic: topic.into(), text: text.into(), default: true });
    }

    /// Writes down what a preset decides and many a run does otherwise: every report shows it.
    pub(super) fn note_preset_default(
        &mut self,
        topic: impl Into<String>,
        text: impl Into<String>,
    ) {
        self.add_assumption(Assumption { topic: topic.into(), text: text.into(), default: false });
    }

    fn add_assumption(&mut self, assumption: Assumption) {
        if !self.assumptions.contains(&assumption) {
            self.assumptions.push(assumption);
        }
    }

    /// Reports every required key that is absent; `other_way` ends the hint.
    pub(super) fn require_key(&mut self, reader: &Reader<'_>, other_way: &str) {
        for key in reader.section().keys.iter().filter(|key| key.required) {
            if !reader.is_stated(key.name) {
                self.report_missing_key(reader, key, other_way);
            }
        }
    }

    pub(super) fn report_missing_key(&mut self, reader: &Reader<'_>, key: &Key, other_way: &str) {
        let section = ROOT.find_key(reader.path()).filter(|key| key.required);
        if let (Some(section), false) = (section, self.root.is_stated(reader.path())) {
            let hint = format!("add a [{}] table; `planner init` shows one", section.name);
            let kind = ProblemKind::Missing { meaning: section.doc.to_owned(), hint };
            return self.add_problem(section.name.to_owned(), None, kind);
        }
        let line = format!("{} = {}", key.name, example_value(&key.kind));
        let table = match ROOT.find_key(reader.path()).map(|key| key.kind) {
            Some(Kind::Tables(_)) => format!("[[{}]]", reader.path()),
            _ => format!("[{}]", reader.path()),
        };
        let hint = format!("add `{line}` to {table}{other_way}");
        let kind = ProblemKind::Missing { meaning: key.doc.to_owned(), hint };
        self.add_problem(reader.path_of(key.name), reader.place(), kind);
    }
}

/// A value of that kind, to show how it is written.
fn example_value(kind: &Kind) -> String {
    match kind {
        Kind::Quantity(unit) => text_forms(*unit).example.to_owned(),
        Kind::Price | Kind::Cost => "\"$1000\"".to_owned(),
        Kind::Date => "\"2026-09-15\"".to_owned(),
        Kind::Text | Kind::Name | Kind::Order => "\"…\"".to_owned(),
        Kind::Choice(allowed) => format!("\"{}\"", allowed.first().unwrap_or(&"…")),
        Kind::Flag => "true".to_owned(),
        Kind::Auto(inner) | Kind::Some(inner) => example_value(inner),
        _ => "…".to_owned(),
    }
}

//! A report before it is drawn: sections of sentences, lists and tables. It knows no format.

use super::table::Table;

/// A whole report.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Document {
    /// What it is about: the first line.
    pub(super) title: String,
    /// In reading order.
    pub(super) sections: Vec<Section>,
    /// The table that a spreadsheet gets.
    pub(super) sheet: Table,
}

/// A part of a report under one heading.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Section {
    /// One or two words in capitals; empty for the opening.
    pub(super) heading: &'static str,
    /// What stands beside the heading; may be empty.
    pub(super) lead: String,
    /// What stands under it.
    pub(super) parts: Vec<Part>,
}

/// Something under a heading.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    /// A sentence, or a few facts in one.
    Line(String),
    /// Something that wants attention.
    Warning {
        /// A stable name such as `W07`.
        code: &'static str,
        /// What is the matter and what to do.
        text: String,
    },
    /// A table.
    Table(Table),
}

impl Section {
    /// A section that is still empty.
    pub(super) fn new(heading: &'static str, lead: impl Into<String>) -> Self {
        Self { heading, lead: lead.into(), parts: Vec::new() }
    }

    /// Adds a sentence.
    pub(super) fn line(mut self, text: impl Into<String>) -> Self {
        self.parts.push(Part::Line(text.into()));
        self
    }

    /// Adds a table, unless it has no rows.
    pub(super) fn table(mut self, table: Table) -> Self {
        if !table.rows.is_empty() {
            self.parts.push(Part::Table(table));
        }
        self
    }
}

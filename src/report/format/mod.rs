//! How a document is drawn. Each format is one small file; none of them knows what a number
//! means.

mod csv;
mod markdown;
mod text;

use super::document::Document;

/// How a result is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// For people, on a terminal 100 columns wide.
    #[default]
    Table,
    /// For programs: everything, units in the keys.
    Json,
    /// For a spreadsheet: the main table, exact numbers, units in the headings.
    Csv,
    /// For a page or a pull request.
    Markdown,
}

/// How a report looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// The format.
    pub format: Format,
    /// Headings and warnings in colour; only [`Format::Table`] has any.
    pub colour: bool,
}

/// The document in a format; `json` writes it where that is wanted.
pub(super) fn draw(document: &Document, look: Look, json: impl FnOnce() -> String) -> String {
    match look.format {
        Format::Table => text::draw(document, look.colour),
        Format::Json => json(),
        Format::Csv => csv::draw(&document.sheet),
        Format::Markdown => markdown::draw(document),
    }
}

//! How a document is drawn. Each format is one small file; none of them knows what a number
//! means.

mod detail;
mod html;
mod html_style;
mod html_table;
mod markdown_and_csv;
mod text;

pub use detail::{Detail, is_section_name};

use super::document::Document;
use super::table::Table;

/// How a result is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// For people, 100 columns wide.
    #[default]
    Table,
    /// Text for a terminal of so many columns, where they are fewer.
    Narrow(u16),
    /// For programs: everything, units in the keys.
    Json,
    /// For a spreadsheet: the main table, exact numbers, units in the headings.
    Csv,
    /// For a pull request or a wiki.
    Markdown,
    /// One page for a browser or a printer, whole in itself: it loads nothing.
    Html,
}

/// How a report looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RenderOptions<'a> {
    pub format: Format,
    /// Headings and warnings in colour; only tables for people have any.
    pub colour: bool,
    /// How much is shown; programs and spreadsheets get everything, and so does a page of which no
    /// less is asked for.
    pub detail: Detail<'a>,
}

/// A page with what it was made from in its last line; any other text as it is.
#[must_use]
pub fn add_provenance(text: &str, made_from: &[String]) -> String {
    html::add_provenance_line(text, made_from)
}

/// A table alone, for a spreadsheet or another program.
pub(super) fn csv_of(table: &Table) -> String {
    markdown_and_csv::draw_csv(table)
}

/// The document in a format; `json` writes it where that is wanted.
pub(super) fn draw_document(
    document: &Document,
    look: RenderOptions<'_>,
    json: impl FnOnce() -> String,
) -> String {
    if look.detail == Detail::Names {
        return detail::section_names(document);
    }
    match look.format {
        Format::Json => return json(),
        Format::Csv => return markdown_and_csv::draw_csv(&document.sheet),
        Format::Table | Format::Narrow(_) | Format::Markdown | Format::Html => {}
    }
    let page = look.format == Format::Html;
    let whole = page && look.detail == Detail::Usual;
    let detail = if whole { Detail::Full } else { look.detail };
    let screen = document.screen.as_ref().filter(|_| !page);
    let document = &*detail::shown_parts(document, screen, detail);
    match look.format {
        Format::Narrow(columns) => text::draw_text(document, look.colour, columns.into()),
        Format::Markdown => markdown_and_csv::draw_markdown(document),
        Format::Html => html::draw_page(document),
        Format::Table | Format::Json | Format::Csv => {
            text::draw_text(document, look.colour, text::WIDTH)
        }
    }
}

//! What words and warnings mean: one table for `planner explain WORD`, `planner explain W07` and
//! `docs/glossary.md`. It knows no design.

mod codes;
mod term;
mod words;

use std::fmt::Write as _;

use super::document::{Document, Section};
use super::format::{RenderOptions, draw_document};
use super::json;
use super::list::JsonObject;
use super::table::{Cell, Column, Table};
use super::words::{capitalise_first_letter, finish_sentence};
use codes::CODES;
pub use term::Term;
use term::{Code, Entry};
use words::GROUPS;

/// What is meant by a word or a code, however its letters and hyphens are typed.
#[must_use]
pub fn find_term(typed: &str) -> Option<Term> {
    let wanted = plain_word(typed);
    let own = |entry: &&Entry| plain_word(entry.word) == wanted;
    let also = |entry: &&Entry| entry.also.iter().any(|name| plain_word(name) == wanted);
    // A word of its own goes before one that another entry explains too.
    if let Some(entry) = all_entries().find(own).or_else(|| all_entries().find(also)) {
        return Some(Term {
            kind: "word",
            name: entry.word.to_owned(),
            meaning: entry.text.to_owned(),
            label: if entry.also.is_empty() { "" } else { "also" },
            more: entry.also.join(", "),
        });
    }
    CODES.iter().find(|code| plain_word(code.code) == wanted).map(|code| Term {
        kind: "warning",
        name: code.code.to_owned(),
        meaning: finish_sentence(code.means),
        label: "what to do",
        more: finish_sentence(code.action),
    })
}

/// Every word and code that can be asked for.
#[must_use]
pub fn term_names() -> Vec<String> {
    let words = all_entries().flat_map(|entry| [entry.word].into_iter().chain(entry.also.to_vec()));
    words.chain(CODES.iter().map(|code| code.code)).map(str::to_owned).collect()
}

fn all_entries() -> impl Iterator<Item = &'static Entry> {
    GROUPS.iter().flat_map(|group| group.entries)
}

/// A name without what people type otherwise: case, hyphens, the plural.
fn plain_word(text: &str) -> String {
    text.trim().to_lowercase().replace(['-', '_'], " ").trim_end_matches('s').to_owned()
}

/// What it means, in the wanted format.
#[must_use]
pub fn render_term(term: &Term, look: RenderOptions<'_>) -> String {
    let mut columns = vec![Column::words("", term.kind), Column::words("", "meaning")];
    let mut row = vec![Cell::words(&term.name), Cell::words(&term.meaning)];
    let mut section = Section::new("", "").add_line(term.meaning.clone());
    if !term.label.is_empty() {
        columns.push(Column::words("", term.label));
        row.push(Cell::words(&term.more));
        section =
            section.add_line(format!("{}: {}", capitalise_first_letter(term.label), term.more));
    }
    let mut sheet = Table::new(columns);
    sheet.push_row(row);
    let title = term.name.clone();
    let document = Document { title, sections: vec![section], sheet, ..Document::default() };
    draw_document(&document, look, || {
        json::write(
            &JsonObject::with_schema("planner/term/1")
                .with("kind", term.kind.to_owned())
                .with("name", term.name.clone())
                .with("meaning", term.meaning.clone())
                .with("more", term.more.clone()),
        )
    })
}

const HEAD: &str = "\
# Glossary

What words and warnings of reports mean. `planner explain rail` prints an entry, `planner explain W07`
a warning. Written by the program from its own table: change its rows, not this page.
";

/// The page in `docs/`.
#[must_use]
pub fn glossary_page() -> String {
    let mut page = HEAD.to_owned();
    // Writing to a String can't fail.
    for group in &GROUPS {
        let _ = write!(page, "\n## {}\n\n", group.subject);
        for Entry { word, also, text } in group.entries {
            let also =
                if also.is_empty() { String::new() } else { format!(" ({})", also.join(", ")) };
            let _ = writeln!(page, "- **{word}**{also}: {text}");
        }
    }
    page.push_str("\n## Warnings\n\n| code | meaning | what to do |\n|---|---|---|\n");
    for Code { code, means, action } in &CODES {
        let _ = writeln!(page, "| {code} | {means} | {action} |");
    }
    page
}

//! What of the presets and prices that ship rests on little, as a list.

use super::super::document::{Document, Section};
use super::super::format::{RenderOptions, draw_document};
use super::super::json;
use super::super::number;
use super::super::sheet::Doubtful;
use super::super::table::{Cell, Column, Table};

/// The list in the wanted format, with a line break at its end. `as_of` is the month that ages are
/// told in.
#[must_use]
pub fn render_audit(found: &[Doubtful], as_of: &str, look: RenderOptions<'_>) -> String {
    let mut table = Table::new(vec![
        Column::words("kind", "kind"),
        Column::words("name", "name"),
        Column::words("why", "doubts"),
        Column::words("date", "date"),
        Column::words("what is said", "note"),
    ]);
    for doubtful in found {
        table.push_row(vec![
            Cell::words(&doubtful.kind),
            Cell::words(&doubtful.name),
            Cell::words(doubtful.doubts.join(", ")),
            Cell::words(&doubtful.date),
            Cell::words(&doubtful.note),
        ]);
    }
    let lead = format!(
        "{} assumed, second-hand or more than a year old in {as_of}",
        number::count_with_noun(found.len() as u64, "entry is", "entries are")
    );
    let section = Section::new("AUDIT", lead).add_table(table.clone());
    let document = Document { title: String::new(), sections: vec![section], sheet: table };
    draw_document(&document, look, || json::audit_json(found, as_of))
}

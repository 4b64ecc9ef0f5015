//! Words for what ships. The report knows presets only as names and texts.

use super::super::document::{Document, Section, SectionPart};
use super::super::format::{Format, RenderOptions, draw};
use super::super::json;
use super::super::number;
use super::super::sheet::Preset;
use super::super::table::{Cell, Column, Table};
use super::cluster;

/// All of them as a list, in the wanted format, with a line break at its end.
#[must_use]
pub fn presets(presets: &[Preset], look: RenderOptions<'_>) -> String {
    let mut table = Table::new(vec![
        Column::words("kind", "kind"),
        Column::words("name", "name"),
        Column::words("date", "date"),
        Column::words("source", "source"),
    ]);
    for preset in presets {
        table.row(vec![
            Cell::words(preset.kind),
            Cell::words(&preset.name),
            Cell::words(&preset.date),
            Cell::words(&preset.source),
        ]);
    }
    let document = Document {
        title: String::new(),
        sections: vec![
            Section::new(
                "PRESETS",
                number::count_with_noun(presets.len() as u64, "preset", "presets"),
            )
            .table(table.clone()),
        ],
        sheet: table,
    };
    draw(&document, look, || json::presets(presets, false))
}

/// Those of one name with their text, in the wanted format, with a line break at its end.
#[must_use]
pub fn preset(presets: &[Preset], look: RenderOptions<'_>) -> String {
    if look.format == Format::Json {
        return json::presets(presets, true);
    }
    let texts: Vec<String> = presets.iter().map(text).collect();
    match look.format {
        Format::Markdown => format!("```toml\n{}\n```\n", texts.join("\n\n")),
        Format::Html => draw(&shown(presets), look, String::new),
        _ => texts.join("\n\n") + "\n",
    }
}

/// The text of a preset, and how large it is.
fn text(preset: &Preset) -> String {
    let text = preset.text.trim_end();
    match &preset.parameters {
        Some(of) => format!("{text}\n# {}", cluster::parameters(of)),
        None => text.to_owned(),
    }
}

/// Each preset with its text, as a document.
fn shown(presets: &[Preset]) -> Document {
    let sections = presets.iter().map(|of| {
        let mut section = Section::new("PRESET", format!("{} {}", of.kind, of.name));
        section.parts.push(SectionPart::Verbatim(text(of) + "\n"));
        section
    });
    let title = presets.first().map_or_else(String::new, |of| of.name.clone());
    Document { title, sections: sections.collect(), sheet: Table::default() }
}

//! Words for what ships. The report knows presets only as names and texts.

use super::super::document::{Document, Section, SectionPart};
use super::super::format::{Format, RenderOptions, draw_document};
use super::super::json;
use super::super::number;
use super::super::sheet::Preset;
use super::super::table::{Cell, Column, Table};
use super::cluster;

/// All of them as a list, in the wanted format, with a line break at its end.
#[must_use]
pub fn render_presets(presets: &[Preset], look: RenderOptions<'_>) -> String {
    let mut table = Table::new(vec![
        Column::words("kind", "kind"),
        Column::words("name", "name"),
        Column::words("date", "date"),
        Column::words("source", "source"),
    ]);
    for preset in presets {
        table.push_row(vec![
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
            .add_table(table.clone()),
        ],
        sheet: table,
    };
    draw_document(&document, look, || json::presets_json(presets, false))
}

/// Those of one name with their text, in the wanted format, with a line break at its end.
#[must_use]
pub fn render_preset(presets: &[Preset], look: RenderOptions<'_>) -> String {
    if look.format == Format::Json {
        return json::presets_json(presets, true);
    }
    let texts: Vec<String> = presets.iter().map(preset_text).collect();
    match look.format {
        Format::Markdown => format!("```toml\n{}\n```\n", texts.join("\n\n")),
        Format::Html => draw_document(&presets_document(presets), look, String::new),
        _ => texts.join("\n\n") + "\n",
    }
}

/// The text of a preset, and how large it is.
fn preset_text(preset: &Preset) -> String {
    let text = preset.text.trim_end();
    match &preset.parameters {
        Some(parameters) => format!("{text}\n# {}", cluster::parameters_text(parameters)),
        None => text.to_owned(),
    }
}

/// Each preset with its text, as a document.
fn presets_document(presets: &[Preset]) -> Document {
    let sections = presets.iter().map(|preset| {
        let mut section = Section::new("PRESET", format!("{} {}", preset.kind, preset.name));
        section.parts.push(SectionPart::Verbatim(preset_text(preset) + "\n"));
        section
    });
    let title = presets.first().map_or_else(String::new, |preset| preset.name.clone());
    Document { title, sections: sections.collect(), sheet: Table::default() }
}

//! `planner explain`, `presets`, `presets audit`.
//!
//! Words for how a number came about, and the reports of `planner explain`. Sources of presets
//! are handed in; the report knows no files.

use std::collections::BTreeSet;

use crate::explain::{ExplainedPart, Explanation};
use crate::quantity::{cluster_of, quantity_for_key, strip_unit};
use crate::report::amount::amount_text;
use crate::report::document::{Document, Screen, Section, SectionPart};
use crate::report::format::{Format, RenderOptions, draw_document};
use crate::report::section::machines;
use crate::report::sheet::{Doubtful, ExplainSheet, Preset, input_origin_text};
use crate::report::table::{Cell, Column, Table};
use crate::report::{json, number};
use crate::units::Amount;

/// Every number that can be explained, with its value; as JSON each in full.
#[must_use]
pub fn render_quantities(sheet: &ExplainSheet<'_>, look: RenderOptions<'_>) -> String {
    let table = quantities_table(&sheet.explanations.iter().collect::<Vec<_>>());
    let mut sections: Vec<Section> = Vec::new();
    for some in sheet.explanations.chunk_by(|a, b| cluster_of(&a.key) == cluster_of(&b.key)) {
        let mut shown = quantities_table(&some.iter().collect::<Vec<_>>());
        // The unit is part of the value for people, and a column of its own for a spreadsheet.
        shown.columns.remove(2);
        for row in &mut shown.rows {
            row.remove(2);
        }
        let cluster = some.first().map_or("", |explanation| cluster_of(&explanation.key));
        sections.push(if cluster.is_empty() {
            let lead = "`planner explain [SPEC] FIGURE` shows how one is computed";
            Section::new("FIGURES", lead).add_table(shown).with_summary_rank()
        } else {
            Section::new("CLUSTER", cluster.trim_end_matches('.')).add_table(shown)
        });
    }
    let screen = Some(figure_names_screen(sheet.explanations));
    let document = Document { title: sheet.name.to_owned(), sections, screen, sheet: table };
    draw_document(&document, look, || json::explanations_json(sheet))
}

/// Names of figures by section; those of parts and stages as those of the whole.
fn figure_names_screen(explanations: &[Explanation]) -> Screen {
    let mut table = Table::new(vec![Column::words("", "section"), Column::words("", "figures")]);
    let whole = explanations.iter().filter(|explanation| cluster_of(&explanation.key).is_empty());
    let keys: Vec<&str> = whole.map(|explanation| explanation.key.as_ref()).collect();
    let section = |key: &str| key.split_once('.').map_or("", |(section, _)| section).to_owned();
    for some in keys.chunk_by(|one, other| section(one) == section(other)) {
        let name = section(some[0]);
        let mut figures: Vec<String> = some.iter().map(|key| general_name(key)).collect();
        let mut known = BTreeSet::new();
        figures.retain(|figure| known.insert(figure.clone()));
        table.push_row(vec![Cell::words(name), Cell::words(figures.join(", "))]);
    }
    let verdict = "`planner explain [SPEC] SECTION.FIGURE` shows how one is computed; --all has \
                   each with its value and what it means.";
    let section = Section::new("", "").add_table(table);
    Screen {
        more: vec![section],
        verdict: verdict.to_owned(),
        brief: keys.iter().map(|key| (*key).to_owned()).collect(),
        ..Screen::default()
    }
}

/// The name of a figure without its section; `PART` or `N` stands for what a result has several of.
fn general_name(key: &str) -> String {
    let (section, name) = key.split_once('.').unwrap_or(("", key));
    let mut words: Vec<&str> = name.split('.').collect();
    for (place, word) in words.iter_mut().enumerate() {
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            *word = "N";
        } else if section == "bom" && place == 0 {
            *word = "PART";
        }
    }
    words.join(".")
}

/// Numbers with their values and meanings.
fn quantities_table(explanations: &[&Explanation]) -> Table {
    let mut table = Table::new(vec![
        Column::words("quantity", "quantity"),
        Column::numbers("value", "value"),
        Column::words("", "unit"),
        Column::words("meaning", "meaning"),
    ]);
    for explanation in explanations {
        let unit = Cell { text: String::new(), raw: explanation.result.unit().name().to_owned() };
        table.push_row(vec![
            Cell::words(explanation.key.as_ref()),
            Cell::amount(&explanation.result),
            unit,
            Cell::words(explanation.meaning.as_ref()),
        ]);
    }
    table
}

/// How each of the sheet's numbers came about, in the wanted format.
#[must_use]
pub fn render_explanations(sheet: &ExplainSheet<'_>, look: RenderOptions<'_>) -> String {
    let sections = sheet
        .explanations
        .iter()
        .flat_map(|explanation| explanation_sections(explanation, sheet.presets))
        .collect();
    let mut table = inputs_table();
    for explanation in sheet.explanations {
        add_inputs(&mut table, explanation, sheet.presets);
    }
    let document = Document { title: sheet.name.to_owned(), sections, screen: None, sheet: table };
    draw_document(&document, look, || json::explanations_json(sheet))
}

fn explanation_sections(explanation: &Explanation, presets: &[Preset]) -> Vec<Section> {
    let mut opening = Section::new(
        "FIGURE",
        format!("{}: {}", explanation.key, Cell::amount(&explanation.result).text),
    )
    .add_line(explanation.meaning.as_ref());
    if !explanation.formula.is_empty() {
        opening = opening.add_line(format!("= {}", explanation.formula));
    }
    if !explanation.parts.is_empty() {
        opening = opening.add_line(sum(explanation));
    }
    let mut sources = Table::new(vec![Column::words("", "section"), Column::words("", "source")]);
    for equation in explanation.equations {
        sources.push_row(vec![Cell::words(equation.section), Cell::words(equation.source)]);
    }
    let mut inputs = inputs_table();
    add_inputs(&mut inputs, explanation, presets);
    let mut all = vec![
        opening,
        Section::new("PARTS", "").add_table(explanation_parts_table(explanation)),
        Section::new("INPUTS", "").add_table(inputs),
        Section::new("EQUATIONS", "").add_table(sources),
    ];
    all.retain(|section| !section.parts.is_empty());
    all
}

/// The result as a sum: `6.07 s = step.compute_s 5.04 + …`; what is nothing is left out.
fn sum(explanation: &Explanation) -> String {
    let part = |part: &ExplainedPart| match (&part.value, &explanation.result) {
        (Amount::Time(time), Amount::Time(whole)) => number::time_part(*time, *whole),
        (value, _) => amount_text(value),
    };
    let parts: Vec<String> = explanation
        .parts
        .iter()
        .filter(|part| part.value.scalar() != 0.0)
        .map(|summand| {
            format!(
                "{} {}",
                short_figure_name(&summand.name, cluster_of(&explanation.key)),
                part(summand)
            )
        })
        .collect();
    if parts.is_empty() {
        format!("{}: every part is zero", Cell::amount(&explanation.result).text)
    } else {
        format!("{} = {}", Cell::amount(&explanation.result).text, parts.join(" + "))
    }
}

/// The key of a figure without what stands before its last word, and without its unit; what is no
/// key, such as the name of a part, stays whole, as does that of another cluster.
fn short_figure_name<'a>(name: &'a str, cluster: &str) -> &'a str {
    let name = name.strip_prefix(cluster).unwrap_or(name);
    match quantity_for_key(name) {
        Some(_) => strip_unit(name).rsplit('.').next().unwrap_or(name),
        None => name,
    }
}

fn explanation_parts_table(explanation: &Explanation) -> Table {
    let mut table = Table::new(vec![
        Column::words("part", "part"),
        Column::numbers("value", "value"),
        Column::numbers("share", "share"),
    ]);
    if explanation.parts.is_empty() {
        return table;
    }
    let whole = explanation.result.scalar();
    let share =
        |value: &Amount| Cell::percent(if whole > 0.0 { value.scalar() / whole } else { 0.0 });
    for part in &explanation.parts {
        table.push_row(vec![
            Cell::words(&part.name),
            Cell::amount(&part.value),
            share(&part.value),
        ]);
    }
    table.push_row(vec![
        Cell::words("sum"),
        Cell::amount(&explanation.result),
        share(&explanation.result),
    ]);
    table
}

fn inputs_table() -> Table {
    Table::new(vec![
        Column::words("input", "input"),
        Column::numbers("value", "value"),
        Column::words("from", "origin"),
    ])
}

fn add_inputs(table: &mut Table, explanation: &Explanation, presets: &[Preset]) {
    for input in &explanation.inputs {
        let origin = Cell::words(input_origin_text(&input.origin, presets));
        table.push_row(vec![Cell::words(&input.name), Cell::amount(&input.value), origin]);
    }
}

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
        screen: None,
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
        Some(parameters) => format!("{text}\n# {}", machines::parameters_text(parameters)),
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
    Document { title, sections: sections.collect(), screen: None, sheet: Table::default() }
}

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
    let document =
        Document { title: String::new(), sections: vec![section], screen: None, sheet: table };
    draw_document(&document, look, || json::audit_json(found, as_of))
}

#[cfg(test)]
mod tests {
    use super::short_figure_name;

    #[test]
    fn keys_are_shortened_and_names_of_parts_are_not() {
        assert_eq!(short_figure_name("step.compute_s", ""), "compute");
        assert_eq!(short_figure_name("step.exposed_communication_s.tensor", ""), "tensor");
        assert_eq!(short_figure_name("cost.capex_usd", ""), "capex");
        assert_eq!(short_figure_name("optic-1.6t", ""), "optic-1.6t");
        assert_eq!(
            short_figure_name("electricity over the years", ""),
            "electricity over the years"
        );
        let cluster = "parts.0.";
        assert_eq!(short_figure_name("parts.0.cost.capex_usd", cluster), "capex");
        assert_eq!(short_figure_name("parts.1.cost.capex_usd", cluster), "parts.1.cost.capex_usd");
    }
}

//! The report of `planner step`.

use super::super::document::{Document, Section};
use super::super::format::Look;
use super::super::json;
use super::super::sheet::{ClusterSheets, StepSheet};
use super::super::table::{Cell, Column};
use super::assumptions::{assumptions, defaults};
use super::clusters::{Figure, Told, each};
use super::{cluster, overlap, pace, pictures};
use crate::units::Amount;

/// The step of every cluster in the wanted format, with a line break at its end.
#[must_use]
pub fn step(sheets: &ClusterSheets<'_, StepSheet<'_>>, look: Look<'_>) -> String {
    each(
        sheets,
        look,
        &Told { document: &document, json: &json::step, beside: &beside, whole: None },
    )
}

/// What the step of a cluster has beside those of others.
fn beside(sheet: &StepSheet<'_>) -> Vec<Figure> {
    let (nodes, step) = (sheet.nodes, sheet.step);
    vec![
        (Column::words("product", "node"), Cell::words(&nodes.node.name)),
        (Column::numbers("GPUs", "gpus"), Cell::count(nodes.gpus)),
        (Column::words("layout", "layout"), Cell::words(cluster::degrees(sheet.layout))),
        (Column::numbers("step", "step_s"), Cell::time(step.time.total())),
        (Column::numbers("MFU", "mfu"), Cell::percent(step.mfu)),
        (
            Column::numbers("memory", "memory_bytes"),
            Cell::amount(&Amount::Memory(sheet.memory.total())),
        ),
    ]
}

fn document(sheet: &StepSheet<'_>) -> Document {
    let mut sections = vec![
        Section::new("", "").line(cluster::machines(sheet.nodes)).summary(),
        cluster::layout(sheet.layout, sheet.step.micro_batches),
        pace::section(sheet.step, sheet.nodes)
            .pictures([pictures::step(&sheet.step.time)])
            .table(pace::times(&sheet.step.time))
            .summary(),
        overlap::section(sheet.layout, sheet.framework, &sheet.step.time),
        pace::phases(sheet.phases, sheet.step),
        cluster::memory(sheet.memory, sheet.memory_capacity)
            .pictures([pictures::memory(sheet.memory, sheet.memory_capacity)]),
        assumptions(sheet.assumptions),
        defaults(sheet.assumptions),
    ];
    sections.retain(|section| !section.parts.is_empty());
    Document { title: sheet.name.to_owned(), sections, sheet: pace::times(&sheet.step.time) }
}

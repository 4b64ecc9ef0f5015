//! The report of `planner step`.

use super::super::document::{Document, Section};
use super::super::format::Look;
use super::super::json;
use super::super::sheet::{ClusterSheets, StepSheet};
use super::super::table::{Cell, Column};
use super::assumptions::{assumptions, defaults};
use super::clusters::{Figure, Told, each};
use super::{cluster, overlap, pace, pictures};
use crate::design::StepPlan;
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
    let StepPlan { nodes, layout, step, memory, .. } = sheet.step;
    vec![
        (Column::words("product", "node"), Cell::words(&nodes.node.name)),
        (Column::numbers("GPUs", "gpus"), Cell::count(nodes.gpus)),
        (Column::words("layout", "layout"), Cell::words(cluster::degrees(layout))),
        (Column::numbers("step", "step_s"), Cell::time(step.time.total())),
        (Column::numbers("MFU", "mfu"), Cell::percent(step.mfu)),
        (Column::numbers("memory", "memory_bytes"), Cell::amount(&Amount::Memory(memory.total()))),
    ]
}

fn document(sheet: &StepSheet<'_>) -> Document {
    let StepPlan { nodes, layout, step, memory, memory_capacity, .. } = sheet.step;
    let mut sections = vec![
        Section::new("", "").line(cluster::machines_alone(nodes)).summary(),
        cluster::layout(layout, step),
        pace::section(step, nodes)
            .pictures([pictures::step(&step.time)])
            .table(pace::times(&step.time))
            .summary(),
        overlap::section(layout, sheet.framework, &step.time),
        pace::phases(&sheet.step.phases, step),
        cluster::memory(memory, *memory_capacity)
            .pictures([pictures::memory(memory, *memory_capacity)]),
        assumptions(&sheet.step.assumptions),
        defaults(&sheet.step.assumptions),
    ];
    sections.retain(|section| !section.parts.is_empty());
    Document { title: sheet.name.to_owned(), sections, sheet: pace::times(&step.time) }
}

//! The report of `planner step`.

use super::super::document::{Document, Section};
use super::super::format::RenderOptions;
use super::super::json;
use super::super::sheet::{ClusterSheets, StepSheet};
use super::super::table::{Cell, Column};
use super::assumptions::{assumptions_section, defaults_section};
use super::clusters::{ClusterReport, Figure, report_each_cluster};
use super::{cluster, overlap, pace, pictures};
use crate::design::StepPlan;
use crate::units::Amount;

/// The step of every cluster in the wanted format, with a line break at its end.
#[must_use]
pub fn render_step(sheets: &ClusterSheets<'_, StepSheet<'_>>, look: RenderOptions<'_>) -> String {
    report_each_cluster(
        sheets,
        look,
        &ClusterReport {
            document: &step_document,
            json: &json::step_json,
            beside: &step_side_by_side,
            whole: None,
        },
    )
}

/// What the step of a cluster has beside those of others.
fn step_side_by_side(sheet: &StepSheet<'_>) -> Vec<Figure> {
    let StepPlan { nodes, layout, step, memory, .. } = sheet.step;
    vec![
        (Column::words("product", "node"), Cell::words(&nodes.node.name)),
        (Column::numbers("GPUs", "gpus"), Cell::count(nodes.gpus)),
        (Column::words("layout", "layout"), Cell::words(cluster::parallel_degrees_text(layout))),
        (Column::numbers("step", "step_s"), Cell::time(step.time.total_time())),
        (Column::numbers("MFU", "mfu"), Cell::percent(step.mfu)),
        (
            Column::numbers("memory", "memory_bytes"),
            Cell::amount(&Amount::Memory(memory.total_on_gpu())),
        ),
    ]
}

fn step_document(sheet: &StepSheet<'_>) -> Document {
    let StepPlan { nodes, layout, step, memory, memory_capacity, .. } = sheet.step;
    let mut sections = vec![
        Section::new("", "").add_line(cluster::machines_alone(nodes)).with_summary_rank(),
        cluster::layout_section(layout, step),
        pace::step_time_section(step, nodes)
            .add_pictures_on_top([pictures::step_picture(&step.time)])
            .add_table(pace::step_parts_table(&step.time))
            .with_summary_rank(),
        overlap::overlap_section(layout, sheet.framework, &step.time),
        pace::phases_section(&sheet.step.phases, step),
        cluster::memory_section(memory, *memory_capacity)
            .add_pictures_on_top([pictures::memory_picture(memory, *memory_capacity)]),
        assumptions_section(&sheet.step.assumptions),
        defaults_section(&sheet.step.assumptions),
    ];
    sections.retain(|section| !section.parts.is_empty());
    Document { title: sheet.name.to_owned(), sections, sheet: pace::step_parts_table(&step.time) }
}

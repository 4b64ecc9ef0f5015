//! Words for the time of a step, and the report of `planner step`.

use super::super::document::{Document, Section};
use super::super::format::Look;
use super::super::sheet::{ClusterSheets, StepSheet};
use super::super::table::{Cell, Column, Table};
use super::super::{json, number};
use super::clusters::{Figure, Told, each};
use super::{cluster, design, overlap, pictures};
use crate::design::{NodeChoice, PhaseReport, StepReport};
use crate::step::TrafficKind;
use crate::timing::StepTime;
use crate::units::{Amount, Seconds};

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
        section(sheet.step, sheet.nodes)
            .pictures([pictures::step(&sheet.step.time)])
            .table(times(&sheet.step.time))
            .summary(),
        overlap::section(sheet.layout, sheet.framework, &sheet.step.time),
        phases(sheet.phases, sheet.step),
        cluster::memory(sheet.memory, sheet.memory_capacity)
            .pictures([pictures::memory(sheet.memory, sheet.memory_capacity)]),
        design::assumptions(sheet.assumptions),
        design::defaults(sheet.assumptions),
    ];
    sections.retain(|section| !section.parts.is_empty());
    Document { title: sheet.name.to_owned(), sections, sheet: times(&sheet.step.time) }
}

/// The step and what it yields.
pub(super) fn section(report: &StepReport, nodes: &NodeChoice) -> Section {
    let gpus = nodes.gpus;
    let lead = format!(
        "{} ({}): MFU {}, HFU {}, {} tokens/s",
        number::time(report.time.total()),
        band(report, nodes),
        number::percent(report.mfu),
        number::percent(report.hfu),
        number::large(report.tokens_per_gpu_second * f64::from(gpus)),
    );
    Section::new("STEP", lead).line(format!(
        "{} of model work in {} tokens: {} a GPU, {} tokens/s a GPU",
        number::flops(report.model_flops),
        number::large(report.tokens as f64),
        number::flop_rate(report.model_rate(gpus)),
        number::large(report.tokens_per_gpu_second),
    ))
}

/// How far a measured step may be from the predicted one; and where no step of the GPU was measured
/// at all, that its rates are assumed.
pub(super) fn band(report: &StepReport, nodes: &NodeChoice) -> String {
    let band = format!("±{}", number::percent(report.error_band));
    let gpu = &nodes.node.gpu;
    match gpu.calibration.shares_of {
        Some(_) => format!("{band}, rates of {} assumed", gpu.name),
        None => band,
    }
}

/// The parts of a step as a sum: `6.07 s = compute 5.04 + bubble 0.68 + …`.
pub(super) fn sum(time: &StepTime) -> String {
    let parts = parts(time)
        .into_iter()
        .filter(|(_, part)| part.get() > 0.0)
        .map(|(name, part)| format!("{name} {}", number::time_part(part, time.total())))
        .collect::<Vec<_>>()
        .join(" + ");
    format!("{} = {parts}", number::time(time.total()))
}

/// The parts of a step as a table; what takes no time is left out.
fn times(time: &StepTime) -> Table {
    let total = time.total();
    let mut table = Table::new(vec![
        Column::words("part", "part"),
        Column::numbers("time", "time_s"),
        Column::numbers("share", "share"),
    ]);
    let mut row = |name: &str, part: Seconds| {
        let share = if total.get() > 0.0 { part / total } else { 0.0 };
        table.row(vec![Cell::words(name), Cell::time(part), Cell::percent(share)]);
    };
    for (name, part) in parts(time) {
        if part.get() > 0.0 {
            row(&name, part);
        }
    }
    row("step", total);
    table
}

/// Parts of a step by name, in the order of the contract; they sum to the whole.
pub(super) fn parts(time: &StepTime) -> Vec<(String, Seconds)> {
    let mut parts = vec![("compute".to_owned(), time.compute)];
    for kind in TrafficKind::ALL {
        parts.push((format!("exposed {}", kind.name()), time.exposed.of(kind)));
    }
    parts.push(("bubble".to_owned(), time.bubble));
    parts.push(("optimizer".to_owned(), time.optimizer));
    parts.push(("host".to_owned(), time.host));
    parts.push(("host link".to_owned(), time.swap));
    parts.push(("stragglers".to_owned(), time.stragglers));
    parts
}

/// The phases of a run, and what they save of it.
pub(super) fn phases(phases: &[PhaseReport], step: &StepReport) -> Section {
    let mut table = Table::new(vec![
        Column::words("phase", "phase"),
        Column::numbers("steps", "share_of_steps"),
        Column::numbers("step", "step_time_s"),
        Column::numbers("share of the time", "share_of_time"),
    ]);
    let whole = step.time.total();
    let time: Seconds = phases.iter().map(|of| of.step * of.share).sum();
    let flops: f64 = phases.iter().map(|of| of.model_flops / step.model_flops * of.share).sum();
    for of in phases {
        table.row(vec![
            Cell::words(&of.name),
            Cell::percent(of.share),
            Cell::time(of.step),
            Cell::percent(of.step * of.share / time),
        ]);
    }
    let lead = if phases.is_empty() {
        String::new()
    } else {
        format!(
            "the run takes {} of the ordinary one's time and {} of its FLOPs",
            number::percent(time / whole),
            number::percent(flops)
        )
    };
    Section::new("RUN", lead).table(table)
}

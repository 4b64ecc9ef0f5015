//! The reports of `planner step` and `planner search`.

use super::multi_cluster::{ClusterReport, Figure, report_each_cluster};
use crate::design::StepPlan;
use crate::memory::MemoryFit;
use crate::parallel::Schedule;
use crate::report::document::{Document, Row, Screen, Section};
use crate::report::format::RenderOptions;
use crate::report::section::proof::{self, assumptions_section, defaults_section};
use crate::report::section::{charts, machines, step_time};
use crate::report::sheet::{ClusterSheets, LayoutSheet, StepSheet};
use crate::report::table::{Cell, Column, Table};
use crate::report::{json, number, short_number};
use crate::scenario::Assumption;
use crate::search::{Breadth, Layouts, RankBy, Ranked};
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
        (Column::words("machine", "node"), Cell::words(&nodes.node.name)),
        (Column::numbers("GPUs", "gpus"), Cell::count(nodes.gpus)),
        (Column::words("layout", "layout"), Cell::words(machines::parallel_degrees_text(layout))),
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
        Section::new("", "").add_line(machines::machines_alone(nodes)).with_summary_rank(),
        machines::layout_section(layout, step),
        step_time::step_time_section(step, nodes)
            .add_pictures_on_top([charts::step_picture(&step.time)])
            .add_table(step_time::step_parts_table(&step.time))
            .with_summary_rank(),
        step_time::overlap_section(layout, sheet.framework, &step.time),
        step_time::phases_section(&sheet.step.phases, step),
        machines::memory_section(memory, *memory_capacity)
            .add_pictures_on_top([charts::memory_picture(memory, *memory_capacity)]),
        assumptions_section(&sheet.step.assumptions),
        defaults_section(&sheet.step.assumptions),
    ];
    sections.retain(|section| !section.parts.is_empty());
    Document {
        title: sheet.name.to_owned(),
        sections,
        screen: Some(step_screen(sheet)),
        sheet: step_time::step_parts_table(&step.time),
    }
}

fn step_screen(sheet: &StepSheet<'_>) -> Screen {
    let StepPlan { nodes, layout, step, memory, memory_capacity, .. } = sheet.step;
    let total = step.time.total_time();
    let (low, high) = step.interval.bounds_around(total);
    let held = format!(
        "{} of {}",
        number::memory(memory.total_on_gpu()),
        number::memory(*memory_capacity)
    );
    let fit = MemoryFit::of_total(memory.total_on_gpu(), *memory_capacity);
    let mut likely = format!("{} to {}", number::time(low), number::time(high));
    if sheet.step.assumptions.iter().any(Assumption::is_approximation) {
        likely.push_str("; the model is an approximation");
    }
    let rows = vec![
        Row::with_line("Machines", machines::machines_alone(nodes)),
        Row::with_line("Layout", machines::parallel_degrees_text(layout)),
        Row::with_line("Step", step_time::step_time_sum(&step.time)),
        Row::with_line("Likely", likely),
        Row::with_line("Memory", format!("{held} on the fullest GPU")),
        Row::with_line(
            "More",
            "--all, --section NAME: layout, step, overlap, memory, assumptions".to_owned(),
        ),
    ];
    let mut more = vec![step_time::phases_section(&sheet.step.phases, step)];
    if fit != MemoryFit::Fits {
        more.push(machines::memory_section(memory, *memory_capacity));
    }
    more.retain(|section| !section.parts.is_empty());
    let verdict = format!(
        "{} a step, MFU {}: the layout {}, with {held} of memory.",
        number::time(total),
        short_number::percent(step.mfu),
        fit.report_word(),
    );
    Screen { rows, more, ..Screen::from_verdict(verdict) }
}

/// The rankings of every cluster in the wanted format, with a line break at its end.
#[must_use]
pub fn render_layouts(
    sheets: &ClusterSheets<'_, LayoutSheet<'_>>,
    look: RenderOptions<'_>,
) -> String {
    report_each_cluster(
        sheets,
        look,
        &ClusterReport {
            document: &search_document,
            json: &json::layouts_json,
            beside: &search_side_by_side,
            whole: None,
        },
    )
}

/// The best layout of a cluster beside those of others.
fn search_side_by_side(sheet: &LayoutSheet<'_>) -> Vec<Figure> {
    let best = sheet.found.ranked.first();
    let read = |cell: &dyn Fn(&Ranked) -> Cell| best.map_or_else(Cell::no_value, cell);
    vec![
        (Column::numbers("GPUs", "gpus"), Cell::count(sheet.gpus)),
        (Column::words("machine", "node"), read(&|best| Cell::words(&best.node))),
        (
            Column::words("best layout", "layout"),
            read(&|best| Cell::words(machines::parallel_degrees_text(&best.candidate.layout))),
        ),
        (
            Column::numbers("step", "step_s"),
            read(&|best| Cell::time(best.candidate.time.total_time())),
        ),
        (Column::numbers("MFU", "mfu"), read(&|best| Cell::percent(best.efficiency.mfu))),
        (Column::numbers("fitting", "fitting"), Cell::count(sheet.found.fitting)),
    ]
}

fn search_document(sheet: &LayoutSheet<'_>) -> Document {
    let found = sheet.found;
    let head = Section::new("", "")
        .add_line(search_machines_text(sheet))
        .add_line(search_space_sentence(sheet));
    let opening = idle_gpus_note(sheet).into_iter().fold(head, Section::add_line);
    let layouts = Section::new("LAYOUTS", ranked_by(found.by))
        .add_pictures_on_top([charts::layouts_picture(found)])
        .add_table(ranking_table(found, &VaryingColumns::from_layouts(found)))
        .add_line(
            "t tensor, p pipeline, d data, c context, e expert, v virtual stages per GPU, b \
             sequences of a micro-batch, sp sequence-parallel; --all has what was assumed",
        );
    let more = vec![opening.clone(), layouts.clone()];
    let screen = Screen { more, ..Screen::from_verdict(fastest_layout_sentence(found)) };
    let mut sections = vec![
        opening,
        layouts,
        proof::assumptions_section(&found.assumptions),
        proof::defaults_section(&found.assumptions),
    ];
    sections.retain(|section| !section.parts.is_empty());
    Document {
        title: sheet.name.to_owned(),
        sections,
        screen: Some(screen),
        sheet: ranking_table(
            found,
            &VaryingColumns { machine: true, order: true, schedule: true, pace: true, cost: true },
        ),
    }
}

const fn ranked_by(by: RankBy) -> &'static str {
    match by {
        RankBy::StepTime => "by step time; of a run with phases by that of all phases",
        RankBy::UsdPerToken => "by cost per token",
    }
}

fn search_machines_text(sheet: &LayoutSheet<'_>) -> String {
    let gpus = number::count_with_noun(sheet.gpus, "GPU", "GPUs");
    match sheet.found.ranked.first() {
        Some(best) if !VaryingColumns::from_layouts(sheet.found).machine => {
            let memory = number::memory(best.memory_capacity);
            format!("{gpus} of {memory} in {}, NIC {}, on a perfect network", best.node, best.nic)
        }
        _ => format!("{gpus}, each machine of the spec, on a perfect network"),
    }
}

/// How many GPUs train, where some have no part in the layouts.
fn idle_gpus_note(sheet: &LayoutSheet<'_>) -> Option<String> {
    let found = sheet.found;
    let training = || found.ranked.iter().map(|ranked| ranked.candidate.layout.gpus());
    let (fewest, most) = training().min().zip(training().max())?;
    if fewest >= u64::from(sheet.gpus) {
        return None;
    }
    let fewest =
        if fewest < most { format!("{} to ", number::count(fewest)) } else { String::new() };
    let stated = found.assumptions.iter().any(|assumption| assumption.topic == "parallelism.data");
    let why = if stated {
        "no more replicas of the stated degrees divide the batch"
    } else {
        "no layout that uses more of them has a shorter step"
    };
    Some(format!(
        "{fewest}{} of {} train in these layouts, as {why}; the others stay idle",
        number::count(most),
        number::count_with_noun(sheet.gpus, "GPU", "GPUs"),
    ))
}

/// What was searched, in a sentence.
fn search_space_sentence(sheet: &LayoutSheet<'_>) -> String {
    let why = match (sheet.found.breadth, sheet.asked) {
        (Breadth::Open, _) => "",
        (Breadth::Whole, Breadth::Whole) => ", as asked",
        (Breadth::Whole, Breadth::Open) => ", as the spec leaves nothing open",
    };
    format!("searched{why}: {}", sheet.found.open.join(", "))
}

/// The best layout, and of how many.
fn fastest_layout_sentence(found: &Layouts) -> String {
    let counts = format!(
        "{} possible, {} fit in memory, best {} shown.",
        number::count_with_noun(found.legal, "layout", "layouts"),
        number::count(found.fitting),
        number::count(found.ranked.len() as u64),
    );
    let Some(best) = found.ranked.first() else { return counts };
    let which = match found.by {
        RankBy::StepTime => "Fastest",
        RankBy::UsdPerToken => "Cheapest per token",
    };
    format!(
        "{which}: {}, {} a step, MFU {}, {} of memory. {counts}",
        machines::parallel_degrees_text(&best.candidate.layout),
        number::time(best.candidate.time.total_time()),
        short_number::percent(best.efficiency.mfu),
        number::memory(best.candidate.memory),
    )
}

/// Columns that are only worth their width where rows differ in them.
struct VaryingColumns {
    machine: bool,
    order: bool,
    /// Virtual stages tell 1F1B and the interleaved schedule apart.
    schedule: bool,
    /// Of a run with phases.
    pace: bool,
    cost: bool,
}

impl VaryingColumns {
    fn from_layouts(found: &Layouts) -> Self {
        let first = found.ranked.first();
        let differs = |unlike: &dyn Fn(&Ranked, &Ranked) -> bool| {
            first.is_some_and(|first| found.ranked.iter().any(|ranked| unlike(first, ranked)))
        };
        Self {
            machine: differs(&|a, b| (&a.node, &a.nic) != (&b.node, &b.nic)),
            order: differs(&|a, b| a.candidate.layout.order != b.candidate.layout.order),
            schedule: found.ranked.iter().any(|ranked| {
                let this_schedule = ranked.candidate.layout.schedule;
                !matches!(this_schedule, Schedule::OneFOneB | Schedule::Interleaved)
            }),
            pace: found
                .ranked
                .iter()
                .any(|ranked| ranked.candidate.pace != ranked.candidate.time.total_time()),
            cost: found.by == RankBy::UsdPerToken,
        }
    }
}

/// The ranking as a table. All that is ranked fits, so that only a spreadsheet is told.
fn ranking_table(found: &Layouts, shown: &VaryingColumns) -> Table {
    let mut columns = vec![
        Column::numbers("", "rank"),
        Column::numbers("step", "step_s"),
        Column::numbers("MFU", "mfu"),
    ];
    columns.extend(
        [
            ("t", "tensor"),
            ("p", "pipeline"),
            ("d", "data"),
            ("c", "context"),
            ("e", "expert"),
            ("v", "interleave"),
            ("b", "micro_batch"),
        ]
        .map(|(heading, key)| Column::numbers(heading, key)),
    );
    columns.extend([
        Column::words("recompute", "recompute"),
        Column::numbers("zero", "zero"),
        Column::words("sp", "sequence_parallel"),
        Column::numbers("memory", "memory_bytes"),
        Column::numbers(if shown.machine { "GPU has" } else { "" }, "memory_capacity_bytes"),
        Column::words("", "fits"),
    ]);
    if shown.order {
        columns.push(Column::words("order", "order"));
    }
    if shown.machine {
        columns.extend([Column::words("node", "node"), Column::words("NIC", "nic")]);
    }
    if shown.schedule {
        columns.push(Column::words("schedule", "schedule"));
    }
    if shown.cost {
        columns.push(Column::numbers("M tokens", "machine_usd_per_million_tokens"));
    }
    if shown.pace {
        columns.push(Column::numbers("step over all phases", "pace_s"));
    }
    let mut table = Table::new(columns);
    for (place, ranked) in found.ranked.iter().enumerate() {
        table.push_row(ranking_row(place + 1, ranked, shown));
    }
    table
}

fn ranking_row(rank: usize, ranked: &Ranked, shown: &VaryingColumns) -> Vec<Cell> {
    let layout = &ranked.candidate.layout;
    let degrees = [
        layout.tensor,
        layout.pipeline,
        layout.data,
        layout.context,
        layout.expert,
        layout.interleave,
    ];
    let memory = |bytes| Cell { text: number::memory(bytes), raw: bytes.count().to_string() };
    let untold = |raw: String| Cell { text: String::new(), raw };
    let flag = |text: &str, raw: bool| Cell { text: text.to_owned(), raw: raw.to_string() };
    let mut cells = vec![
        Cell::count(rank as u64),
        Cell::time(ranked.candidate.time.total_time()),
        Cell::percent(ranked.efficiency.mfu),
    ];
    cells.extend(degrees.map(Cell::count));
    cells.extend([
        Cell::count(layout.micro_batch),
        Cell::words(layout.recompute.name()),
        Cell::count(layout.zero.stage_number()),
        flag(if layout.sequence_parallel { "yes" } else { "no" }, layout.sequence_parallel),
        memory(ranked.candidate.memory),
        if shown.machine {
            memory(ranked.memory_capacity)
        } else {
            untold(ranked.memory_capacity.count().to_string())
        },
        untold(ranked.is_within_memory().to_string()),
    ]);
    if shown.order {
        cells.push(Cell::words(layout.order.to_string()));
    }
    if shown.machine {
        cells.extend([Cell::words(&ranked.node), Cell::words(&ranked.nic)]);
    }
    if shown.schedule {
        cells.push(Cell::words(layout.schedule.name()));
    }
    if shown.cost {
        cells.push(
            ranked.usd_per_million_tokens.map_or_else(|| Cell::words("unpriced"), Cell::money),
        );
    }
    if shown.pace {
        cells.push(Cell::time(ranked.candidate.pace));
    }
    cells
}

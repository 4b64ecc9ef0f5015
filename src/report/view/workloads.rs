//! Words for several workloads on one cluster.

use super::super::document::Section;
use super::super::number;
use super::super::table::{Cell, Column, Table};
use super::pace;
use crate::design::{Plan, WorkloadPlan};

/// What one of several workloads is told by in a line: its step, its run, a million of its tokens.
pub(super) fn workloads_sentence(workload_plan: &WorkloadPlan, plan: &Plan) -> String {
    let step = number::time(workload_plan.step.time.total_time());
    let mut text = format!("{}: step {step}", workload_plan.name);
    if workload_plan.name == plan.workloads[0].name {
        text.push_str(&format!(" ({})", pace::interval_sentence(&workload_plan.step, &plan.nodes)));
    }
    text.push_str(&format!(", MFU {}", number::percent(workload_plan.step.mfu)));
    if let Some(days) = workload_plan.training_days {
        text.push_str(&format!(", run {days:.1} days without failures"));
    }
    if let Some(usd) = plan.usd_per_million_tokens_of(workload_plan) {
        text.push_str(&format!(", {} per million tokens", number::money(usd)));
    }
    text
}

/// Every workload of a plan beside the others; empty where there is one. Layout, step, memory and traffic
/// of the leading one have sections of their own.
pub(super) fn workloads_section(plan: &Plan) -> Section {
    let workloads = &plan.workloads;
    let mut table = Table::new(vec![
        Column::words("workload", "workload"),
        Column::numbers("share", "share"),
        Column::words("layout", "layout"),
        Column::numbers("step", "step_s"),
        Column::numbers("slower", "slowdown"),
        Column::numbers("MFU", "mfu"),
        Column::numbers("memory", "memory_bytes"),
        Column::numbers("run", "training_days"),
        Column::numbers("per Mtok", "usd_per_million_tokens"),
    ]);
    for workload_plan in workloads {
        let memory = workload_plan.memory.total_on_gpu();
        table.push_row(vec![
            Cell::words(&workload_plan.name),
            Cell::percent(workload_plan.share),
            Cell::words(workload_plan.layout.degrees_text()),
            Cell::time(workload_plan.step.time.total_time()),
            Cell::with_text_and_value(
                number::percent_change(workload_plan.step.slowdown - 1.0),
                workload_plan.step.slowdown,
            ),
            Cell::percent(workload_plan.step.mfu),
            Cell { text: number::memory(memory), raw: memory.count().to_string() },
            workload_plan.training_days.map_or_else(Cell::no_value, |days| {
                Cell::with_text_and_value(format!("{days:.1} days"), days)
            }),
            plan.usd_per_million_tokens_of(workload_plan).map_or_else(Cell::no_value, Cell::money),
        ]);
    }
    let Some(lead) = workloads.first() else { return Section::new("", "") };
    Section::new("WORKLOADS", format!("one fabric for all; the next sections are of {}", lead.name))
        .add_table(table)
}

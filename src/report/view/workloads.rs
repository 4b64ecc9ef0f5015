//! Words for several workloads on one cluster.

use super::super::document::Section;
use super::super::number;
use super::super::table::{Cell, Column, Table};
use super::pace;
use crate::design::{Plan, WorkloadPlan};

/// What one of several workloads is told by in a line: its step, its run, a million of its tokens.
pub(super) fn workloads_sentence(of: &WorkloadPlan, plan: &Plan) -> String {
    let step = number::time(of.step.time.total_time());
    let mut text = format!("{}: step {step}", of.name);
    if of.name == plan.workloads[0].name {
        text.push_str(&format!(" ({})", pace::interval_sentence(&of.step, &plan.nodes)));
    }
    text.push_str(&format!(", MFU {}", number::percent(of.step.mfu)));
    if let Some(days) = of.training_days {
        text.push_str(&format!(", run {days:.1} days without failures"));
    }
    if let Some(usd) = plan.usd_per_million_tokens_of(of) {
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
    for of in workloads {
        let memory = of.memory.total_on_gpu();
        table.push_row(vec![
            Cell::words(&of.name),
            Cell::percent(of.share),
            Cell::words(of.layout.degrees_text()),
            Cell::time(of.step.time.total_time()),
            Cell::with_text_and_value(
                number::percent_change(of.step.slowdown - 1.0),
                of.step.slowdown,
            ),
            Cell::percent(of.step.mfu),
            Cell { text: number::memory(memory), raw: memory.count().to_string() },
            of.training_days.map_or_else(Cell::no_value, |days| {
                Cell::with_text_and_value(format!("{days:.1} days"), days)
            }),
            plan.usd_per_million_tokens_of(of).map_or_else(Cell::no_value, Cell::money),
        ]);
    }
    let Some(lead) = workloads.first() else { return Section::new("", "") };
    Section::new("WORKLOADS", format!("one fabric for all; the next sections are of {}", lead.name))
        .add_table(table)
}

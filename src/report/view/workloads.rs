//! Words for several workloads on one cluster.

use super::super::document::Section;
use super::super::number;
use super::super::table::{Cell, Column, Table};
use crate::design::WorkloadPlan;

/// Every workload beside the others; empty where there is one. Layout, step, memory and traffic
/// of the leading one have sections of their own.
pub(super) fn section(workloads: &[WorkloadPlan]) -> Section {
    let mut table = Table::new(vec![
        Column::words("workload", "workload"),
        Column::numbers("share", "share"),
        Column::words("layout", "layout"),
        Column::numbers("step", "step_s"),
        Column::numbers("slower", "slowdown"),
        Column::numbers("MFU", "mfu"),
        Column::numbers("memory", "memory_bytes"),
        Column::numbers("run", "training_days"),
    ]);
    for of in workloads {
        let memory = of.memory.total();
        table.row(vec![
            Cell::words(&of.name),
            Cell::percent(of.share),
            Cell::words(of.layout.degrees()),
            Cell::time(of.step.time.total()),
            Cell::shown(number::percent_change(of.step.slowdown - 1.0), of.step.slowdown),
            Cell::percent(of.step.mfu),
            Cell { text: number::memory(memory), raw: memory.count().to_string() },
            of.training_days
                .map_or_else(Cell::none, |days| Cell::shown(format!("{days:.1} days"), days)),
        ]);
    }
    let Some(lead) = workloads.first() else { return Section::new("", "") };
    Section::new("WORKLOADS", format!("one fabric for all; the next sections are of {}", lead.name))
        .table(table)
}

//! Words for a cluster in parts: all of them beside each other, and what each is.

use super::super::document::Section;
use super::super::number;
use super::super::table::{Cell, Column, Table};
use super::{cluster, fabric, pace, reach};
use crate::design::{PartPlan, Plan};

/// What a reader takes away who reads no further.
pub(super) fn parts_summary(plan: &Plan) -> Section {
    let gpus: u32 = plan.parts().iter().map(|part| part.plan.nodes.gpus).sum();
    let line = format!(
        "{} in {}; network {} of cluster {}",
        number::count_with_noun(gpus, "GPU", "GPUs"),
        number::count_with_noun(plan.parts().len() as u64, "part", "parts"),
        number::money(plan.cost.network_capex),
        number::money(plan.cost.capex)
    );
    Section::new("", "").add_line(line)
}

/// The parts, then each by itself.
pub(super) fn parts_sections(plan: &Plan) -> Vec<Section> {
    let mut all = vec![parts_section(plan.parts())];
    for PartPlan { name, plan } in plan.parts() {
        all.extend(part_sections("PART", name, plan));
    }
    all
}

/// One of several clusters by itself: its machines, fabric, layout, step and memory.
pub(super) fn part_sections(heading: &'static str, name: &str, plan: &Plan) -> [Section; 5] {
    [
        Section::new(heading, name).add_line(cluster::machines_text(&plan.nodes)),
        reach::headroom_section(plan, fabric::fabric_section(plan)),
        cluster::layout_section(&plan.layout, &plan.step),
        pace::step_time_section(&plan.step, &plan.nodes)
            .add_line(pace::step_time_sum(&plan.step.time)),
        cluster::memory_section(&plan.memory, plan.memory_capacity),
    ]
}

/// The parts beside each other.
pub(super) fn parts_section(parts: &[PartPlan]) -> Section {
    let mut table = Table::new(vec![
        Column::words("workload", "workload"),
        Column::words("product", "node"),
        Column::numbers("GPUs", "gpus"),
        Column::words("fabric", "fabric"),
        Column::numbers("switches", "switches"),
        Column::numbers("network", "network_capex_usd"),
        Column::numbers("capex", "capex_usd"),
        Column::numbers("step", "step_s"),
        Column::numbers("run", "training_days"),
    ]);
    for PartPlan { name, plan } in parts {
        table.push_row(vec![
            Cell::words(name),
            Cell::words(&plan.nodes.node.name),
            Cell::count(plan.nodes.gpus),
            Cell::words(plan.fabric.kind.to_string()),
            Cell::count(plan.fabric.switch_count()),
            Cell::money(plan.cost.network_capex),
            Cell::money(plan.cost.capex),
            Cell::time(plan.step.time.total_time()),
            plan.cost.training_days.map_or_else(Cell::no_value, |days| {
                Cell::with_text_and_value(format!("{days:.1} days"), days)
            }),
        ]);
    }
    Section::new("PARTS", "rails of their own, one stock, one supply, one bill").add_table(table)
}

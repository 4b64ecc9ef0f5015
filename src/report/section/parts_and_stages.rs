//! Parts of a cluster side by side, and stages one after another.

use super::{fabric, machines, routing, step_time};
use crate::cost::BillLine;
use crate::design::{PartPlan, Plan, StagePlan, StagesReport};
use crate::report::document::Section;
use crate::report::number;
use crate::report::table::{Cell, Column, Table};
use crate::units::Usd;

/// What a reader takes away who reads no further.
pub(in crate::report) fn parts_summary(plan: &Plan) -> Section {
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
pub(in crate::report) fn parts_sections(plan: &Plan) -> Vec<Section> {
    let mut all = vec![parts_section(plan.parts())];
    for PartPlan { name, plan } in plan.parts() {
        all.extend(part_sections("PART", name, plan));
    }
    all
}

/// One of several clusters by itself: its machines, fabric, layout, step and memory.
fn part_sections(heading: &'static str, name: &str, plan: &Plan) -> [Section; 5] {
    [
        Section::new(heading, name).add_line(machines::machines_text(&plan.nodes)),
        routing::headroom_section(plan, fabric::fabric_section(plan)),
        machines::layout_section(&plan.layout, &plan.step),
        step_time::step_time_section(&plan.step, &plan.nodes)
            .add_line(step_time::step_time_sum(&plan.step.time)),
        machines::memory_section(&plan.memory, plan.memory_capacity),
    ]
}

/// The parts beside each other.
pub(in crate::report) fn parts_section(parts: &[PartPlan]) -> Section {
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

/// What the prices of a bill of all stages are.
pub(in crate::report) const PAID: &str =
    "each: what the stages pay on average, at the prices of their days";

/// What a reader takes away who reads no further.
pub(in crate::report) fn stages_summary(plan: &Plan, growth: &StagesReport) -> Section {
    let line = format!(
        "{} in {}; network {} of cluster {}, {} in today's money",
        number::count_with_noun(plan.nodes.gpus, "GPU", "GPUs"),
        number::count_with_noun(growth.stages.len() as u64, "stage", "stages"),
        number::money(plan.cost.network_capex),
        number::money(plan.cost.capex),
        number::money(growth.present_value),
    );
    Section::new("", "").add_line(line)
}

/// The stages, what each buys, then each by itself.
pub(in crate::report) fn stages_sections(growth: &StagesReport) -> Vec<Section> {
    let mut all = vec![stages_section(growth), purchases_by_stage(&growth.stages)];
    for stage in &growth.stages {
        all.extend(part_sections("STAGE", &stage_title(stage), &stage.plan));
    }
    all
}

/// `year 1.5, 2,048 GPUs`.
pub(in crate::report) fn stage_title(stage: &StagePlan) -> String {
    format!("year {}, {} GPUs", stage.year, number::count(stage.plan.nodes.gpus))
}

/// The stages beside each other, and what planning them together is worth.
pub(in crate::report) fn stages_section(growth: &StagesReport) -> Section {
    let mut table = Table::new(vec![
        Column::numbers("year", "year"),
        Column::numbers("GPUs", "gpus"),
        Column::numbers("prices", "price_ratio"),
        Column::words("fabric", "fabric"),
        Column::numbers("planes", "planes"),
        Column::numbers("switches", "switches"),
        Column::numbers("network", "network_capex_usd"),
        Column::numbers("capex", "capex_usd"),
        Column::numbers("power", "power_w"),
        Column::numbers("step", "step_s"),
    ]);
    for StagePlan { year, price, plan, .. } in &growth.stages {
        table.push_row(vec![
            Cell::with_text_and_value(year.to_string(), *year),
            Cell::count(plan.nodes.gpus),
            Cell::with_text_and_value(number::percent(*price), *price),
            Cell::words(plan.fabric.kind.to_string()),
            Cell::count(plan.nodes.planes),
            Cell::count(plan.fabric.switch_count()),
            Cell::money(plan.cost.network_capex),
            Cell::money(plan.cost.capex),
            Cell::with_text_and_value(number::power(plan.cost.power), plan.cost.power.get()),
            Cell::time(plan.step.time.total_time()),
        ]);
    }
    let lead = "network and capex: what is bought then, at the prices of the day";
    let mut section = Section::new("STAGES", lead).add_table(table);
    if let Some(apart) = growth.one_by_one {
        let line = match saving_with_share(growth.present_value, apart) {
            Some(worth) => format!("planned one by one, stages cost {worth} more in today's money"),
            None => "planned one by one, stages cost the same".to_owned(),
        };
        section = section.add_line(line);
    }
    if let Some(at_once) = growth.at_once {
        let line = match saving_with_share(growth.present_value, at_once) {
            Some(worth) => format!("all bought at the start costs {worth} more"),
            None => "all bought at the start costs no more".to_owned(),
        };
        section = section.add_line(line);
    }
    section
}

/// `$1.2M (3.4 %)`; `None` where there is no difference to speak of.
fn saving_with_share(price: Usd, other: Usd) -> Option<String> {
    let more = other - price;
    let share = more / price;
    /// Below a cent in a million dollars.
    const EQUAL: f64 = 1e-8;
    (share > EQUAL).then(|| format!("{} ({})", number::money(more), number::percent(share)))
}

/// Parts stage by stage.
pub(in crate::report) fn purchases_by_stage(stages: &[StagePlan]) -> Section {
    let mut table = Table::new(vec![
        Column::numbers("year", "year"),
        Column::words("part", "part"),
        Column::numbers("in use", "count"),
        Column::numbers("in hand", "owned"),
        Column::numbers("bought", "bought"),
        Column::numbers("idle", "idle"),
        Column::numbers("each", "unit_usd"),
        Column::numbers("total", "total_usd"),
    ]);
    for StagePlan { year, plan, idle, .. } in stages {
        let mut row = |part: &str, line: Option<&BillLine>| {
            let of_bill = |read: fn(&BillLine) -> u64| Cell::count(line.map_or(0, read));
            let unused = idle.iter().find(|parts| parts.part == part);
            let unit = line.and_then(|line| line.unit.as_ref());
            table.push_row(vec![
                Cell::with_text_and_value(year.to_string(), *year),
                Cell::words(part),
                of_bill(|line| line.count),
                of_bill(|line| line.owned),
                of_bill(BillLine::bought_count),
                unused.map_or_else(Cell::no_value, |parts| Cell::count(parts.count)),
                unit.map_or_else(Cell::no_value, |unit| Cell::money(unit.amount)),
                Cell::money(line.map_or(Usd::ZERO, |line| line.total)),
            ]);
        };
        for line in &plan.bill {
            row(&line.part, Some(line));
        }
        for parts in
            idle.iter().filter(|parts| plan.bill.iter().all(|line| line.part != parts.part))
        {
            row(&parts.part, None);
        }
    }
    Section::new("BOUGHT", "in use and in hand include spares; idle: in hand, not in use")
        .add_table(table)
}

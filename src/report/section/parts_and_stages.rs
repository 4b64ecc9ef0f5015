//! Parts of a cluster side by side, and stages one after another.

use super::{fabric, machines, routing, step_time};
use crate::cost::BillLine;
use crate::design::{ClusterPlan, Growth, Plan};
use crate::report::document::Section;
use crate::report::list::{
    ListColumn, list_table, number_column, percent_value, shown_as, word_column,
};
use crate::report::number;
use crate::report::table::{Cell, Column, Table};
use crate::scenario::ClusterName;
use crate::units::Usd;

/// What a reader takes away who reads no further.
pub(in crate::report) fn clusters_summary(plan: &Plan) -> Section {
    let nouns = if plan.growth.is_some() { ["stage", "stages"] } else { ["part", "parts"] };
    let mut line = format!(
        "{} in {}; network {} of cluster {}",
        number::count_with_noun(plan.total_gpus(), "GPU", "GPUs"),
        number::count_with_noun(plan.clusters.len() as u64, nouns[0], nouns[1]),
        number::money(plan.cost.network_capex),
        number::money(plan.cost.capex)
    );
    if let Some(growth) = plan.growth {
        line.push_str(&format!(", {} in today's value", number::money(growth.present_value)));
    }
    Section::new("", "").add_line(line)
}

/// The clusters beside each other, what stages buy, then each by itself.
pub(in crate::report) fn clusters_sections(plan: &Plan) -> Vec<Section> {
    let mut all = match &plan.growth {
        None => vec![parts_section(plan.part_plans())],
        Some(growth) => {
            vec![stages_section(growth, &plan.clusters), purchases_by_stage(&plan.clusters)]
        }
    };
    all.extend(plan.clusters.iter().flat_map(sections_of_cluster));
    all
}

/// `PART` and `dense`, or `STAGE` and `year 1.5, 2,048 GPUs`.
pub(in crate::report) fn cluster_title(cluster: &ClusterPlan) -> (&'static str, String) {
    match &cluster.name {
        ClusterName::Stage { year, .. } => {
            let gpus = number::count(cluster.plan.nodes.gpus);
            ("STAGE", format!("year {year}, {gpus} GPUs"))
        }
        name => ("PART", name.to_string()),
    }
}

/// One of several clusters by itself: its machines, fabric, layout, step and memory.
fn sections_of_cluster(cluster: &ClusterPlan) -> [Section; 5] {
    let (plan, (heading, name)) = (&cluster.plan, cluster_title(cluster));
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
const PART_COLUMNS: &[ListColumn<ClusterPlan>] = &[
    word_column("workload", "workload", |part| part.name.to_string().into()),
    word_column("node", "machine", |part| (&part.plan.nodes.node.name).into()),
    number_column("gpus", "GPUs", |part| part.plan.nodes.gpus.into()),
    word_column("fabric", "fabric", |part| part.plan.fabric.kind.to_string().into()),
    number_column("switches", "switches", |part| part.plan.fabric.switch_count().into()),
    number_column("network_capex_usd", "network", |part| part.plan.cost.network_capex.into()),
    number_column("capex_usd", "capex", |part| part.plan.cost.capex.into()),
    number_column("step_s", "step", |part| part.plan.step.time.total_time().into()),
    number_column("training_days_with_failures", "run", |part| {
        let days = part.plan.cost.days_with_failures();
        days.map(|days| shown_as(format!("{days:.1} days"), days)).into()
    }),
];

/// The parts beside each other.
pub(in crate::report) fn parts_section(parts: &[ClusterPlan]) -> Section {
    Section::new("PARTS", "separate networks, one bill; owned parts and supply are shared")
        .add_table(list_table(PART_COLUMNS, parts))
}

/// What the prices of a bill of all stages are.
pub(in crate::report) const PAID: &str =
    "each: what the stages pay on average, at the prices of their days";

/// The stages beside each other.
const STAGE_COLUMNS: &[ListColumn<ClusterPlan>] = &[
    number_column("year", "year", |stage| {
        shown_as(stage.name.start_year().to_string(), stage.name.start_year())
    }),
    number_column("gpus", "GPUs", |stage| stage.plan.nodes.gpus.into()),
    number_column("price_ratio", "prices", |stage| percent_value(stage.price)),
    word_column("fabric", "fabric", |stage| stage.plan.fabric.kind.to_string().into()),
    number_column("planes", "planes", |stage| stage.plan.nodes.planes.into()),
    number_column("switches", "switches", |stage| stage.plan.fabric.switch_count().into()),
    number_column("network_capex_usd", "network", |stage| stage.plan.cost.network_capex.into()),
    number_column("capex_usd", "capex", |stage| stage.plan.cost.capex.into()),
    number_column("power_w", "power", |stage| stage.plan.cost.power.into()),
    number_column("step_s", "step", |stage| stage.plan.step.time.total_time().into()),
];

/// The stages beside each other, and what planning them together is worth.
pub(in crate::report) fn stages_section(growth: &Growth, stages: &[ClusterPlan]) -> Section {
    let lead = "network and capex: what is bought then, at the prices of the day";
    let mut section = Section::new("STAGES", lead).add_table(list_table(STAGE_COLUMNS, stages));
    if let Some(apart) = growth.one_by_one {
        let line = match saving_with_share(growth.present_value, apart) {
            Some(worth) => format!("planning each stage alone costs {worth} more (today's value)"),
            None => "planning each stage alone costs the same".to_owned(),
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
pub(in crate::report) fn purchases_by_stage(stages: &[ClusterPlan]) -> Section {
    let mut table = Table::new(vec![
        Column::numbers("year", "year"),
        Column::words("part", "part"),
        Column::numbers("in use", "count"),
        Column::numbers("owned", "owned"),
        Column::numbers("bought", "bought"),
        Column::numbers("idle", "idle"),
        Column::numbers("each", "unit_usd"),
        Column::numbers("total", "total_usd"),
    ]);
    for ClusterPlan { name, plan, idle, .. } in stages {
        let year = name.start_year();
        let mut row = |part: &str, line: Option<&BillLine>| {
            let of_bill = |read: fn(&BillLine) -> u64| Cell::count(line.map_or(0, read));
            let unused = idle.iter().find(|parts| parts.part == part);
            let unit = line.and_then(|line| line.unit.as_ref());
            table.push_row(vec![
                Cell::with_text_and_value(year.to_string(), year),
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
    Section::new("BOUGHT", "in use and owned include spares; idle: owned, not in use")
        .add_table(table)
}

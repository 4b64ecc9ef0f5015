//! The HTML page of a design.

use super::{frontier, page_decision, traffic};
use crate::compare::Comparison;
use crate::design::{ClusterPlan, Frontiers, Plan};
use crate::report::comparison::baselines;
use crate::report::document::{Document, Section};
use crate::report::format::{RenderOptions, draw_document};
use crate::report::section::{
    bill, charts, fabric, machines, parts_and_stages, proof, resilience, routing, step_time,
};
use crate::report::sheet::Preset;
use crate::report::table::{Cell, Column, Table};
use crate::report::topology::drawing::draw_fabric;
use crate::report::{json, matrix, warnings};
use crate::scenario::ClusterShape;
use crate::traffic::TrafficMatrix;

/// The page in the wanted format, with a line break at its end; its JSON is the design's.
#[must_use]
pub fn render_page(sheet: &PageSheet<'_>, look: RenderOptions<'_>) -> String {
    draw_document(&page_document(sheet), look, || json::design_json(sheet.plan))
}

fn page_document(sheet: &PageSheet<'_>) -> Document {
    let plan = sheet.plan;
    let rest = match plan.cluster_shape() {
        ClusterShape::One => page_sections(sheet),
        ClusterShape::Parts | ClusterShape::Stages => clusters_page_sections(sheet),
    };
    let (title, head) = page_decision::page_head(plan);
    let mut sections = Vec::from(head);
    sections.extend([proof::alternatives_section(plan), warnings::warnings_section(plan)]);
    sections.extend(rest);
    sections.retain(|section| !section.parts.is_empty() || !section.lead.is_empty());
    Document { title, sections, screen: None, sheet: bill::bill_table(&plan.bill, &plan.cost) }
}

/// The sections of a cluster that all workloads share.
fn page_sections(sheet: &PageSheet<'_>) -> Vec<Section> {
    let plan = sheet.plan;
    let mut sections = vec![
        bill::bill_section(&plan.bill, &plan.cost, plan.nodes.gpus)
            .add_pictures_on_top(charts::bill_pictures(&plan.bill, &plan.cost)),
        bill::other_networks_section(plan.networks.as_ref()),
        bill::installation_section(&plan.installation),
    ];
    sections.extend(sheet.comparison.into_iter().flat_map(baselines::cluster_comparison));
    let only = sheet.frontier.and_then(|frontiers| frontiers.each.first());
    sections.extend(only.map(|(_, frontier)| frontier::frontier_section(frontier, Some(plan))));
    sections.extend([
        proof::price_sensitivity_section(&plan.price_bands)
            .add_pictures_on_top([charts::price_bands_picture(&plan.price_bands)]),
        step_time::workloads_section(plan),
        step_time::step_time_section(&plan.step, &plan.nodes)
            .add_line(step_time::step_time_sum(&plan.step.time))
            .add_line(step_time::slowdown_sentence(&plan.step))
            .add_pictures_on_top([charts::step_picture(&plan.step.time)]),
        machines::memory_section(&plan.memory, plan.memory_capacity)
            .add_pictures_on_top([charts::memory_picture(&plan.memory, plan.memory_capacity)]),
        traffic::traffic_section(&plan.traffic).add_pictures_on_top(
            sheet.matrix.map_or_else(Vec::new, matrix::matrix_pictures).into_iter().map(Some),
        ),
        drawing_section(plan),
        plan.routing.as_ref().map_or_else(|| Section::new("", ""), routing::routing_section),
        resilience::robust_section(plan.robust.as_ref()),
        machines::layout_section(&plan.layout, &plan.step),
        proof::limits_section(plan),
        proof::assumptions_section(&plan.assumptions),
        proof::defaults_section(&plan.assumptions),
        sources_section(plan, sheet.presets),
    ]);
    sections
}

/// The fabric with its drawing, alike switches folded together: every one of them stands in
/// `planner topology`.
fn drawing_section(plan: &Plan) -> Section {
    let words = "Each colour is a rail. Equal switches and domains are drawn once. The table below \
                 has the numbers.";
    let svg = draw_fabric(&plan.name, &plan.fabric, None, &[]);
    fabric::fabric_section(plan).add_drawing_on_top("How it is joined", words, svg)
}

/// What the page of a design shows.
#[derive(Clone, Copy, Debug)]
pub struct PageSheet<'a> {
    pub plan: &'a Plan,
    /// The design beside baselines; without it the page lacks the comparison.
    pub comparison: Option<&'a Comparison>,
    /// The traffic of a step; without it the page lacks the heat map.
    pub matrix: Option<&'a TrafficMatrix>,
    /// What other step times would cost; without it the page lacks the frontier.
    pub frontier: Option<&'a Frontiers>,
    /// Presets that the parts may come from, for their sources and dates.
    pub presets: &'a [Preset],
}

impl<'a> PageSheet<'a> {
    /// The design alone.
    #[must_use]
    pub const fn from_plan(plan: &'a Plan) -> Self {
        Self { plan, comparison: None, matrix: None, frontier: None, presets: &[] }
    }
}

/// The sections of parts, or of stages.
fn clusters_page_sections(sheet: &PageSheet<'_>) -> Vec<Section> {
    let plan = sheet.plan;
    let bill = bill::bill_section(&plan.bill, &plan.cost, plan.total_gpus());
    let pictures = charts::bill_pictures(&plan.bill, &plan.cost);
    let mut sections = match &plan.growth {
        None => vec![
            bill.add_pictures_on_top(pictures),
            parts_and_stages::parts_section(&plan.clusters),
        ],
        Some(growth) => vec![
            parts_and_stages::stages_section(growth, &plan.clusters),
            parts_and_stages::purchases_by_stage(&plan.clusters),
            bill.add_line(parts_and_stages::PAID).add_pictures_on_top(pictures),
        ],
    };
    sections.extend(sheet.comparison.map(baselines::multi_cluster_comparison));
    sections.extend(sheet.frontier.map(frontier::frontier_of_clusters));
    sections.extend(plan.clusters.iter().map(cluster_section));
    sections.push(
        proof::price_sensitivity_section(&plan.price_bands)
            .add_pictures_on_top([charts::price_bands_picture(&plan.price_bands)]),
    );
    if plan.growth.is_none() {
        sections.push(routing::rack_limits_section(plan.racks.as_ref()));
        sections.push(proof::limits_section(plan));
    }
    sections.extend([
        proof::assumptions_section(&plan.assumptions),
        proof::defaults_section(&plan.assumptions),
        sources_section(plan, sheet.presets),
    ]);
    sections
}

/// All of one of several clusters in one section: what has a heading elsewhere opens with its name
/// here.
fn cluster_section(cluster: &ClusterPlan) -> Section {
    let (plan, (heading, name)) = (&cluster.plan, parts_and_stages::cluster_title(cluster));
    let words = "Each colour is a rail. Equal switches and domains are drawn once.";
    let pieces = [
        routing::headroom_section(plan, fabric::fabric_section(plan)),
        machines::layout_section(&plan.layout, &plan.step),
        step_time::step_time_section(&plan.step, &plan.nodes)
            .add_line(step_time::step_time_sum(&plan.step.time)),
        machines::memory_section(&plan.memory, plan.memory_capacity),
    ];
    let svg = draw_fabric(&name, &plan.fabric, None, &[]);
    let section = Section::new(heading, name).add_line(machines::machines_text(&plan.nodes));
    let section = pieces.into_iter().fold(section, Section::merge_section);
    let seen = [
        charts::step_picture(&plan.step.time),
        charts::memory_picture(&plan.memory, plan.memory_capacity),
    ];
    section.add_pictures_on_top(seen).add_drawing_on_top("How it is joined", words, svg)
}

/// Prices and parts with their sources.
fn sources_section(plan: &Plan, presets: &[Preset]) -> Section {
    let mut table = Table::new(vec![
        Column::words("what", "what"),
        Column::words("of", "date"),
        Column::words("source", "source"),
    ]);
    let mut row = |what: String, date: &str, source: &str| {
        table.push_row(vec![Cell::words(what), Cell::words(date), Cell::words(source)]);
    };
    for line in &plan.bill {
        if let Some(price) = &line.unit {
            let what = format!("price of {} ({})", line.part, price.basis.name());
            row(what, &price.date, &price.source);
        }
    }
    for (kind, name) in sourced_parts(plan) {
        let Some(preset) =
            presets.iter().find(|this_preset| this_preset.kind == kind && this_preset.name == name)
        else {
            continue;
        };
        if !preset.source.is_empty() {
            row(format!("{kind} {name}"), &preset.date, &preset.source);
        }
    }
    let lead = "what the spec states itself needs none; formulas are named by `planner explain`";
    Section::new("SOURCES", lead).add_table(table)
}

/// The parts of plans by kind and name in the catalogue, each once.
fn sourced_parts(plan: &Plan) -> Vec<(&'static str, &str)> {
    let mut parts = Vec::new();
    for plan in plan.cluster_plans() {
        let nodes = &plan.nodes;
        parts.extend([
            ("node", nodes.node.name.as_str()),
            ("gpu", nodes.node.gpu.name.as_str()),
            ("nic", nodes.nic.name.as_str()),
        ]);
        parts.extend(plan.fabric.tiers.iter().map(|tier| ("switch", tier.model.as_str())));
    }
    parts.extend(plan.bill.iter().map(|line| ("optic", line.part.as_str())));
    let mut unique = Vec::new();
    for part in parts {
        if !unique.contains(&part) {
            unique.push(part);
        }
    }
    unique
}

//! The page of a design: what a board reads, the decision first, and below it all that the
//! decision rests on. Its sections are those of the other reports.

mod decision;
mod growth;
mod parts;
mod sheet;
mod sources;

pub use sheet::PageSheet;

use super::super::document::{Document, Section};
use super::super::format::{RenderOptions, draw_document};
use super::super::topology::drawing::draw_fabric;
use super::super::{json, matrix};
use super::{
    assumptions, bill, cluster, compare, fabric, frontier, networks, pace, pictures, robust,
    routing, sensitivity, traffic, warnings, workloads,
};
use crate::design::{ClusterPlans, Plan};

/// The page in the wanted format, with a line break at its end; its JSON is the design's.
#[must_use]
pub fn render_page(sheet: &PageSheet<'_>, look: RenderOptions<'_>) -> String {
    draw_document(&page_document(sheet), look, || json::design_json(sheet.plan))
}

fn page_document(sheet: &PageSheet<'_>) -> Document {
    let plan = sheet.plan;
    let mut sections = match &plan.together {
        ClusterPlans::One => page_sections(sheet),
        ClusterPlans::Parts(_) => parts::parts_page_sections(sheet),
        ClusterPlans::Stages(report) => growth::stages_page_sections(sheet, report),
    };
    sections.retain(|section| !section.parts.is_empty() || !section.lead.is_empty());
    Document { title: plan.name.clone(), sections, sheet: bill::bill_table(&plan.bill, &plan.cost) }
}

/// The sections of a cluster that all workloads share.
fn page_sections(sheet: &PageSheet<'_>) -> Vec<Section> {
    let plan = sheet.plan;
    let mut sections = vec![
        Section::new("", "").add_line(cluster::machines_text(&plan.nodes)),
        decision::decision_section(plan, sheet.comparison),
        warnings::warnings_section(plan),
        bill::bill_section(&plan.bill, &plan.cost, plan.nodes.gpus)
            .add_pictures_on_top(pictures::bill_pictures(&plan.bill, &plan.cost)),
        networks::other_networks_section(plan.networks.as_ref()),
        networks::installation_section(&plan.installation),
    ];
    sections.extend(sheet.comparison.into_iter().flat_map(compare::cluster_comparison));
    let only = sheet.frontier.and_then(|frontiers| frontiers.each.first());
    sections.extend(only.map(|(_, frontier)| frontier::frontier_section(frontier, Some(plan))));
    sections.extend([
        sensitivity::price_sensitivity_section(&plan.price_bands)
            .add_pictures_on_top([pictures::price_bands_picture(&plan.price_bands)]),
        workloads::workloads_section(plan),
        pace::step_time_section(&plan.step, &plan.nodes)
            .add_line(pace::step_time_sum(&plan.step.time))
            .add_line(pace::slowdown_sentence(&plan.step))
            .add_pictures_on_top([pictures::step_picture(&plan.step.time)]),
        cluster::memory_section(&plan.memory, plan.memory_capacity)
            .add_pictures_on_top([pictures::memory_picture(&plan.memory, plan.memory_capacity)]),
        traffic::traffic_section(&plan.traffic).add_pictures_on_top(
            sheet.matrix.map_or_else(Vec::new, matrix::matrix_pictures).into_iter().map(Some),
        ),
        drawing_section(plan),
        plan.routing.as_ref().map_or_else(|| Section::new("", ""), routing::routing_section),
        robust::robust_section(plan.robust.as_ref()),
        cluster::layout_section(&plan.layout, &plan.step),
        sensitivity::binding_limits_section(&plan.solver),
        sensitivity::alternatives_section(plan),
        assumptions::assumptions_section(&plan.assumptions),
        assumptions::defaults_section(&plan.assumptions),
        sources::sources_section(&plan.bill, std::iter::once(plan), sheet.presets),
    ]);
    sections
}

/// The fabric with its drawing, alike switches folded together: every one of them stands in
/// `planner topology`.
fn drawing_section(plan: &Plan) -> Section {
    let words = "Each colour is a rail; alike switches and domains are folded together. The table \
                 below has the numbers.";
    let svg = draw_fabric(&plan.name, &plan.fabric, None, &[]);
    fabric::fabric_section(plan).add_drawing_on_top("How it is joined", words, svg)
}

//! The page of a design: what a board reads, the decision first, and below it all that the
//! decision rests on. Its sections are those of the other reports.

mod decision;
mod growth;
mod parts;
mod sheet;
mod sources;

pub use sheet::PageSheet;

use super::super::document::{Document, Section};
use super::super::format::{RenderOptions, draw};
use super::super::topology::drawing;
use super::super::{json, matrix};
use super::{
    assumptions, bill, cluster, compare, fabric, frontier, networks, pace, pictures, robust,
    routing, sensitivity, traffic, warnings, workloads,
};
use crate::design::{ClusterPlans, Plan};

/// The page in the wanted format, with a line break at its end; its JSON is the design's.
#[must_use]
pub fn page(sheet: &PageSheet<'_>, look: RenderOptions<'_>) -> String {
    draw(&document(sheet), look, || json::design(sheet.plan))
}

fn document(sheet: &PageSheet<'_>) -> Document {
    let plan = sheet.plan;
    let mut sections = match &plan.together {
        ClusterPlans::One => whole(sheet),
        ClusterPlans::Parts(_) => parts::parts_page_sections(sheet),
        ClusterPlans::Stages(of) => growth::stages_page_sections(sheet, of),
    };
    sections.retain(|section| !section.parts.is_empty() || !section.lead.is_empty());
    Document { title: plan.name.clone(), sections, sheet: bill::table(&plan.bill, &plan.cost) }
}

/// The sections of a cluster that all workloads share.
fn whole(sheet: &PageSheet<'_>) -> Vec<Section> {
    let plan = sheet.plan;
    let mut sections = vec![
        Section::new("", "").line(cluster::machines(&plan.nodes)),
        decision::section(plan, sheet.comparison),
        warnings::warnings(plan),
        bill::bill(&plan.bill, &plan.cost, plan.nodes.gpus)
            .pictures(pictures::bill(&plan.bill, &plan.cost)),
        networks::other_networks_section(plan.networks.as_ref()),
        networks::installation(&plan.installation),
    ];
    sections.extend(sheet.comparison.into_iter().flat_map(compare::cluster_comparison));
    let only = sheet.frontier.and_then(|of| of.each.first());
    sections.extend(only.map(|(_, of)| frontier::section(of, Some(plan))));
    sections.extend([
        sensitivity::price_sensitivity_section(&plan.price_bands)
            .pictures([pictures::firmness(&plan.price_bands)]),
        workloads::workloads_section(plan),
        pace::step_time_section(&plan.step, &plan.nodes)
            .line(pace::step_time_sum(&plan.step.time))
            .line(pace::slowdown(&plan.step))
            .pictures([pictures::step(&plan.step.time)]),
        cluster::memory(&plan.memory, plan.memory_capacity)
            .pictures([pictures::memory(&plan.memory, plan.memory_capacity)]),
        traffic::section(&plan.traffic)
            .pictures(sheet.matrix.map_or_else(Vec::new, matrix::pictures).into_iter().map(Some)),
        drawn(plan),
        plan.routing.as_ref().map_or_else(|| Section::new("", ""), routing::routing_section),
        robust::robust_section(plan.robust.as_ref()),
        cluster::layout(&plan.layout, &plan.step),
        sensitivity::limits(&plan.solver),
        sensitivity::alternatives(plan),
        assumptions::assumptions(&plan.assumptions),
        assumptions::defaults_section(&plan.assumptions),
        sources::section(&plan.bill, std::iter::once(plan), sheet.presets),
    ]);
    sections
}

/// The fabric with its drawing, alike switches folded together: every one of them stands in
/// `planner topology`.
fn drawn(plan: &Plan) -> Section {
    let words = "Each colour is a rail; alike switches and domains are folded together. The table \
                 below has the numbers.";
    let svg = drawing(&plan.name, &plan.fabric, None, &[]);
    fabric::fabric_section(plan).drawing("How it is joined", words, svg)
}

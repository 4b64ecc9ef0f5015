//! The report of `planner design`: one page that an architect and a finance lead can both read.

use super::super::document::{Document, Section};
use super::super::format::{Format, RenderOptions, draw};
use super::super::table::{Cell, Column, Table};
use super::super::{json, number};
use super::assumptions::{assumptions, defaults_section};
use super::page::{PageSheet, page};
use super::proof::{programs, proof_sentence};
use super::reach::{headroom_section, racks};
use super::sensitivity::{alternatives, limits, price_sensitivity_section};
use super::warnings::warnings;
use super::{
    bill, cluster, fabric, failures, growth, networks, pace, parts, robust, routing, summary,
    traffic, workloads,
};
use crate::design::{ClusterPlans, Plan, Priority, StagesReport};
use crate::scenario::Minimize;
use crate::units::Amount;

/// The plan in the wanted format, with a line break at its end. As a page it lacks what other
/// results would add: the comparison and the heat map of [`super::page::page`].
#[must_use]
pub fn design(plan: &Plan, look: RenderOptions<'_>) -> String {
    if look.format == Format::Html {
        return page(&PageSheet::from_plan(plan), look);
    }
    draw(&document(plan), look, || json::design(plan))
}

fn document(plan: &Plan) -> Document {
    let mut sections = match &plan.together {
        ClusterPlans::One => whole(plan),
        ClusterPlans::Parts(_) => in_parts(plan),
        ClusterPlans::Stages(growth) => in_stages(plan, growth),
    };
    sections.retain(|section| !section.parts.is_empty() || !section.lead.is_empty());
    Document { title: plan.name.clone(), sections, sheet: bill::table(&plan.bill, &plan.cost) }
}

/// The sections of a cluster whose workloads have parts of it to themselves.
fn in_parts(plan: &Plan) -> Vec<Section> {
    let gpus = plan.parts().iter().map(|part| part.plan.nodes.gpus).sum();
    let proof = Section::new("PROOF", proof_sentence(&plan.solver));
    let mut sections = vec![summary::summary_section(plan), proof];
    sections.extend(parts::parts_sections(plan));
    sections.extend([
        bill::bill(&plan.bill, &plan.cost, gpus),
        price_sensitivity_section(&plan.price_bands),
        racks(plan.racks.as_ref()),
        limits(&plan.solver),
        alternatives(plan),
        programs(&plan.solver),
        assumptions(&plan.assumptions),
        defaults_section(&plan.assumptions),
        warnings(plan),
    ]);
    sections
}

/// The sections of a cluster that grows in stages.
fn in_stages(plan: &Plan, growth: &StagesReport) -> Vec<Section> {
    let proof = Section::new("PROOF", proof_sentence(&plan.solver));
    let mut sections = vec![summary::summary_section(plan), proof];
    sections.extend(growth::stages_sections(growth));
    sections.extend([
        bill::bill(&plan.bill, &plan.cost, plan.nodes.gpus).line(growth::PAID),
        in_money_of(limits(&plan.solver), plan),
        price_sensitivity_section(&plan.price_bands),
        alternatives(plan),
        programs(&plan.solver),
        assumptions(&plan.assumptions),
        defaults_section(&plan.assumptions),
        warnings(plan),
    ]);
    sections
}

/// Savings of stages are of what the objective makes of all of them.
fn in_money_of(section: Section, plan: &Plan) -> Section {
    match plan.cost.discount > 0.0 && !plan.solver.binding.is_empty() {
        true => Section { lead: "savings in today's money".to_owned(), ..section },
        false => section,
    }
}

/// The sections of a cluster that all workloads share.
fn whole(plan: &Plan) -> Vec<Section> {
    vec![
        summary::summary_section(plan),
        headroom_section(plan, inside(fabric::fabric_section(plan), plan))
            .line(proof_sentence(&plan.solver)),
        priorities(plan),
        cluster::layout(&plan.layout, &plan.step),
        workloads::workloads_section(plan),
        pace::step_time_section(&plan.step, &plan.nodes)
            .line(pace::step_time_sum(&plan.step.time))
            .line(pace::slowdown(&plan.step)),
        pace::phases(&plan.phases, &plan.step),
        cluster::memory(&plan.memory, plan.memory_capacity),
        traffic::section(&plan.traffic),
        plan.routing.as_ref().map_or_else(|| Section::new("", ""), routing::routing_section),
        robust::robust_section(plan.robust.as_ref()),
        failures::failures_section(plan),
        bill::bill(&plan.bill, &plan.cost, plan.nodes.gpus),
        networks::other_networks_section(plan.networks.as_ref()),
        networks::installation(&plan.installation),
        racks(plan.racks.as_ref()),
        limits(&plan.solver),
        alternatives(plan),
        price_sensitivity_section(&plan.price_bands),
        programs(&plan.solver),
        assumptions(&plan.assumptions),
        defaults_section(&plan.assumptions),
        warnings(plan),
    ]
}

/// What joins the GPUs inside the HB domains, where that is known.
fn inside(section: Section, plan: &Plan) -> Section {
    match plan.nodes.node.inside_of_domains(plan.nodes.domains.into()) {
        Some(inside) => {
            section.line(format!("HB domains: {}", cluster::inside_domain_sentence(&inside)))
        }
        None => section,
    }
}

/// What was minimised one after another.
fn priorities(plan: &Plan) -> Section {
    let all: &[Priority] = &plan.priorities;
    let mut table = Table::new(vec![
        Column::words("minimised", "minimize"),
        Column::numbers("takes", "takes"),
        Column::numbers("above the least", "given_up_share"),
        Column::numbers("gained", "gained_share"),
    ]);
    for of in all {
        table.row(vec![
            Cell::words(of.of.name()),
            match of.of {
                Minimize::Capex => Cell::money(plan.cost.capex),
                Minimize::Tco => Cell::money(plan.cost.tco),
                Minimize::Power => Cell::amount(&Amount::Power(plan.cost.power)),
                Minimize::UsdPerToken => {
                    plan.cost.usd_per_million_tokens.map_or_else(Cell::none, Cell::money)
                }
            },
            Cell::with_text_and_value(number::percent(of.given_up), of.given_up),
            Cell::with_text_and_value(number::percent(of.gained), of.gained),
        ]);
    }
    let lead = if all.is_empty() {
        ""
    } else {
        "each among the designs that are best by those above it, within the tolerance; of tokens a million"
    };
    Section::new("PRIORITIES", lead).table(table)
}

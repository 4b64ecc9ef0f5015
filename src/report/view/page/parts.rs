//! The page of a cluster in parts: one decision and one bill for all, and a section for each part
//! with what is drawn of it.

use super::super::super::document::{Section, SectionPart as Piece};
use super::super::super::number;
use super::super::super::topology::drawing::draw_fabric;
use super::super::{
    assumptions, bill, cluster, compare, fabric, frontier, pace, parts, pictures, reach,
    sensitivity, warnings,
};
use super::sheet::PageSheet;
use super::{decision, sources};
use crate::design::{PartPlan, Plan};

/// The sections of the page.
pub(super) fn parts_page_sections(sheet: &PageSheet<'_>) -> Vec<Section> {
    let plan = sheet.plan;
    let gpus = plan.parts().iter().map(|part| part.plan.nodes.gpus).sum();
    let mut sections = vec![
        parts::parts_summary(plan),
        parts_decision(plan),
        warnings::warnings_section(plan),
        bill::bill_section(&plan.bill, &plan.cost, gpus)
            .add_pictures_on_top(pictures::bill_pictures(&plan.bill, &plan.cost)),
        parts::parts_section(plan.parts()),
    ];
    sections.extend(sheet.comparison.map(compare::multi_cluster_comparison));
    sections.extend(sheet.frontier.map(frontier::frontier_of_clusters));
    sections.extend(
        plan.parts().iter().map(|PartPlan { name, plan }| cluster_section("PART", name, plan)),
    );
    sections.extend([
        sensitivity::price_sensitivity_section(&plan.price_bands)
            .add_pictures_on_top([pictures::price_bands_picture(&plan.price_bands)]),
        reach::rack_limits_section(plan.racks.as_ref()),
        sensitivity::binding_limits_section(&plan.solver),
        sensitivity::alternatives_section(plan),
        assumptions::assumptions_section(&plan.assumptions),
        assumptions::defaults_section(&plan.assumptions),
        sources::sources_section(
            &plan.bill,
            plan.parts().iter().map(|part| &part.plan),
            sheet.presets,
        ),
    ]);
    sections
}

/// What to build, what it costs, what each workload gets of it, and how far that is proven.
fn parts_decision(plan: &Plan) -> Section {
    let built: Vec<String> = plan
        .parts()
        .iter()
        .map(|PartPlan { name, plan }| {
            format!(
                "{} machines {} on a {} network for {name}",
                number::count(plan.nodes.domains),
                plan.nodes.node.name,
                plan.fabric.kind
            )
        })
        .collect();
    let mut section = Section::new("DECISION", "")
        .add_line(format!("Build {}.", built.join(", and ")))
        .add_line(decision::cost_sentence(plan));
    for PartPlan { name, plan } in plan.parts() {
        section = section.add_line(format!("{name}: {}", decision::speed_sentence(plan)));
    }
    section = section.add_line(decision::proof_sentence(plan));
    let cost = &plan.cost;
    let mut figures = vec![
        ("Cluster".to_owned(), number::money(cost.capex)),
        ("Its network".to_owned(), number::money(cost.network_capex)),
        ("Power".to_owned(), number::power(cost.power)),
    ];
    figures.extend(plan.parts().iter().map(|PartPlan { name, plan }| {
        (format!("One step of {name}"), number::time(plan.step.time.total_time()))
    }));
    section.parts.insert(0, Piece::Figures(figures));
    section
}

/// All of one of several clusters in one section: what has a heading elsewhere opens with its name
/// here.
pub(super) fn cluster_section(heading: &'static str, name: &str, plan: &Plan) -> Section {
    let words = "Each colour is a rail; alike switches and domains are folded together.";
    let pieces = [
        reach::headroom_section(plan, fabric::fabric_section(plan)),
        cluster::layout_section(&plan.layout, &plan.step),
        pace::step_time_section(&plan.step, &plan.nodes)
            .add_line(pace::step_time_sum(&plan.step.time)),
        cluster::memory_section(&plan.memory, plan.memory_capacity),
    ];
    let section = Section::new(heading, name).add_line(cluster::machines_text(&plan.nodes));
    let section = pieces.into_iter().fold(section, Section::merge_section);
    let svg = draw_fabric(name, &plan.fabric, None, &[]);
    let seen = [
        pictures::step_picture(&plan.step.time),
        pictures::memory_picture(&plan.memory, plan.memory_capacity),
    ];
    section.add_pictures_on_top(seen).add_drawing_on_top("How it is joined", words, svg)
}

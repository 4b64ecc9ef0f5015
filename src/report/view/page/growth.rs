//! The page of a cluster that grows: one decision for all stages, what each buys, and a section for
//! each with what is drawn of it.

use super::super::super::document::{Section, SectionPart};
use super::super::super::number;
use super::super::{assumptions, bill, compare, frontier, growth, pictures, sensitivity, warnings};
use super::sheet::PageSheet;
use super::{decision, parts, sources};
use crate::design::{Plan, StagePlan, StagesReport};

/// The sections of the page.
pub(super) fn stages_page_sections(sheet: &PageSheet<'_>, report: &StagesReport) -> Vec<Section> {
    let plan = sheet.plan;
    let mut sections = vec![
        growth::stages_summary(plan, report),
        stages_decision(plan, report),
        warnings::warnings_section(plan),
        growth::stages_section(report),
        growth::purchases_by_stage(&report.stages),
        bill::bill_section(&plan.bill, &plan.cost, plan.nodes.gpus)
            .add_line(growth::PAID)
            .add_pictures_on_top(pictures::bill_pictures(&plan.bill, &plan.cost)),
    ];
    sections.extend(sheet.comparison.map(compare::multi_cluster_comparison));
    sections.extend(sheet.frontier.map(frontier::frontier_of_clusters));
    let each = report.stages.iter();
    sections.extend(
        each.map(|stage| parts::cluster_section("STAGE", &growth::stage_title(stage), &stage.plan)),
    );
    sections.extend([
        sensitivity::price_sensitivity_section(&plan.price_bands)
            .add_pictures_on_top([pictures::price_bands_picture(&plan.price_bands)]),
        sensitivity::alternatives_section(plan),
        assumptions::assumptions_section(&plan.assumptions),
        assumptions::defaults_section(&plan.assumptions),
        sources::sources_section(
            &plan.bill,
            report.stages.iter().map(|stage| &stage.plan),
            sheet.presets,
        ),
    ]);
    sections
}

/// What to build when, what it costs in all, and how far that is proven.
fn stages_decision(plan: &Plan, report: &StagesReport) -> Section {
    let mut section = Section::new("DECISION", "");
    for stage in &report.stages {
        section = section.add_line(format!(
            "{}. {}",
            stage_start_text(stage),
            decision::build_sentence(&stage.plan)
        ));
    }
    section =
        section.add_line(decision::cost_sentence(plan)).add_line(decision::proof_sentence(plan));
    let cost = &plan.cost;
    let mut figures = vec![
        ("All stages".to_owned(), number::money(cost.capex)),
        ("In today's money".to_owned(), number::money(report.present_value)),
        ("Their network".to_owned(), number::money(cost.network_capex)),
        ("Power at last".to_owned(), number::power(cost.power)),
    ];
    figures.extend(report.stages.iter().map(|stage| {
        (format!("Buys of year {}", stage.year), number::money(stage.plan.cost.capex))
    }));
    section.parts.insert(0, SectionPart::Figures(figures));
    section
}

fn stage_start_text(stage: &StagePlan) -> String {
    if stage.year > 0.0 { format!("From year {} on", stage.year) } else { "Now".to_owned() }
}

//! The comparison of a cluster in parts, or of one that grows: all of it together, then each.

use super::super::super::document::Section;
use super::super::{cluster, growth, parts, pictures};
use super::beside;
use super::one::{
    BESIDE, add_unpriced_parts, broken_limits_section, cluster_comparison, missing_baselines,
};
use super::verdict::verdict_of;
use crate::compare::Comparison;
use crate::design::ClusterPlans;

/// Opening, the whole beside its baselines, and each part or stage beside its own; on a page each has
/// one heading.
pub(super) fn comparison_sections(comparison: &Comparison, page: bool) -> Vec<Section> {
    let design = &comparison.design;
    let opening = match design.stages_report() {
        Some(report) => growth::stages_summary(design, report),
        None => parts::parts_summary(design),
    };
    let mut sections = vec![opening.with_summary_rank(), clusters_comparison_section(comparison)];
    let verdict = |text| Section::new("SUMMARY", "").add_line(text).with_summary_rank();
    sections.extend(verdict_of(comparison).map(verdict));
    for ((heading, name), this_comparison) in
        cluster_labels(comparison).into_iter().zip(&comparison.each)
    {
        let section = Section::new(heading, name)
            .add_line(cluster::machines_text(&this_comparison.design.nodes));
        // What stands for all is said of all.
        let beside = cluster_comparison(this_comparison).into_iter().map(Section::with_usual_rank);
        if page {
            sections.push(beside.fold(section, Section::merge_section));
        } else {
            sections.push(section);
            sections.extend(beside);
        }
    }
    sections
}

/// All clusters together beside their baselines, and what to make of it.
pub(in super::super) fn multi_cluster_comparison(comparison: &Comparison) -> Section {
    verdict_of(comparison)
        .into_iter()
        .fold(clusters_comparison_section(comparison), Section::add_line)
}

/// All clusters together beside their baselines.
fn clusters_comparison_section(comparison: &Comparison) -> Section {
    let (design, contenders) = (&comparison.design, &comparison.contenders);
    let lead = "of all together; savings are the design's, against each";
    let heading = missing_baselines(comparison, Section::new("COMPARISON", lead));
    let [network, _, power, _] = pictures::baseline_pictures(design, contenders);
    let tables =
        contenders.chunks(BESIDE).map(|some| beside::multi_cluster_comparison_table(design, some));
    let section = broken_limits_section(tables.fold(heading, Section::add_table), contenders);
    let section = add_unpriced_parts(section, contenders);
    section.add_pictures_on_top([network, power])
}

/// `PART` and `dense`, or `STAGE` and its year.
pub(super) fn cluster_labels(comparison: &Comparison) -> Vec<(&'static str, String)> {
    let design = &comparison.design;
    match &design.together {
        ClusterPlans::One => Vec::new(),
        ClusterPlans::Parts(parts) => {
            parts.iter().map(|plan| ("PART", plan.name.clone())).collect()
        }
        ClusterPlans::Stages(report) => {
            report.stages.iter().map(|stage| ("STAGE", growth::stage_title(stage))).collect()
        }
    }
}

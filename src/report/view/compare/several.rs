//! The comparison of a cluster in parts, or of one that grows: all of it together, then each.

use super::super::super::document::Section;
use super::super::{cluster, growth, parts, pictures};
use super::beside;
use super::one::{BESIDE, broken_limits_section, cluster_comparison, missing_baselines, unpriced};
use super::verdict::verdict_of;
use crate::compare::Comparison;
use crate::design::ClusterPlans;

/// Opening, the whole beside its baselines, and each part or stage beside its own; on a page each has
/// one heading.
pub(super) fn sections(comparison: &Comparison, page: bool) -> Vec<Section> {
    let design = &comparison.design;
    let opening = match design.growth() {
        Some(of) => growth::stages_summary(design, of),
        None => parts::parts_summary(design),
    };
    let mut sections = vec![opening.summary(), together(comparison)];
    let verdict = |text| Section::new("SUMMARY", "").line(text).summary();
    sections.extend(verdict_of(comparison).map(verdict));
    for ((heading, name), of) in names(comparison).into_iter().zip(&comparison.each) {
        let section = Section::new(heading, name).line(cluster::machines(&of.design.nodes));
        // What stands for all is said of all.
        let beside = cluster_comparison(of).into_iter().map(Section::usual);
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
    verdict_of(comparison).into_iter().fold(together(comparison), Section::line)
}

/// All clusters together beside their baselines.
fn together(comparison: &Comparison) -> Section {
    let (design, contenders) = (&comparison.design, &comparison.contenders);
    let lead = "of all together; savings are the design's, against each";
    let heading = missing_baselines(comparison, Section::new("COMPARISON", lead));
    let [network, _, power, _] = pictures::designs(design, contenders);
    let tables =
        contenders.chunks(BESIDE).map(|some| beside::multi_cluster_comparison_table(design, some));
    let section = broken_limits_section(tables.fold(heading, Section::table), contenders);
    let section = unpriced(section, contenders);
    section.pictures([network, power])
}

/// `PART` and `dense`, or `STAGE` and its year.
pub(super) fn names(comparison: &Comparison) -> Vec<(&'static str, String)> {
    let design = &comparison.design;
    match &design.together {
        ClusterPlans::One => Vec::new(),
        ClusterPlans::Parts(parts) => parts.iter().map(|of| ("PART", of.name.clone())).collect(),
        ClusterPlans::Stages(of) => {
            of.stages.iter().map(|stage| ("STAGE", growth::title(stage))).collect()
        }
    }
}

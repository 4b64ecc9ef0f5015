//! The comparison of a cluster in parts, or of one that grows: all of it together, then each.

use super::super::super::document::Section;
use super::super::{cluster, growth, parts, pictures};
use super::beside;
use crate::compare::Comparison;

/// Opening, the whole beside its baselines, and each part or stage beside its own.
pub(super) fn sections(comparison: &Comparison) -> Vec<Section> {
    let (design, contenders) = (&comparison.design, &comparison.contenders);
    let opening = match &design.growth {
        Some(of) => growth::opening(design, of),
        None => parts::opening(design),
    };
    let lead = "of all together; savings are the design's, against each";
    let heading = super::missing(comparison, Section::new("COMPARISON", lead));
    let [network, _, power, _] = pictures::designs(design, contenders);
    let tables = contenders.chunks(super::BESIDE).map(|some| beside::together(design, some));
    let whole = tables.fold(heading, Section::table).pictures([network, power]);
    let verdict = super::verdict_of(comparison).map(|text| Section::new("READ THIS", text));
    let mut sections = vec![opening, whole];
    sections.extend(verdict);
    for ((heading, name), one) in names(comparison).into_iter().zip(&comparison.each) {
        sections.push(Section::new(heading, name).line(cluster::machines(&one.design.nodes)));
        sections.extend(super::one(one));
    }
    sections
}

/// `PART` and `dense`, or `STAGE` and its year.
pub(super) fn names(comparison: &Comparison) -> Vec<(&'static str, String)> {
    let design = &comparison.design;
    let parts = design.parts.iter().map(|part| ("PART", part.name.clone()));
    let stages = design.growth.iter().flat_map(|of| &of.stages);
    parts.chain(stages.map(|stage| ("STAGE", growth::title(stage)))).collect()
}

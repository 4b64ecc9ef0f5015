//! What a reader has to know before trusting a design.

use super::super::document::{Section, SectionPart};
use super::super::warning;
use crate::design::Plan;

/// What a reader has to know before trusting the design; "none", where somebody asks, if that is nothing.
pub(super) fn warnings_section(plan: &Plan) -> Section {
    let mut section = Section::new("WARNINGS", "");
    if plan.warnings.is_empty() {
        return section.add_empty_note();
    }
    section.parts = plan
        .warnings
        .iter()
        .map(|warning| SectionPart::Warning {
            code: warning::warning_code(warning),
            text: warning::warning_text(warning),
        })
        .collect();
    section
}

//! What a reader has to know before trusting a design.

use super::super::document::{Part, Section};
use super::super::warning;
use crate::design::Plan;

/// What a reader has to know before trusting the design; "none", where somebody asks, if that is nothing.
pub(super) fn warnings(plan: &Plan) -> Section {
    let mut section = Section::new("WARNINGS", "");
    if plan.warnings.is_empty() {
        return section.none();
    }
    section.parts = plan
        .warnings
        .iter()
        .map(|of| Part::Warning { code: warning::code(of), text: warning::text(of) })
        .collect();
    section
}

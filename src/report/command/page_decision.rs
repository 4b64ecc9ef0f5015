//! The head of a page: the verdict, the few numbers behind it, then the rows of the screen.

use crate::design::Plan;
use crate::report::decision::{Decision, design_screen, headline_figures};
use crate::report::document::{Row, Screen, Section, SectionPart};

/// What a plan is of, as the title of its page.
pub(super) fn page_title(plan: &Plan) -> String {
    design_screen(plan).0
}

/// The verdict, and the few numbers behind it.
pub(super) fn opening_section(plan: &Plan) -> Section {
    let mut section = Section::new("", "").add_line(Decision::from_plan(plan).verdict.text);
    section.parts.push(SectionPart::Figures(headline_figures(plan)));
    section
}

/// What is bought, what its price lacks, what it rests on, what is given up and what is left to
/// decide: the rows of the screen.
pub(super) fn decision_section(plan: &Plan) -> Section {
    /// It says how to see more, and a page has all.
    const MORE: &str = "More";
    let (_, Screen { rows, .. }) = design_screen(plan);
    let mut section = Section::new("DECISION", "");
    let rows = rows.into_iter().filter(|row| row.label != MORE);
    let label_text = |label: &str| match label.trim() {
        "without" => "Not in the price".to_owned(),
        label => label.to_owned(),
    };
    let facts = rows.map(|Row { label, lines, .. }| (label_text(label), lines));
    section.parts.push(SectionPart::Facts(facts.collect()));
    section
}

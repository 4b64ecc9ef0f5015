//! The head of a page: the verdict, the few numbers behind it, then the rows of the screen.

use crate::design::Plan;
use crate::report::decision::{design_screen, headline_figures};
use crate::report::document::{Row, Screen, Section, SectionPart};

/// What a page begins with, under its title: the verdict with the few numbers behind it; what is
/// bought, what its price lacks, what it rests on, what is given up and what is left to decide.
pub(super) fn page_head(plan: &Plan) -> (String, [Section; 2]) {
    /// It says how to see more, and a page has all.
    const MORE: &str = "More";
    let (title, Screen { rows, verdict, .. }) = design_screen(plan);
    let mut opening = Section::new("", "").add_line(verdict);
    opening.parts.push(SectionPart::Figures(headline_figures(plan)));
    let label_text = |label: &str| match label.trim() {
        "without" => "Not in the price".to_owned(),
        label => label.to_owned(),
    };
    let rows = rows.into_iter().filter(|row| row.label != MORE);
    let facts = rows.map(|Row { label, lines, .. }| (label_text(label), lines));
    let mut decision = Section::new("DECISION", "");
    decision.parts.push(SectionPart::Facts(facts.collect()));
    (title, [opening, decision])
}

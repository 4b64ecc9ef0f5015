//! The screen of a design: what to buy, what it costs and lacks, how fast it is, what that rests on,
//! what is left to decide, and the verdict.

use super::performance::{
    cost_text, part_of_whole, run_days_text, slowest_part, speed_lines, step_range_text,
};
use super::plan_decision::Decision;
use super::purchase::{fabric_name, network_text, power_text, price_lines, purchase_text};
use super::trust::{gives_up_text, price_trust_text, speed_trust_text};
use crate::design::{ClusterPlans, Plan, QuestionFacts, StatedLimit};
use crate::report::document::{Row, Screen};
use crate::report::{amount, number, short_number, warnings};
use crate::units::Amount;

/// Most decisions that a screen has lines for.
const MOST_DECISIONS: usize = 2;
/// Most parts or stages that a screen has lines for.
const MOST_CLUSTERS: usize = 4;

/// The screen of a plan, and its title.
pub(in crate::report) fn design_screen(plan: &Plan) -> (String, Screen) {
    let decision = Decision::from_plan(plan);
    let row = |label, line: String| Row::new(label, vec![line]);
    let mut rows = vec![row("Buy", purchase_text(&plan.bill))];
    rows.extend(clusters_row(plan));
    rows.extend([
        row("Network", network_text(plan)),
        Row::new("Price", price_lines(plan)),
        row("  without", decision.not_counted.join(", ")),
        row("Power", power_text(plan)),
        row("Limits", limits_text(plan)),
        Row::new("Speed", speed_lines(plan)),
    ]);
    rows.extend(cost_text(plan).map(|text| row("Cost", text)));
    rows.push(Row::new("Trust", vec![speed_trust_text(plan), price_trust_text(&decision)]));
    rows.push(row("Gives up", gives_up_text(plan)));
    rows.push(decide_row(&decision));
    rows.push(row("More", more_text(&decision)).with_narrow_lines(Vec::new()));
    let brief = brief_lines(plan, &decision);
    let screen = Screen { rows, more: Vec::new(), verdict: decision.verdict.text, brief };
    (title_text(plan), screen)
}

/// `starter: llama3-8b on 256 H100, 1T tokens`.
pub(in crate::report) fn title_text(plan: &Plan) -> String {
    title_line(&plan.name, &plan.inputs.facts, &gpus_text(plan))
}

/// What a question is: its name, what is trained, on what, for how long.
pub(super) fn title_line(name: &str, facts: &QuestionFacts, gpus: &str) -> String {

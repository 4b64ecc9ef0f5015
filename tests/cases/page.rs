//! Stories as a page of Markdown, and words for figures.

use std::fmt::Write as _;

use planner::compare::Comparison;
use planner::design::Plan;
use planner::units::Usd;

/// One argument and how it is settled.
pub(crate) struct Story {
    /// The question.
    pub(crate) title: &'static str,
    /// Name of the spec.
    pub(crate) spec: &'static str,
    /// Paragraphs and tables.
    pub(crate) parts: Vec<String>,
}

/// The stories, one after another.
pub(crate) fn page(stories: &[Story]) -> String {
    let mut page = String::new();
    for story in stories {
        let gap = if page.is_empty() { "" } else { "\n" };
        // Writing to a String can't fail.
        let _ = write!(page, "{gap}### {}\n\n`planner design {}`\n", story.title, story.spec);
        for part in &story.parts {
            let _ = write!(page, "\n{}\n", wrapped(part));
        }
    }
    page
}

/// A paragraph in lines of at most 100 columns; tables stay as they are.
fn wrapped(part: &str) -> String {
    if part.starts_with('|') {
        return part.trim_end().to_owned();
    }
    let mut lines = vec![String::new()];
    for word in part.split_whitespace() {
        let last = lines.last_mut().expect("there is a line");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= 100 {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join("\n")
}

/// `$15.89M`.
pub(crate) fn money(usd: Usd) -> String {
    let sign = if usd < Usd::ZERO { "-" } else { "" };
    format!("{sign}${:.2}M", usd.get().abs() / 1e6)
}

/// `$15.89M` of a plan's network.
pub(crate) fn network(plan: &Plan) -> String {
    money(plan.cost.network_capex)
}

/// `18,432`.
pub(crate) fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `71 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Plans under names of their own.
pub(crate) fn table(rows: &[(&str, &Plan)]) -> String {
    let mut table = String::from(
        "| fabric | tiers | switches | transceivers | network | network power | step |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for (name, plan) in rows {
        let _ = writeln!(
            table,
            "| {name} | {} | {} | {} | {} | {:.0} kW | {:.2} s |",
            plan.fabric.tier_count(),
            plan.fabric.switch_count(),
            count(plan.fabric.transceiver_count()),
            network(plan),
            plan.cost.network_power.get() / 1e3,
            plan.step.time.total_time().get(),
        );
    }
    table
}

/// A design beside its baselines, of which equal ones are shown once.
pub(crate) fn comparison(found: &Comparison) -> String {
    let mut rows = vec![("**the design**", &found.design)];
    for (place, result) in found.contenders.iter().enumerate() {
        let bought =
            |plan: &Plan| (plan.fabric.kind, plan.fabric.switch_count(), plan.cost.network_capex);
        let mut before = found.contenders[..place].iter();
        if before.all(|other| bought(&other.plan) != bought(&result.plan)) {
            rows.push((result.name.as_str(), &result.plan));
        }
    }
    table(&rows)
}

//! Words for what a fabric carries beside its workloads.

use super::super::document::Section;
use super::super::number;
use super::super::table::{Cell, Column, Table};
use crate::design::{CarriedScenario, Robustness};

/// A row for each scenario, and what all take; empty where none was asked for.
pub(super) fn robust_section(robust: Option<&Robustness>) -> Section {
    let Some(robustness) = robust else { return Section::new("", "") };
    let mut table = Table::new(vec![
        Column::words("scenario", "scenario"),
        Column::numbers("step", "step_s"),
        Column::numbers("slower", "slowdown"),
        Column::numbers("longest step", "longest_step_s"),
        Column::words("carried", "holds"),
        Column::words("uplinks needed", "uplinks_share"),
        Column::words("routed", "routed"),
    ]);
    for scenario in &robustness.scenarios {
        table.push_row(scenario_row(scenario));
    }
    let lead = format!(
        "each at most {} times its own step on a full-bisection Clos; none takes time or money of its own",
        number::ratio(robustness.max_slowdown)
    );
    let mut section = Section::new("ROBUST", lead).add_table(table);
    section = section
        .add_line(decisive_scenario_sentence(robustness))
        .add_line(robustness_price_sentence(robustness));
    for left in &robustness.left_out {
        section = section.add_line(format!("left out: {}: {}", left.name, left.reason));
    }
    section
}

fn scenario_row(scenario: &CarriedScenario) -> Vec<Cell> {
    let uplinks = match scenario.uplinks {
        None => Cell::no_value(),
        Some(0.0) => Cell { text: "none".to_owned(), raw: "0".to_owned() },
        Some(share) => Cell::with_text_and_value(number::oversubscription(share), share),
    };
    vec![
        Cell::words(&scenario.name),
        Cell::time(scenario.step),
        Cell::with_text_and_value(
            number::percent_change(scenario.slowdown - 1.0),
            scenario.slowdown,
        ),
        Cell::time(scenario.most),
        Cell::words(if scenario.is_step_short_enough() { "yes" } else { "no: too slow" }),
        uplinks,
        Cell::words(
            scenario
                .not_routed
                .as_ref()
                .map_or_else(|| "yes".to_owned(), |why| format!("no: {why}")),
        ),
    ]
}

/// Which scenario needs most uplinks.
fn decisive_scenario_sentence(robustness: &Robustness) -> String {
    match robustness.most_uplinks() {
        None if robustness.scenarios.is_empty() => "none of the scenarios exists here".to_owned(),
        None => {
            "no scenario needs uplinks: no leaf switch has any, or none of them is used".to_owned()
        }
        Some(most) => match most.uplinks {
            Some(share) => format!(
                "{} needs most uplinks: leaf switches oversubscribed {} at most",
                most.name,
                number::oversubscription(share)
            ),
            None => format!("{} needs more than any number of uplinks gives here", most.name),
        },
    }
}

/// What all scenarios take, and how to save it.
fn robustness_price_sentence(robustness: &Robustness) -> String {
    let Some(price) = robustness.price else {
        return "what carrying them takes is not known: no cluster without them was designed"
            .to_owned();
    };
    format!(
        "carrying them takes {} ({} of the cluster) more than the best design without: take [robust] out \
         to save it",
        number::money(price.usd),
        number::percent(price.share)
    )
}

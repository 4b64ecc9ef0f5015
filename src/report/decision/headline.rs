//! The few numbers that stand for a decision at the head of a page.

use super::performance::{run_days_text, slowest_part, step_range_text, token_cost_text};
use super::rows::limit_text;
use crate::design::Plan;
use crate::report::{number, short_number};

/// Each number with its name: price, limits, power, step, run and token.
pub(in crate::report) fn headline_figures(plan: &Plan) -> Vec<(String, String)> {
    let cost = &plan.cost;
    let network = short_number::money(cost.network_capex);
    let mut figures = vec![(format!("To buy; network {network}"), short_number::money(cost.capex))];
    figures.extend(plan.limits.iter().take(2).map(|limit| {
        let text = limit_text(limit, true);
        match text.rsplit_once(" (") {
            Some((value, room)) => {
                (format!("Limit, {}", room.trim_end_matches(')')), value.to_owned())
            }
            None => ("Limit".to_owned(), text),
        }
    }));
    figures.push(("Power with cooling".to_owned(), number::power(cost.power_with_cooling())));
    let one = slowest_part(plan).map_or(plan, |part| &part.plan);
    let step = number::time(one.step.time.total_time());
    let unit = step.split_once(' ').map_or("", |(_, unit)| unit);
    figures.push((format!("One step, likely {} {unit}", step_range_text(one)), step.clone()));
    figures.extend(run_days_text(plan).map(|days| match days.split_once(" (") {
        Some((days, range)) => {
            (format!("The run, likely {} days", range.trim_end_matches(')')), days.to_owned())
        }
        None => ("The run".to_owned(), days),
    }));
    figures.extend(token_cost_text(plan).map(|text| match text.split_once(" (") {
        Some((usd, range)) => {
            (format!("Per million tokens, {}", range.trim_end_matches(')')), usd.to_owned())
        }
        None => ("Per million tokens".to_owned(), text),
    }));
    figures
}

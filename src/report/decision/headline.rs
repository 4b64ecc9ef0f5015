//! The few numbers that stand for a decision at the head of a page.

use super::performance::{RangedText, run_days, slowest_part, step_range_text, token_cost};
use super::rows::limit_parts;
use crate::design::Plan;
use crate::report::{number, short_number};

/// Most limits among them.
const MOST_LIMITS: usize = 2;

/// Each number with its name: price, limits, power, step, run and token.
pub(in crate::report) fn headline_figures(plan: &Plan) -> Vec<(String, String)> {
    let cost = &plan.cost;
    let network = short_number::money(cost.network_capex);
    let mut figures = vec![(format!("To buy; network {network}"), short_number::money(cost.capex))];
    figures.extend(plan.limits.iter().take(MOST_LIMITS).map(|limit| {
        let (value, room) = limit_parts(limit);
        (if room.is_empty() { "Limit".to_owned() } else { format!("Limit, {room}") }, value)
    }));
    figures.push(("Power with cooling".to_owned(), number::power(cost.power_with_cooling())));
    let one = slowest_part(plan).map_or(plan, |part| &part.plan);
    let step = number::time(one.step.time.total_time());
    let unit = step.split_once(' ').map_or("", |(_, unit)| unit);
    figures.push((format!("One step, likely {} {unit}", step_range_text(one)), step.clone()));
    let named = |name: &str, figure: RangedText, unit: &str| {
        let range = figure.range.as_ref();
        let likely = range.map_or_else(String::new, |range| format!(", likely {range}{unit}"));
        (format!("{name}{likely}"), format!("{}{unit}", figure.value))
    };
    figures.extend(run_days(plan).map(|days| named("The run", days, " days")));
    figures.extend(token_cost(plan).map(|usd| named("Per million tokens", usd, "")));
    figures
}

//! The designs one under the other, for a spreadsheet.

use super::super::super::table::{Cell, Column, Table};
use super::several::cluster_labels;
use crate::compare::{BaselineDifference, Comparison};
use crate::design::Plan;
use crate::quantity::{FigureSource, Quantity, all_quantities, quantity_for_key};
use crate::units::Amount;

/// What stands under a heading.
enum Under {
    /// The figure of that key.
    Figure(&'static str),
    /// Tiers of the fabric.
    Tiers,
    /// What the design has over a baseline; only baselines have it.
    Against(fn(&BaselineDifference) -> Amount),
}

use Under::{Figure, Tiers};

/// Headings and what stands under each; they are a contract, older than some keys of JSON. Figures
/// that are compared and not named here follow under the last word of their key.
const COLUMNS: [(&str, Under); 17] = [
    ("planes", Figure("fabric.planes")),
    ("tiers", Tiers),
    ("switches", Figure("fabric.switches")),
    ("transceivers", Figure("fabric.transceivers")),
    ("within_rail_share", Figure("fabric.bisection_share")),
    ("across_rails_share", Figure("fabric.across_rails_share")),
    ("network_capex_usd", Figure("cost.network_capex_usd")),
    ("capex_usd", Figure("cost.capex_usd")),
    ("network_power_w", Figure("cost.network_power_w")),
    ("power_w", Figure("cost.power_w")),
    ("step_s", Figure("step.time_s")),
    ("all_to_all_share", Figure("all_to_all.stored_share")),
    ("goodput_share", Figure("goodput_share")),
    ("usd_per_million_tokens", Figure("cost.usd_per_million_tokens")),
    (
        "network_capex_saving_usd",
        Under::Against(|difference| Amount::Money(difference.network_capex_saving)),
    ),
    ("power_saving_w", Under::Against(|difference| Amount::Power(difference.power_saving))),
    ("slowdown", Under::Against(|difference| Amount::Number(difference.slowdown))),
];

/// The designs one under the other, for a spreadsheet.
pub(super) fn comparison_spreadsheet(comparison: &Comparison) -> Table {
    let named = |row: &&Quantity| {
        COLUMNS.iter().any(|(_, under)| matches!(under, Figure(key) if *key == row.key))
    };
    let rest: Vec<&Quantity> =
        all_quantities().filter(|row| row.compared).filter(|row| !named(row)).collect();
    let mut columns = vec![Column::words("design", "design")];
    columns.extend(COLUMNS.iter().map(|(key, _)| Column::numbers(key, key)));
    columns.extend(
        rest.iter()
            .map(|row| Column::numbers(row.key_without_section(), row.key_without_section())),
    );
    let mut table = Table::new(columns);
    let mut row = |name: &str, plan: &Plan, against: Option<&BaselineDifference>| {
        let answer = FigureSource::from_plan(plan);
        let value = |(_, under): &(&str, Under)| match under {
            Figure(key) => quantity_for_key(key).and_then(|row| row.read_from(&answer)),
            Tiers => Some(Amount::from_count(plan.fabric.tier_count() as u64)),
            Under::Against(read) => against.map(read),
        };
        let rest = rest.iter().map(|row| row.read_from(&answer));
        let cell = |value: Option<Amount>| value.as_ref().map_or_else(Cell::no_value, Cell::amount);
        let mut cells = vec![Cell::words(name)];
        cells.extend(COLUMNS.iter().map(value).chain(rest).map(cell));
        table.push_row(cells);
    };
    let mut rows = |whose: &str, comparison: &Comparison| {
        row(&format!("{whose}design"), &comparison.design, None);
        for contender in &comparison.contenders {
            let name = format!("{whose}{}", contender.name);
            row(&name, &contender.plan, Some(&contender.against));
        }
    };
    if comparison.each.is_empty() {
        rows("", comparison);
    }
    // Sums stand in the report and in JSON: a column adds up here.
    for ((_, name), one) in cluster_labels(comparison).iter().zip(&comparison.each) {
        rows(&format!("{name}: "), one);
    }
    table
}

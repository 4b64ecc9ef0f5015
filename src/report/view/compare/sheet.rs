//! The designs one under the other, for a spreadsheet.

use super::super::super::table::{Cell, Column, Table};
use super::several::names;
use crate::compare::{Against, Comparison};
use crate::design::Plan;
use crate::units::{Usd, Watts};

/// The designs one under the other, for a spreadsheet.
pub(super) fn sheet(comparison: &Comparison) -> Table {
    let numbers = [
        "planes",
        "tiers",
        "switches",
        "transceivers",
        "within_rail_share",
        "across_rails_share",
        "network_capex_usd",
        "capex_usd",
        "network_power_w",
        "power_w",
        "step_s",
        "all_to_all_share",
        "goodput_share",
        "usd_per_million_tokens",
        "network_capex_saving_usd",
        "power_saving_w",
        "slowdown",
    ];
    let mut columns = vec![Column::words("design", "design")];
    columns.extend(numbers.map(|key| Column::numbers(key, key)));
    let mut table = Table::new(columns);
    let mut row = |name: &str, plan: &Plan, against: Option<&Against>| {
        let number = |value: f64| Cell::shown(String::new(), value);
        let saving = |value: Option<f64>| value.map_or_else(Cell::none, number);
        let cost = &plan.cost;
        table.row(vec![
            Cell::words(name),
            Cell::count(plan.fabric.planes),
            Cell::count(plan.fabric.depth() as u64),
            Cell::count(plan.fabric.switches()),
            Cell::count(plan.fabric.transceivers()),
            number(plan.fabric.within_rail),
            number(plan.fabric.across_rails),
            Cell::money(cost.network_capex),
            Cell::money(cost.capex),
            number(cost.network_power.get()),
            number(cost.power.get()),
            Cell::time(plan.step.time.total()),
            number(plan.all_to_all.stored),
            number(plan.goodput),
            saving(cost.usd_per_million_tokens.map(Usd::get)),
            saving(against.map(|of| of.network_capex_saving.get())),
            saving(against.map(|of| Watts::get(of.power_saving))),
            saving(against.map(|of| of.slowdown)),
        ]);
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
    for ((_, name), one) in names(comparison).iter().zip(&comparison.each) {
        rows(&format!("{name}: "), one);
    }
    table
}

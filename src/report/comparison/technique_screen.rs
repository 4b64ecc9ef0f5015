//! The screen of `planner compare --with`: a row for each case, and which costs least per token.

use crate::compare::{TechniqueCase, TechniqueStudy};
use crate::design::Plan;
use crate::report::document::{Screen, Section};
use crate::report::sheet::case_name;
use crate::report::table::{Cell, Column, Table};
use crate::report::words::capitalise_first_letter;
use crate::report::{number, short_number};
use crate::units::Usd;

/// Cases of a study in few lines.
pub(super) fn technique_screen(study: &TechniqueStudy) -> Screen {
    let mut table = Table::new(vec![
        Column::words("case", "case"),
        Column::words("layout", "layout"),
        Column::numbers("step", "step_s"),
        Column::numbers("network", "network_capex_usd"),
        Column::numbers("cluster", "capex_usd"),
        Column::numbers("per million tokens", "usd_per_million_tokens"),
    ]);
    for case in &study.cases {
        table.push_row(case_row(case));
    }
    let section = Section::new("", "")
        .add_table(table)
        .add_line("layout: tensor-pipeline-data; --all has traffic, parts of the step and why");
    Screen { more: vec![section], ..Screen::from_verdict(cheapest_case_text(study)) }
}

fn case_row(case: &TechniqueCase) -> Vec<Cell> {
    let plan = case.plan.as_ref().ok();
    let money = |read: fn(&Plan) -> Option<Usd>| {
        let usd = plan.and_then(read);
        usd.map_or_else(Cell::no_value, |usd| Cell::words(short_number::money(usd)))
    };
    let layout = plan.map(|plan| &plan.layout).or(case.step.as_ref().map(|step| &step.layout));
    let time = plan.map(|plan| plan.step.time.total_time());
    vec![
        Cell::words(case_name(case)),
        layout.map_or_else(Cell::no_value, |layout| {
            Cell::words(format!("{}-{}-{}", layout.tensor, layout.pipeline, layout.data))
        }),
        time.map_or_else(|| Cell::words("no network"), Cell::time),
        money(|plan| Some(plan.cost.network_capex)),
        money(|plan| Some(plan.cost.capex)),
        money(|plan| plan.cost.usd_per_million_tokens),
    ]
}

/// The case that costs least per token, beside that without techniques; those that lack a price
/// are left out.
fn cheapest_case_text(study: &TechniqueStudy) -> String {
    let cost = |case: &TechniqueCase| {
        let plan = case.plan.as_ref().ok().filter(|plan| plan.cost.unpriced.is_empty())?;
        plan.cost.usd_per_million_tokens
    };
    let priced = study.cases.iter().filter_map(|case| Some((case, cost(case)?)));
    let Some((best, usd)) = priced.min_by(|one, other| one.1.total_cmp(&other.1)) else {
        return "No case has a design with all prices.".to_owned();
    };
    let text = format!(
        "{}: least per million tokens ({})",
        capitalise_first_letter(&case_name(best)),
        short_number::money(usd)
    );
    let without = study.cases.first().filter(|case| case.on != best.on);
    match without.map(|case| (cost(case), &case.plan)) {
        None => format!("{text}: none of the techniques pays."),
        Some((Some(other), _)) => {
            let less = number::percent(1.0 - usd / other);
            format!("{text}, {less} less than without.")
        }
        Some((None, _)) => format!("{text}; without it there is no such design."),
    }
}

//! The report of `planner design`: one page that an architect and a finance lead can both read.

use super::page::{PageSheet, render_page};
use super::traffic;
use crate::design::{Plan, Priority};
use crate::report::decision::{Decision, design_screen, trust_section};
use crate::report::document::{Document, Section};
use crate::report::format::{Format, RenderOptions, draw_document};
use crate::report::section::machines::regularity_premium_sentence;
use crate::report::section::proof::{
    alternatives_section, assumptions_and_defaults, limits_section, price_sensitivity_section,
};
use crate::report::section::routing::{self, headroom_section, rack_limits_section};
use crate::report::section::{
    bill, fabric, machines, parts_and_stages, premiums, resilience, step_time,
};
use crate::report::table::{Cell, Column, Table};
use crate::report::warnings::warnings_section;
use crate::report::{json, number};
use crate::scenario::{ClusterShape, Minimize};
use crate::sizing::{BestSoFar, DesignProgress};
use crate::units::Amount;

/// The plan in the wanted format, with a line break at its end. As a page it lacks what other
/// results would add: the comparison and the heat map of [`super::page::render_page`].
#[must_use]
pub fn render_design(plan: &Plan, look: RenderOptions<'_>) -> String {
    if look.format == Format::Html {
        return render_page(&PageSheet::from_plan(plan), look);
    }
    draw_document(&design_document(plan), look, || json::design_json(plan))
}

fn design_document(plan: &Plan) -> Document {
    let mut sections = match plan.cluster_shape() {
        ClusterShape::One => design_sections(plan),
        ClusterShape::Parts | ClusterShape::Stages => sections_of_clusters(plan),
    };
    sections.retain(|section| !section.parts.is_empty() || !section.lead.is_empty());
    let (title, screen) = design_screen(plan);
    Document {
        title,
        sections,
        screen: Some(screen),
        sheet: bill::bill_table(&plan.bill, &plan.cost),
    }
}

/// The sections of a cluster whose workloads have parts of it to themselves, or that grows in stages.
fn sections_of_clusters(plan: &Plan) -> Vec<Section> {
    let (price, limits) = (price_section(plan, plan.total_gpus()), limits_section(plan));
    let mut sections = vec![
        warnings_section(plan),
        if plan.growth.is_some() { price.add_line(parts_and_stages::PAID) } else { price },
        price_sensitivity_section(&plan.price_bands),
        alternatives_section(plan),
    ];
    if plan.growth.is_some() {
        sections.push(state_money_of_stages(limits, plan));
    } else {
        sections.extend([limits, rack_limits_section(plan.racks.as_ref())]);
    }
    sections.extend(parts_and_stages::clusters_sections(plan));
    sections.extend([trust_section(plan), assumptions_and_defaults(&plan.assumptions)]);
    sections
}

/// The bill, and what a cluster takes that no line of it has.
fn price_section(plan: &Plan, gpus: u32) -> Section {
    let lacks = Decision::from_plan(plan).not_counted.join(", ");
    bill::bill_section(&plan.bill, &plan.cost, gpus).add_line(format!(
        "not in this price: {lacks}; [networks] counts other networks, [installation] labour"
    ))
}

/// Savings of stages are of what the objective makes of all of them.
fn state_money_of_stages(section: Section, plan: &Plan) -> Section {
    if plan.cost.discount > 0.0 && !plan.solver.binding.is_empty() {
        Section { lead: "savings in today's value".to_owned(), ..section }
    } else {
        section
    }
}

/// The sections of a cluster that all workloads share.
fn design_sections(plan: &Plan) -> Vec<Section> {
    let network = add_domain_inside(fabric::fabric_section(plan), plan);
    let network = [premiums::oversubscription_sentence(plan), regularity_premium_sentence(plan)]
        .into_iter()
        .filter(|text| !text.is_empty())
        .fold(headroom_section(plan, network), Section::add_line);
    let single_point = premiums::single_point_sentence(plan);
    let failures = resilience::failures_section(plan);
    let failures = if single_point.is_empty() { failures } else { failures.add_line(single_point) };
    vec![
        warnings_section(plan),
        price_section(plan, plan.nodes.gpus),
        price_sensitivity_section(&plan.price_bands),
        bill::other_networks_section(plan.networks.as_ref()),
        bill::installation_section(&plan.installation),
        alternatives_section(plan),
        priorities_section(plan),
        limits_section(plan),
        rack_limits_section(plan.racks.as_ref()),
        network,
        machines::layout_section(&plan.layout, &plan.step),
        step_time::workloads_section(plan),
        step_time::step_time_section(&plan.step, &plan.nodes)
            .add_line(step_time::step_time_sum(&plan.step.time))
            .add_line(step_time::slowdown_sentence(&plan.step)),
        step_time::phases_section(&plan.phases, &plan.step),
        machines::memory_section(&plan.memory, plan.memory_capacity),
        traffic::traffic_section(&plan.traffic),
        plan.routing.as_ref().map_or_else(|| Section::new("", ""), routing::routing_section),
        resilience::robust_section(plan.robust.as_ref()),
        failures,
        trust_section(plan),
        assumptions_and_defaults(&plan.assumptions),
    ]
}

/// What joins the GPUs inside the HB domains, where that is known.
fn add_domain_inside(section: Section, plan: &Plan) -> Section {
    match plan.nodes.node.inside_of_domains(plan.nodes.domains.into()) {
        Some(inside) => section.add_line(format!(
            "inside each HB domain: {}",
            machines::inside_domain_sentence(&inside)
        )),
        None => section,
    }
}

/// What was minimised one after another.
fn priorities_section(plan: &Plan) -> Section {
    let all: &[Priority] = &plan.priorities;
    let mut table = Table::new(vec![
        Column::words("minimised", "minimize"),
        Column::numbers("takes", "takes"),
        Column::numbers("above the least", "given_up_share"),
        Column::numbers("gained", "gained_share"),
    ]);
    for priority in all {
        table.push_row(vec![
            Cell::words(priority.quantity.name()),
            match priority.quantity {
                Minimize::Capex => Cell::money(plan.cost.capex),
                Minimize::Tco => Cell::money(plan.cost.tco),
                Minimize::Power => Cell::amount(&Amount::Power(plan.cost.power)),
                Minimize::UsdPerToken => {
                    plan.cost.usd_per_million_tokens.map_or_else(Cell::no_value, Cell::money)
                }
            },
            Cell::with_text_and_value(number::percent(priority.given_up), priority.given_up),
            Cell::with_text_and_value(number::percent(priority.gained), priority.gained),
        ]);
    }
    let lead = if all.is_empty() {
        ""
    } else {
        "each row takes the best of the designs that the rows above leave, within the tolerance; \
         tokens by the million"
    };
    Section::new("PRIORITIES", lead).add_table(table)
}

/// `12 of 262 candidates, best $0.149 a million tokens (gb300-nvl72 with cx8, 2 planes), bound $0.148, gap 0.4 %`.
#[must_use]
pub fn progress_line(state: &DesignProgress) -> String {
    let DesignProgress { done, all, best } = state;
    let all = number::count_with_noun(*all, "candidate", "candidates");
    let far = format!("{} of {all}", number::count(*done));
    let Some(BestSoFar { value, bound, gap, text: name, words }) = best else { return far };
    let name = if name.is_empty() { String::new() } else { format!(" {name}") };
    let (best, bound) = (progress_amount(value), progress_amount(bound));
    format!("{far}, best {best}{name} ({words}), lower bound {bound}, gap {:.1} %", gap * PERCENT)
}

const PERCENT: f64 = 100.0;

fn progress_amount(amount: &Amount) -> String {
    match amount {
        Amount::Money(usd) => number::money(*usd),
        Amount::Power(watts) => number::power(*watts),
        other => other.scalar().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::progress_line;
    use crate::sizing::{BestSoFar, DesignProgress};
    use crate::units::{Amount, Usd, Watts};

    #[test]
    fn a_line_has_the_best_design_and_what_may_still_be_better() {
        let usd = |value| Amount::Money(Usd::from_f64(value));
        let best = |value, bound, name| {
            Some(BestSoFar {
                value,
                bound,
                gap: 0.004,
                text: name,
                words: "gb300-nvl72, 2 planes".to_owned(),
            })
        };
        let line = |best| progress_line(&DesignProgress { done: 12, all: 1262, best });
        assert_eq!(line(None), "12 of 1,262 candidates");
        assert_eq!(
            line(best(usd(0.149), usd(0.1484), "per million tokens")),
            "12 of 1,262 candidates, best $0.149 per million tokens (gb300-nvl72, 2 planes), lower \
             bound $0.148, gap 0.4 %"
        );
        let watts = |value| Amount::Power(Watts::from_f64(value));
        assert_eq!(
            line(best(watts(2e6), watts(1.9e6), "")),
            "12 of 1,262 candidates, best 2.00 MW (gb300-nvl72, 2 planes), lower bound 1.90 MW, \
             gap 0.4 %"
        );
    }
}

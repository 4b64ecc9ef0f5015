//! The decision in sentences that can be read out to a board, and the few numbers behind it.

use crate::compare::Comparison;
use crate::design::{Plan, RoutingReport};
use crate::report::document::{Section, SectionPart};
use crate::report::number;
use crate::report::section::{bill, fabric, machines, proof, savings, step_time};
use crate::report::words::finish_sentence;

/// What to build, what it costs, what it gives, how it compares, and how far all that is proven.
pub(super) fn decision_section(plan: &Plan, comparison: Option<&Comparison>) -> Section {
    let mut section = Section::new("DECISION", "")
        .with_summary_rank()
        .add_line(build_sentence(plan))
        .add_line(cost_sentence(plan));
    section = section.add_line(speed_sentence(plan));
    let verdicts =
        [savings::verdict_of_clos, savings::verdict_of].map(|read| comparison.and_then(read));
    for verdict in verdicts.into_iter().flatten() {
        section = section.add_line(finish_sentence(&verdict));
    }
    section = section.add_line(proof_sentence(plan));
    section.parts.insert(0, SectionPart::Figures(headline_figures(plan)));
    section
}

/// The numbers that stand for all.
fn headline_figures(plan: &Plan) -> Vec<(String, String)> {
    let cost = &plan.cost;
    let mut figures = vec![
        ("Cluster", number::money(cost.capex)),
        ("Its network", number::money(cost.network_capex)),
        ("Power", number::power(cost.power)),
        ("One step", number::time(plan.step.time.total_time())),
    ];
    figures.extend(cost.training_days.map(|days| ("The run", format!("{days:.1} days"))));
    let tokens = cost.usd_per_million_tokens.map(number::money);
    figures.extend(tokens.map(|usd| ("A million tokens", usd)));
    figures.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// What to build, in a sentence.
pub(super) fn build_sentence(plan: &Plan) -> String {
    let (nodes, counts) = (&plan.nodes, &plan.fabric);
    format!(
        "Build {} machines {}: {} in high-bandwidth (HB) domains of {}. Join them by a {} network \
         in {}: {}, {}.",
        number::count(nodes.domains),
        nodes.node.name,
        number::count_with_noun(nodes.gpus, "GPU", "GPUs"),
        number::count(nodes.node.gpus),
        counts.kind,
        machines::planes_text(counts.planes),
        fabric::switches_text(counts),
        fabric::links_text(plan),
    )
}

/// What it costs, in a sentence.
pub(super) fn cost_sentence(plan: &Plan) -> String {
    let cost = &plan.cost;
    let mut text = format!(
        "It costs {} to buy, {} of that for the network, and draws {}",
        number::money(cost.capex),
        number::money(cost.network_capex),
        number::power(cost.power),
    );
    text.push_str(&format!(
        "; with electricity over {} of operation it costs {}{}.",
        bill::operation_years_text(cost),
        number::money(cost.tco),
        bill::present_value_note(cost)
    ));
    if !cost.unpriced.is_empty() {
        text.push_str(&format!(" Not counted, for want of a price: {}.", cost.unpriced.join(", ")));
    }
    text
}

/// What it gives, in a sentence.
pub(super) fn speed_sentence(plan: &Plan) -> String {
    let cost = &plan.cost;
    let mut text = format!(
        "A training step takes {} ({}), at {} of the GPUs' peak",
        number::time(plan.step.time.total_time()),
        step_time::interval_sentence(&plan.step, &plan.nodes),
        number::percent(plan.step.mfu),
    );
    if let Some(days) = cost.training_days {
        text.push_str(&format!(
            "; the whole run takes {days:.1} days{}",
            step_time::run_interval_text(plan)
        ));
    }
    text.push('.');
    if let Some(usd) = cost.usd_per_million_tokens {
        text.push_str(&format!(
            " A million trained tokens cost {} over {}, of which {} train",
            number::money(usd),
            bill::operation_years_text(cost),
            number::percent(cost.goodput)
        ));
        text.push_str(&match cost.run {
            Some(run) => format!(", and the whole run {}.", number::money(run)),
            None => ".".to_owned(),
        });
    }
    text
}

/// How certain it is, in a sentence.
pub(super) fn proof_sentence(plan: &Plan) -> String {
    let mut text = format!("How certain this is: {}", proof::proof_sentence(&plan.solver));
    text.push_str(&format!("; {}", bill::price_dates_text(&plan.bill)));
    if let Some(assumed) = bill::assumed_prices_sentence(&plan.bill, &plan.cost) {
        text.push_str(&format!("; {assumed}"));
    }
    if let Some(routing) = &plan.routing {
        text.push_str(&format!("; {}", routing_verified_clause(routing)));
    }
    text + "."
}

/// Whether routing bears out the step time, in a clause.
fn routing_verified_clause(routing: &RoutingReport) -> String {
    match routing {
        RoutingReport::Unverified(reason) => {
            format!("the step time is not verified by routing ({reason})")
        }
        RoutingReport::Routed(step) if step.holds => {
            "routing every message over the wired network bears out the step time".to_owned()
        }
        RoutingReport::Routed(_) => {
            "routing finds links slower than the step time takes them to be".to_owned()
        }
    }
}

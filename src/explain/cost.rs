//! Explains money and watts: every line of the bill that goes into a sum, each price with its
//! origin. Prices are multiplied in `cost`.

use super::bill::{self, drawn_by_one, stated_price};
use super::explanation::{ExplainedInput, Explanation, InputOrigin};
use super::inputs::{Facts, explained_input, quantity_input};
use crate::cost::{BillLine, MachineQuote, machine_quotes};
use crate::quantity::row::{CAPITAL, GOODPUT, NETWORK_CAPITAL, OWNERSHIP, SHARED_TOKEN_COST};
use crate::units::{Amount, Usd, UsdRange};

/// Adds what a sum of money or watts is made of, each price with its origin.
pub(super) fn explain_cost(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let bill = &facts.plan.bill;
    match explanation.key.as_ref() {
        "cost.network_capex_usd" => explanation
            .with_inputs(price_inputs(network_lines(facts)))
            .sum(network_lines(facts).map(line_cost)),
        "cost.capex_usd" => {
            explanation.with_inputs(price_inputs(bill.iter())).sum(bill.iter().map(line_cost))
        }
        "cost.network_power_w" => explanation
            .with_inputs(network_lines(facts).flat_map(power_inputs))
            .sum(network_lines(facts).map(line_power)),
        "cost.power_w" => explanation
            .with_inputs(bill.iter().flat_map(power_inputs))
            .sum(bill.iter().map(line_power)),
        "cost.tco_usd" => {
            let cost = &facts.plan.cost;
            let running = cost.opex_per_year * facts.scenario.objective.present_years();
            explanation.sum([
                ("cost.capex_usd", Amount::Money(cost.capex)),
                ("electricity over the years", Amount::Money(running)),
            ])
        }
        "cost.usd_per_million_tokens" if !facts.plan.workloads.is_empty() => explanation
            .with_meaning(
                "price and power over the tokens of all workloads that are really trained in those \
                 years",
            )
            .with_formula(
                "10⁶ · TCO / (Σ over workloads: tokens a second · goodput · years · seconds of a \
                 year)",
                &[SHARED_TOKEN_COST, OWNERSHIP, GOODPUT],
            ),
        _ => explanation,
    }
}

/// An end of a range of prices.
type End = fn(UsdRange) -> Usd;
/// Both ends, as their place in a list and their name.
const ENDS: [(usize, &str, End); 2] =
    [(0, "lowest", |range| range.low), (1, "highest", |range| range.high)];

/// `cost.capex_range_usd.0` and its like, where a part's price is known as a range.
pub(super) fn explain_cost_ranges(facts: &Facts<'_>) -> Vec<Explanation> {
    let mut all = Vec::new();
    let mut add = |key: &str, range: Option<UsdRange>, lines: &[&BillLine]| {
        let Some(range) = range else { return };
        for (place, name, end) in ENDS {
            let part =
                |line: &&BillLine| (line.part.clone(), Amount::Money(end(line.paid_range())));
            let explanation = Explanation::new(
                format!("cost.{key}.{place}"),
                format!("the same at the {name} price known of each part"),
                Amount::Money(end(range)),
                "Σ: (count − owned) · that end of the price's range",
                &[CAPITAL, NETWORK_CAPITAL],
            );
            all.push(explanation.sum(lines.iter().map(part)));
        }
    };
    let (bill, cost) = (&facts.plan.bill, &facts.plan.cost);
    let network: Vec<&BillLine> = network_lines(facts).collect();
    add("network_capex_range_usd", cost.network_capex_range, &network);
    add("capex_range_usd", cost.capex_range, &bill.iter().collect::<Vec<_>>());
    all
}

/// `cost.quotes.0.share_of_capex` and its like: the quotes of machines that the bill rests on.
pub(super) fn explain_quotes(facts: &Facts<'_>) -> Vec<Explanation> {
    let quotes = machine_quotes(&facts.plan.bill);
    let each = quotes.iter().enumerate();
    each.flat_map(|(place, quote)| {
        [share_of_quote(facts, place, quote)].into_iter().chain(range_of_quote(facts, place, quote))
    })
    .collect()
}

/// What is paid at a quote of machines over all that is bought.
fn share_of_quote(facts: &Facts<'_>, place: usize, quote: &MachineQuote) -> Explanation {
    let at_quote = facts.plan.bill.iter().filter(|line| quote.parts.contains(&line.part));
    let paid = |line: &BillLine| {
        let name = format!("paid for {}", line.part);
        quantity_input(&name, bill::bill_line_key(line, "total_usd"), Amount::Money(line.total))
    };
    Explanation::new(
        format!("cost.quotes.{place}.share_of_capex"),
        format!("what is paid at the quote of {} over all that is bought", quote.parts.join(", ")),
        Amount::Share(quote.share),
        "Σ paid at the quote / capital",
        &[CAPITAL],
    )
    .with_inputs(at_quote.map(paid))
    .with_inputs([quantity_input(
        "capital",
        "cost.capex_usd",
        Amount::Money(facts.plan.cost.capex),
    )])
}

/// All that is bought at both ends of the range of a quote; nothing where its price has none.
fn range_of_quote(facts: &Facts<'_>, place: usize, quote: &MachineQuote) -> Vec<Explanation> {
    let Some(range) = quote.capex else { return Vec::new() };
    let explain = |(end_place, name, end): (usize, &str, End)| {
        let paid = |line: &BillLine| {
            let moves = quote.parts.contains(&line.part);
            let paid = if moves { end(line.paid_range()) } else { line.total };
            (line.part.clone(), Amount::Money(paid))
        };
        Explanation::new(
            format!("cost.quotes.{place}.capex_range_usd.{end_place}"),
            format!(
                "all that is bought at the {name} price known of {}, the rest as it is",
                quote.parts.join(", ")
            ),
            Amount::Money(end(range)),
            "Σ of the bill, the quote's lines at that end of its range",
            &[CAPITAL],
        )
        .sum(facts.plan.bill.iter().map(paid))
    };
    ENDS.into_iter().map(explain).collect()
}

fn network_lines<'a>(facts: &Facts<'a>) -> impl Iterator<Item = &'a BillLine> {
    facts.plan.bill.iter().filter(|line| line.role.is_network())
}

fn line_cost(line: &BillLine) -> (String, Amount) {
    (line.part.clone(), Amount::Money(line.total))
}

fn line_power(line: &BillLine) -> (String, Amount) {
    (line.part.clone(), Amount::Power(line.power * line.powered_count() as f64))
}

/// Pieces of each part that are bought, and their price; one without a price counts nothing.
fn price_inputs<'a>(lines: impl Iterator<Item = &'a BillLine>) -> Vec<ExplainedInput> {
    let each = lines.flat_map(|line| {
        let name = format!("{} bought", line.part);
        let origin = InputOrigin::Found("in use and spare, less `inventory`");
        [explained_input(name, Amount::from_count(line.bought_count()), origin), stated_price(line)]
    });
    each.collect()
}

/// Pieces of a part in use, and the power of one.
fn power_inputs(line: &BillLine) -> [ExplainedInput; 2] {
    let origin = InputOrigin::Found("counted on the design; spares draw nothing");
    let pieces = Amount::from_count(line.powered_count());
    [explained_input(format!("{} in use", line.part), pieces, origin), drawn_by_one(line)]
}

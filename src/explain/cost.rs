//! Explains money and watts: every line of the bill that goes into a sum, each price with its
//! origin. Prices are multiplied in `cost`.

use super::bill::{drawn_by_one, stated};
use super::equation::{CAPITAL, NETWORK_CAPITAL, OWNERSHIP, POWER, SHARED_TOKEN_COST, TOKEN_COST};
use super::facts::{Facts, input, quantity};
use super::{Amount, Explanation, Input, Origin};
use crate::cost::{BillLine, electricity};
use crate::design::WorkloadPlan;
use crate::units::Usd;

pub(super) fn explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    let mut all = vec![
        network_capital(facts),
        capital(facts),
        network_power(facts),
        power(facts),
        electricity_of_a_year(facts),
        ownership(facts),
    ];
    all.extend(ranges(facts));
    all.extend(token_cost(facts));
    all.extend(days(facts));
    all
}

fn network_capital(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "cost.network_capex_usd",
        "switches and optics; without fibre, copper and labour",
        Amount::Money(facts.plan.cost.network_capex),
        "Σ over switches and optics: (count − owned) · price",
        &[NETWORK_CAPITAL],
    )
    .from(prices(network(facts)))
    .sum(network(facts).map(bought))
}

fn capital(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "cost.capex_usd",
        "everything bought",
        Amount::Money(facts.plan.cost.capex),
        "Σ over the bill: (count − owned) · price",
        &[CAPITAL, NETWORK_CAPITAL],
    )
    .from(prices(facts.plan.bill.iter()))
    .sum(facts.plan.bill.iter().map(bought))
}

/// `cost.capex_range_usd.0` and its like, where a part's price is known as a range.
fn ranges(facts: &Facts<'_>) -> Vec<Explanation> {
    type End = fn((Usd, Usd)) -> Usd;
    let ends: [(usize, &str, End); 2] = [(0, "lowest", |of| of.0), (1, "highest", |of| of.1)];
    let mut all = Vec::new();
    let mut add = |key: &str, range: Option<(Usd, Usd)>, lines: &[&BillLine]| {
        let Some(range) = range else { return };
        for (place, name, end) in ends {
            let part = |line: &&BillLine| (line.part.clone(), Amount::Money(end(line.bounds())));
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
    let network: Vec<&BillLine> = network(facts).collect();
    add("network_capex_range_usd", cost.network_capex_range, &network);
    add("capex_range_usd", cost.capex_range, &bill.iter().collect::<Vec<_>>());
    all
}

fn network_power(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "cost.network_power_w",
        "power of switches and optics",
        Amount::Power(facts.plan.cost.network_power),
        "Σ over switches and optics: count · watts of one",
        &[POWER],
    )
    .from(network(facts).flat_map(draws))
    .sum(network(facts).map(drawn))
}

fn power(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "cost.power_w",
        "power of everything",
        Amount::Power(facts.plan.cost.power),
        "Σ over the bill: count · watts of one",
        &[POWER],
    )
    .from(facts.plan.bill.iter().flat_map(draws))
    .sum(facts.plan.bill.iter().map(drawn))
}

fn electricity_of_a_year(facts: &Facts<'_>) -> Explanation {
    /// Hours of a year of 365 days.
    const HOURS: f64 = 8760.0;
    let price = electricity(&facts.scenario.prices);
    let price = price
        .map(|price| input("price of a kWh", Amount::Money(price.amount), Origin::Priced(price)));
    let pue = Amount::Number(facts.scenario.objective.pue);
    Explanation::new(
        "cost.opex_usd_per_year",
        "electricity of a year",
        Amount::Money(facts.plan.cost.opex_per_year),
        "watts / 1000 · PUE · hours of a year · price of a kWh",
        &[POWER],
    )
    .from([
        quantity("power", "cost.power_w", Amount::Power(facts.plan.cost.power)),
        input("PUE", pue, Origin::Spec("objective.pue")),
        input("hours of a year", Amount::Number(HOURS), Origin::Constant("365 days of 24 hours")),
    ])
    .from(price)
}

fn ownership(facts: &Facts<'_>) -> Explanation {
    let cost = &facts.plan.cost;
    let running = Amount::Money(cost.opex_per_year * facts.scenario.objective.present_years());
    let yearly = Amount::Money(cost.opex_per_year);
    Explanation::new(
        "cost.tco_usd",
        "capital and electricity over the years of operation, less what objective.discount takes",
        Amount::Money(cost.tco),
        "capital + years · electricity of a year",
        &[OWNERSHIP],
    )
    .from([quantity("electricity of a year", "cost.opex_usd_per_year", yearly), years(facts)])
    .sum([("cost.capex_usd", Amount::Money(cost.capex)), ("electricity over the years", running)])
}

fn token_cost(facts: &Facts<'_>) -> Option<Explanation> {
    let cost = &facts.plan.cost;
    let result = Amount::Money(cost.usd_per_million_tokens?);
    let tco = quantity("TCO", "cost.tco_usd", Amount::Money(cost.tco));
    if !facts.plan.workloads.is_empty() {
        return Some(shared_token_cost(facts, result, tco));
    }
    let explanation = Explanation::new(
        "cost.usd_per_million_tokens",
        "cost of ownership over the tokens that the cluster can train in those years",
        result,
        "10⁶ · TCO / (tokens of a step / step time · years · seconds of a year)",
        &[TOKEN_COST, OWNERSHIP],
    );
    Some(explanation.from([tco, facts.tokens(), facts.step_time(), years(facts)]))
}

/// The same where several workloads share the time.
fn shared_token_cost(facts: &Facts<'_>, result: Amount, tco: Input) -> Explanation {
    let rate = |of: &WorkloadPlan| {
        let rate = of.share * of.step.tokens as f64 / of.step.time.total().get();
        let origin = Origin::Found("share of the time · tokens of a step / step time");
        input(format!("tokens a second of {}", of.name), Amount::Number(rate), origin)
    };
    Explanation::new(
        "cost.usd_per_million_tokens",
        "cost of ownership over the tokens of all workloads in those years",
        result,
        "10⁶ · TCO / (Σ over workloads: tokens a second · years · seconds of a year)",
        &[SHARED_TOKEN_COST, OWNERSHIP],
    )
    .from([tco, years(facts)])
    .from(facts.plan.workloads.iter().map(rate))
}

fn days(facts: &Facts<'_>) -> Option<Explanation> {
    let result = Amount::Days(facts.plan.cost.training_days?);
    let tokens = facts.scenario.workload.training.tokens?;
    let explanation = Explanation::new(
        "cost.training_days",
        "length of the whole run; without failures and restarts",
        result,
        "tokens of the run / tokens of a step · step time / 86,400 s",
        &[TOKEN_COST],
    );
    let run = input("tokens of the run", Amount::Number(tokens), Origin::Spec("training.tokens"));
    Some(explanation.from([run, facts.tokens(), facts.step_time()]))
}

fn network<'a>(facts: &Facts<'a>) -> impl Iterator<Item = &'a BillLine> {
    facts.plan.bill.iter().filter(|line| line.role.is_network())
}

fn bought(line: &BillLine) -> (String, Amount) {
    (line.part.clone(), Amount::Money(line.total))
}

fn drawn(line: &BillLine) -> (String, Amount) {
    (line.part.clone(), Amount::Power(line.power * line.running() as f64))
}

/// Pieces of each part that are bought, and their price; one without a price counts nothing.
fn prices<'a>(lines: impl Iterator<Item = &'a BillLine>) -> Vec<Input> {
    let each = lines.flat_map(|line| {
        let name = format!("{} bought", line.part);
        let origin = Origin::Found("in use less `inventory`");
        [input(name, Amount::count(line.bought()), origin), stated(line)]
    });
    each.collect()
}

/// Pieces of a part in use, and the power of one.
fn draws(line: &BillLine) -> [Input; 2] {
    let origin = Origin::Found("counted on the design; spares draw nothing");
    let pieces = Amount::count(line.running());
    [input(format!("{} in use", line.part), pieces, origin), drawn_by_one(line)]
}

fn years(facts: &Facts<'_>) -> Input {
    let objective = &facts.scenario.objective;
    let years = Amount::Number(objective.present_years());
    let (name, origin) = if objective.discount > 0.0 {
        ("years, at their value of today", Origin::Spec("objective.years, objective.discount"))
    } else {
        ("years", Origin::Spec("objective.years"))
    };
    input(name, years, origin)
}

//! Prices that depend on how many pieces are bought: designs at settled prices until they are the
//! prices of the pieces that the design buys. Posed as a program nowhere, so what may still be
//! better is told.

use std::collections::BTreeMap;

use crate::design::effort;
use crate::design::job::infeasible::Infeasible;
use crate::design::plan::plan::Plan;
use crate::design::plan::proof::SolverStatus;
use crate::hardware::{PriceBook, PricedItem};
use crate::scenario::{Assumption, Minimize, Scenario};
use crate::units::{Usd, format_price as usd};

/// True where a price depends on how many are bought.
pub(crate) fn has_volume_prices(scenario: &Scenario) -> bool {
    let tiered =
        |price: &crate::hardware::Price| !price.quote.tiers.is_empty() && !price.quote.settled;
    scenario.prices.prices.values().any(tiered)
}

/// The best design where some prices fall with the pieces that are bought; `design` finds the best
/// at prices that do not.
///
/// No design costs less than the best at the least prices of all tiers, which is the bound. From
/// those prices and from those of one piece the design is found again at the prices of the pieces
/// it buys, until they stay; the better of the two is the answer (docs/formulation.md).
///
/// # Errors
/// Why there is none.
pub(crate) fn design_at_volume_prices(
    scenario: &Scenario,
    design: impl Fn(&Scenario) -> Result<Plan, Infeasible>,
) -> Result<Plan, Infeasible> {
    let least = settle_price_tiers(scenario, |_, price| price.least_price());
    let bound = design(&scenario_at_prices(scenario, &least))?;
    let base = settle_price_tiers(scenario, |_, price| price.amount);
    let from_base = design_at_settled_prices(scenario, base, &design);
    let from_least =
        design_at_settled_prices(scenario, book_at_piece_prices(scenario, &bound), &design);
    let value = |plan: &Plan| plan.objective_value(scenario.objective.minimize);
    let mut plan = match (from_base, from_least) {
        (Ok(one), Ok(other)) if value(&other) < value(&one) => other,
        (Ok(one), _) | (Err(_), Ok(one)) => one,
        (Err(why), Err(_)) => return Err(why),
    };
    let value = value(&plan);
    let could = bound_value(&bound, scenario.objective.minimize);
    let gap = if value > 0.0 { (1.0 - could / value).max(0.0) } else { 0.0 };
    // Sums of the same money differ by rounding.
    const DUST: f64 = 1e-9;
    if gap > plan.solver.gap.max(DUST) {
        plan.solver.gap = gap;
        if !plan.is_interrupted() {
            plan.solver.status = SolverStatus::GapLimit;
        }
    }
    let text = describe_price_tiers(scenario, &plan, gap);
    plan.assumptions.push(Assumption { topic: "prices.tiers".to_owned(), text, default: false });
    Ok(plan)
}

/// The scenario at the prices that hold for the pieces of its design; the same one where no price
/// depends on them.
pub(crate) fn scenario_at_bought_quantities(scenario: &Scenario, plan: &Plan) -> Scenario {
    scenario_at_prices(scenario, &book_at_piece_prices(scenario, plan))
}

/// The design at prices that are those of its pieces, begun at some prices.
fn design_at_settled_prices(
    scenario: &Scenario,
    mut book: PriceBook,
    design: &impl Fn(&Scenario) -> Result<Plan, Infeasible>,
) -> Result<Plan, Infeasible> {
    let tiers: usize = scenario.prices.prices.values().map(|price| price.quote.tiers.len()).sum();
    let mut round = 0;
    loop {
        let plan = design(&scenario_at_prices(scenario, &book))?;
        let next = if round < effort::VOLUME_PRICE_ROUNDS {
            book_at_piece_prices(scenario, &plan)
        } else {
            higher_prices(&book, &book_at_piece_prices(scenario, &plan))
        };
        if next == book || round > effort::VOLUME_PRICE_ROUNDS + tiers {
            return Ok(plan);
        }
        (book, round) = (next, round + 1);
    }
}

/// The book at the prices of the pieces that a design buys.
fn book_at_piece_prices(scenario: &Scenario, plan: &Plan) -> PriceBook {
    let bought: BTreeMap<&str, u64> =
        plan.bill.iter().map(|line| (line.part.as_str(), line.bought_count())).collect();
    settle_price_tiers(scenario, |item, price| {
        let pieces = bought.get(item.to_string().as_str()).copied().unwrap_or(0);
        price.for_pieces(pieces).amount
    })
}

/// The book with a settled price wherever it has tiers.
fn settle_price_tiers(
    scenario: &Scenario,
    amount: impl Fn(&PricedItem, &crate::hardware::Price) -> Usd,
) -> PriceBook {
    let mut book = scenario.prices.clone();
    for (item, price) in &mut book.prices {
        *price = price.price_at_tier(amount(item, price));
    }
    book
}

/// The dearer of the prices of two settled books.
fn higher_prices(one: &PriceBook, other: &PriceBook) -> PriceBook {
    let mut book = one.clone();
    for (item, price) in &mut book.prices {
        let most = other
            .prices
            .get(item)
            .map_or(price.amount, |this_price| this_price.amount.max(price.amount));
        price.amount = most;
    }
    book
}

/// The scenario at the prices of a book, stages too: each has its own share of them.
pub(crate) fn scenario_at_prices(scenario: &Scenario, prices: &PriceBook) -> Scenario {
    scenario.map_stages(|_, scenario| Scenario { prices: prices.clone(), ..scenario })
}

/// What no design is below: that of the design at the least prices, less what its own proof leaves
/// open.
fn bound_value(plan: &Plan, minimize: Minimize) -> f64 {
    plan.objective_value(minimize) * (1.0 - plan.solver.gap)
}

/// What the reader is told of the tiers that were reached.
fn describe_price_tiers(scenario: &Scenario, plan: &Plan, gap: f64) -> String {
    const PERCENT: f64 = 100.0;
    let mut parts = Vec::new();
    for line in plan.bill.iter().filter(|line| line.bought_count() > 0) {
        let Some(unit) = line.unit.as_ref().filter(|price| !price.quote.tiers.is_empty()) else {
            continue;
        };
        let (pieces, each) = (line.bought_count(), usd(unit.amount));
        parts.push(format!("{pieces} {} at {each} each", line.part));
        let item = PricedItem::Part(line.part.clone());
        let reached =
            scenario.prices.prices.get(&item).map(|price| price.for_pieces(pieces).amount);
        if let Some(reached) = reached.filter(|price| *price < unit.amount) {
            parts.push(format!("{} of so many would cost {} each", line.part, usd(reached)));
        }
    }
    let bought =
        if parts.is_empty() { "no part with tiers is bought".to_owned() } else { parts.join(", ") };
    let proof = match gap > 0.0 {
        false if plan.is_interrupted() => "not all tiers were compared".to_owned(),
        true => format!(
            "a design that reaches other tiers may save {:.2} % of what is minimised at most: that \
             is the design at the least price of every tier",
            PERCENT * gap
        ),
        false => "no design at other tiers is better: at the least price of every tier none is"
            .to_owned(),
    };
    format!("{bought}; pieces are never bought to reach a tier alone; {proof}")
}

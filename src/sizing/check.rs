//! What a choice of builds uses and costs, by plain arithmetic: the judge of every answer,
//! whoever found it. Uses no solver and nothing of the program.

use super::problem::SizingProblem;
use crate::units::{ROUNDING, Usd, Watts};

/// A choice of builds, added up.
#[derive(Clone, Debug, PartialEq)]
pub struct PartTally {
    /// Switches in use by model.
    pub used: Vec<u64>,
    /// Switches of those that come from stock: as many as there are.
    pub owned: Vec<u64>,
    pub ends: u64,
    /// Transceivers of those that come from stock.
    pub owned_ends: u64,
    /// Price of all that is bought.
    pub capex: Usd,
    /// Power of all that is in use.
    pub power: Watts,
    /// What the objective makes of both.
    pub cost: Usd,
    /// Bandwidth across the middle of the rails, in links.
    pub bisection: f64,
    /// Every class is covered and no limit is exceeded.
    pub feasible: bool,
}

/// What given switches and links cost.
pub(super) struct PricedAnswer {
    pub(super) owned: Vec<u64>,
    pub(super) ends: u64,
    pub(super) owned_ends: u64,
    pub(super) capex: Usd,
    pub(super) power: Watts,
    pub(super) cost: Usd,
    /// Supply, power, money and racks suffice.
    pub(super) allowed: bool,
}

/// Prices switches by model and links. Stock is always used first: it is free, and a switch
/// that stays in store helps nobody. Every sum grows with every count.
pub(super) fn price_answer(problem: &SizingProblem, used: &[u64], links: u64) -> PricedAnswer {
    let ends = SizingProblem::ENDS_PER_LINK * links;
    let owned: Vec<u64> =
        used.iter().zip(&problem.offers).map(|(used, offer)| (*used).min(offer.stock)).collect();
    let owned_ends = ends.min(problem.ends.stock);
    let mut allowed = true;
    let mut capex = problem.ends.price * (ends - owned_ends) as f64;
    let mut power = problem.ends.power * ends as f64;
    for ((model, used), owned) in problem.offers.iter().zip(used).zip(&owned) {
        capex += model.price * (used - owned) as f64;
        power += model.power * *used as f64;
        allowed &= model.supply.is_none_or(|supply| used - owned <= supply);
    }
    let above = |value: f64, most: f64| value > most * (1.0 + ROUNDING);
    allowed &= problem.limits.power.is_none_or(|most| !above(power.get(), most.get()));
    allowed &= problem.limits.budget.is_none_or(|most| !above(capex.get(), most.get()));
    if let Some(tco) = problem.limits.tco {
        allowed &= !above((capex + tco.energy_per_watt * power.get()).get(), tco.max_cost.get());
    }
    allowed &=
        problem.limits.racks.as_ref().is_none_or(|racks| racks.racks_used(used) <= racks.max_racks);
    let cost = problem.objective_value(capex, power);
    PricedAnswer { owned, ends, owned_ends, capex, power, cost, allowed }
}

/// Copies by class and column, and what they add up to.
#[derive(Clone, Debug)]
pub(super) struct TalliedCopies {
    pub(super) copies: Vec<Vec<u64>>,
    pub(super) tally: PartTally,
}

impl TalliedCopies {
    pub(super) fn new(problem: &SizingProblem, copies: Vec<Vec<u64>>) -> Self {
        Self { tally: tally_parts(problem, &copies), copies }
    }

    /// The objective, in dollars.
    pub(super) const fn cost(&self) -> f64 {
        self.tally.cost.get()
    }
}

/// Adds up `copies[class][column]`.
#[must_use]
pub fn tally_parts(problem: &SizingProblem, copies: &[Vec<u64>]) -> PartTally {
    let mut used = vec![0; problem.offers.len()];
    let (mut links, mut bisection) = (0_u64, 0.0);
    let mut feasible = true;
    for (class, copies) in problem.classes.iter().zip(copies) {
        let mut rails = 0_u64;
        for (column, copies) in class.columns.iter().zip(copies) {
            rails += column.rails * copies;
            links += column.links * copies;
            bisection += column.bisection * *copies as f64;
            for (used, switches) in used.iter_mut().zip(&column.pieces) {
                *used += switches * copies;
            }
        }
        feasible &= rails >= class.rails;
    }
    let priced = price_answer(problem, &used, links);
    feasible &= priced.allowed;
    let PricedAnswer { owned, ends, owned_ends, capex, power, cost, .. } = priced;
    PartTally { used, owned, ends, owned_ends, capex, power, cost, bisection, feasible }
}

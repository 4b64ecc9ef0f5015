//! What builds at each stage cost together, by plain arithmetic: a part is bought at the stage that
//! first needs it, and is there from then on. Uses no solver.

use super::problem::StagesProblem;
use crate::sizing::check::tally_parts;
use crate::sizing::problem::SizingProblem;
use crate::units::Usd;

/// What is built at each stage, added up.
#[derive(Clone, Debug)]
pub(super) struct StageBuilds {
    /// Copies by stage, class and column.
    pub(super) copies: Vec<Vec<Vec<u64>>>,
    pub(super) sum: StagesSum,
}

impl StageBuilds {
    pub(super) fn from_copies(growth: &StagesProblem, copies: Vec<Vec<Vec<u64>>>) -> Self {
        Self { sum: sum(growth, &copies), copies }
    }

    /// The objective over all stages, in dollars.
    pub(super) const fn cost(&self) -> f64 {
        self.sum.cost.get()
    }
}

/// All stages, added up.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StagesSum {
    /// The objective over all stages.
    pub(super) cost: Usd,
    /// What is paid, on the day of each stage.
    pub(super) paid: Usd,
    /// What is bought at each stage, in the money of one day.
    pub(super) bought: Vec<Usd>,
    /// Every stage is covered, and no limit is exceeded.
    pub(super) feasible: bool,
}

impl StagesSum {
    /// Dollars times the stages that they wait; more is better at the same cost.
    pub(super) fn dollar_stages_waited(&self) -> f64 {
        self.bought.iter().enumerate().map(|(stage, money)| money.get() * stage as f64).sum()
    }
}

/// Adds up `copies[stage][class][column]`.
fn sum(growth: &StagesProblem, copies: &[Vec<Vec<u64>>]) -> StagesSum {
    /// Relative slack of the budget: rounding of sums, far below a cent.
    const ROUNDING: f64 = 1e-9;
    let mut hand = PartsInHand::from_stock(growth);
    let nothing =
        StagesSum { cost: Usd::ZERO, paid: Usd::ZERO, bought: Vec::new(), feasible: true };
    let mut sum = nothing;
    for ((stage, copies), paid) in growth.stages.iter().zip(copies).zip(&growth.paid) {
        let tally = tally_parts(&hand.parts_in_hand(stage), copies);
        sum.cost += tally.cost;
        sum.paid += tally.capex * *paid;
        sum.bought.push(tally.capex);
        sum.feasible &= tally.feasible;
        hand.keep_bought(&tally.used);
    }
    if let Some(budget) = growth.budget {
        sum.feasible &= sum.paid.get() <= budget.get() * (1.0 + ROUNDING);
    }
    sum
}

/// Parts in hand by model, and what more can be bought.
pub(super) struct PartsInHand {
    has: Vec<u64>,
    supply: Vec<Option<u64>>,
}

impl PartsInHand {
    /// What is owned before the first stage.
    pub(super) fn from_stock(growth: &StagesProblem) -> Self {
        let models = growth.stages.first().map_or(&[][..], |first| &first.models);
        Self {
            has: models.iter().map(|model| model.stock).collect(),
            supply: models.iter().map(|model| model.supply).collect(),
        }
    }

    /// A stage with what is in hand as its stock.
    pub(super) fn parts_in_hand(&self, stage: &SizingProblem) -> SizingProblem {
        let mut dealt = stage.clone();
        for ((model, has), supply) in dealt.models.iter_mut().zip(&self.has).zip(&self.supply) {
            model.stock = *has;
            model.supply = *supply;
        }
        dealt
    }

    /// What a stage uses is there from then on.
    pub(super) fn keep_bought(&mut self, used: &[u64]) {
        for ((has, supply), used) in self.has.iter_mut().zip(&mut self.supply).zip(used) {
            let bought = used.saturating_sub(*has);
            *has += bought;
            *supply = supply.map(|left| left.saturating_sub(bought));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::StagesSum;
    use crate::units::quantity::Usd;

    /// A dollar waits as many stages as lie before its own: 2 · 1 + 3 · 2.
    #[test]
    fn money_of_a_later_stage_waits_longer() {
        let bought = [1.0, 2.0, 3.0].map(Usd::from_f64).to_vec();
        let sum = StagesSum { cost: Usd::ZERO, paid: Usd::ZERO, bought, feasible: true };
        assert!((sum.dollar_stages_waited() - 8.0).abs() < 1e-12);
    }
}

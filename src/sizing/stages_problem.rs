//! Stages of a cluster as data of one program: sums, bound, simple answers.

use super::check::tally_parts;
use super::lower_bound::lower_bound as of_energy;
use super::problem::SizingProblem;
use super::solution::{Proof, ProofStatus, SizingInfeasible, Status, Work};
use super::solve::solve_sizing_problem;
use super::solver_backend::Options;
use crate::units::{ROUNDING, Usd};

/// Clusters that follow one another on the same parts.
#[derive(Clone, Debug, PartialEq)]
pub struct StagesProblem {
    /// The program of each stage, the earliest first; at least one. All name the same models in the
    /// same order, transceivers among them. Prices and energy are in the money of one day. Stock
    /// and supply are those of the first stage, and are there for all. None has a budget of its
    /// own.
    pub stages: Vec<SizingProblem>,
    /// Dollars that are paid on the day of a stage for one of the money that its prices are in. No
    /// price may rise from a stage to the next, neither in that money nor as it is paid: so nothing
    /// is bought before it is needed.
    pub paid: Vec<f64>,
    /// Money for all that is bought, as it is paid.
    pub budget: Option<Usd>,
}

/// What is built at each stage.
#[derive(Clone, Debug, PartialEq)]
pub struct StagesSolution {
    /// Copies of each column, by stage and class.
    pub copies: Vec<Vec<Vec<u64>>>,
    /// The objective over all stages, in the money of one day.
    pub cost: Usd,
    /// What is paid for all that is bought.
    pub paid: Usd,
    /// No answer can cost less than this.
    pub bound: Usd,
    /// How far the answer is proven.
    pub status: Status,
    /// What the claim rests on.
    pub proof: Proof,
    /// What the solver did for it.
    pub work: Work,
}

impl StagesSolution {
    /// How far it is proven.
    #[must_use]
    pub fn proof_status(&self) -> ProofStatus {
        ProofStatus::from_status(self.status, self.proof, self.cost, self.bound)
    }
}

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
    owned: Vec<u64>,
    supply: Vec<Option<u64>>,
}

impl PartsInHand {
    /// What is owned before the first stage.
    pub(super) fn from_stock(growth: &StagesProblem) -> Self {
        let models = growth.stages.first().map_or(&[][..], |first| &first.offers);
        Self {
            owned: models.iter().map(|model| model.stock).collect(),
            supply: models.iter().map(|model| model.supply).collect(),
        }
    }

    /// A stage with what is in hand as its stock.
    pub(super) fn parts_in_hand(&self, stage: &SizingProblem) -> SizingProblem {
        let mut dealt = stage.clone();
        for ((model, has), supply) in dealt.offers.iter_mut().zip(&self.owned).zip(&self.supply) {
            model.stock = *has;
            model.supply = *supply;
        }
        dealt
    }

    /// What a stage uses is there from then on.
    pub(super) fn keep_bought(&mut self, used: &[u64]) {
        for ((has, supply), used) in self.owned.iter_mut().zip(&mut self.supply).zip(used) {
            let bought = used.saturating_sub(*has);
            *has += bought;
            *supply = supply.map(|left| left.saturating_sub(bought));
        }
    }
}

/// Dollars that no answer can stay below. A stage pays at least what it would alone: what it finds
/// in hand was bought at no lower price. The others at least draw power.
///
/// # Errors
/// Why a stage can't be built alone.
pub(super) fn lower_bound(
    growth: &StagesProblem,
    options: &Options,
) -> Result<f64, SizingInfeasible> {
    let hand = PartsInHand::from_stock(growth);
    let mut alone = Vec::new();
    for stage in &growth.stages {
        alone.push(solve_sizing_problem(&hand.parts_in_hand(stage), options)?.bound.get());
    }
    let energy = growth.stages.iter().map(|stage| {
        let drawn = SizingProblem { counts_money: false, ..stage.clone() };
        of_energy(&drawn).unwrap_or(0.0)
    });
    let energy: Vec<f64> = energy.collect();
    let all: f64 = energy.iter().sum();
    let least = alone.iter().zip(&energy).map(|(alone, own)| alone + (all - own));
    Ok(least.fold(0.0, f64::max))
}

/// Simple answers, whether or not the money for all suffices.
pub(super) fn simple_answers(
    growth: &StagesProblem,
    options: &Options,
) -> impl Iterator<Item = StageBuilds> {
    let both = [build_each_as_last(growth, options), build_last_first(growth, options)];
    both.into_iter().flatten().map(|copies| StageBuilds::from_copies(growth, copies))
}

/// Each stage as if it were the last.
fn build_each_as_last(growth: &StagesProblem, options: &Options) -> Option<Vec<Vec<Vec<u64>>>> {
    let mut hand = PartsInHand::from_stock(growth);
    let mut all = Vec::new();
    for stage in &growth.stages {
        let found = solve_sizing_problem(&hand.parts_in_hand(stage), options).ok()?;
        hand.keep_bought(&found.used);
        all.push(found.copies);
    }
    Some(all)
}

/// The last stage by itself; the others as if its parts were there already.
fn build_last_first(growth: &StagesProblem, options: &Options) -> Option<Vec<Vec<Vec<u64>>>> {
    let mut hand = PartsInHand::from_stock(growth);
    let (last, others) = growth.stages.split_last()?;
    let end = solve_sizing_problem(&hand.parts_in_hand(last), options).ok()?;
    hand.keep_bought(&end.used);
    let mut all = Vec::new();
    for stage in others {
        all.push(solve_sizing_problem(&hand.parts_in_hand(stage), options).ok()?.copies);
    }
    all.push(end.copies);
    Some(all)
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

//! Shadow prices for whoever makes columns: at which weights a column that is missing would lower
//! the bound, and how heavy one may be that is in a best answer. Makes none itself.

use super::bound::cheapest_bought;
use super::check::tally_parts;
use super::duals::ShadowPrices;
use super::problem::{Class, SizingProblem};
use super::solution::Solution;

/// How many times the cost of what is bought at will is out of reach.
const OUT_OF_REACH: f64 = 8.0;

/// Prices at which columns are worth making, of a problem with one class of rails.
#[derive(Clone, Debug)]
pub struct PricingOracle {
    duals: ShadowPrices,
    /// Weight of a switch by model, its energy included.
    pub switches: Vec<f64>,
    /// Weight of a link with its two ends.
    pub link: f64,
}

impl PricingOracle {
    /// The prices that bound a problem best, towards the cost of an answer of it.
    #[must_use]
    pub fn from_solution(problem: &SizingProblem, known: &Solution) -> Option<Self> {
        Self::for_target_cost(problem, tally_parts(problem, &known.copies).cost.get())
    }

    /// The prices of a problem that has no answer yet: what is scarce costs so much that a bound reaches
    /// many times what all would cost were it bought.
    #[must_use]
    pub fn without_answer(problem: &SizingProblem) -> Option<Self> {
        Self::for_target_cost(problem, OUT_OF_REACH * cheapest_bought(problem)?)
    }

    fn for_target_cost(problem: &SizingProblem, target: f64) -> Option<Self> {
        let duals = ShadowPrices::from_dual_ascent(problem, target)?;
        let switches = (0..problem.models.len()).map(|model| duals.switch_price(problem, model));
        let (switches, link) = (switches.collect(), duals.link_price(problem));
        Some(Self { duals, switches, link })
    }

    /// Dollars that no answer stays below which is made of columns none of which is lighter than the
    /// lightest of the problem for as many rails.
    #[must_use]
    pub fn cost_lower_bound(&self, problem: &SizingProblem) -> f64 {
        let Some(class) = problem.classes.first() else { return 0.0 };
        let rests = self.duals.cover_values(problem, class);
        rests.last().copied().flatten().map_or(0.0, |whole| whole + self.duals.constant_cost())
    }

    /// The most that a column of 1, 2, … rails may weigh that is in an answer which costs no more than
    /// `known` dollars.
    #[must_use]
    pub fn max_column_weight(
        &self,
        problem: &SizingProblem,
        class: &Class,
        known: f64,
    ) -> Vec<f64> {
        let rests = self.duals.cover_values(problem, class);
        let left = |rails: u64| class.rails.saturating_sub(rails) as usize;
        let most = |rails: u64| match rests.get(left(rails)).copied().flatten() {
            Some(rest) => known - self.duals.constant_cost() - rest,
            None => f64::NEG_INFINITY,
        };
        (1..=class.rails).map(most).collect()
    }
}

//! What no way through the stages stays below: the dearest of the stages alone, and the energy of
//! the others.

use super::problem::StagesProblem;
use super::sum::PartsInHand;
use crate::sizing::back_end::Options;
use crate::sizing::bound::lower_bound as of_energy;
use crate::sizing::problem::SizingProblem;
use crate::sizing::solution::SizingInfeasible;
use crate::sizing::solve::solve_sizing_problem;

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

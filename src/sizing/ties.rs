//! Among answers of the same cost: more bisection, then fewer models, then fewer switches.

use super::back_end::Options;
use super::bound::{lower_bound, same_cost};
use super::check::{PartTally, tally_parts};
use super::problem::SizingProblem;
use super::program::solve_program;
use super::start::{best_start, is_better_tally};
use super::variables::{Goal, KILO};
use super::work::Work;
use crate::units::Usd;

/// What an answer may cost in the solver's eyes that ties with a known one, in k$.
pub(super) fn tied_cost(known: Usd) -> f64 {
    /// A hundredth of a cent per million dollars.
    const SLACK: f64 = 1e-10;
    known.get() / KILO * (1.0 + SLACK)
}

/// The best of the answers that cost as much as `known`, as far as the solver finds it.
pub(super) fn break_ties(
    problem: &SizingProblem,
    known: (Vec<Vec<u64>>, PartTally),
    options: &Options,
    work: &mut Work,
) -> (Vec<Vec<u64>>, PartTally) {
    let cost = tied_cost(known.1.cost);
    let answer = solve_program(problem, Goal::Tie { cost }, options);
    *work = work.add_run(answer.as_ref().map_or(0, |answer| answer.nodes));
    let Some(answer) = answer else {
        return known;
    };
    let sum = tally_parts(problem, &answer.copies);
    let tied = sum.feasible && same_cost(sum.cost.get(), known.1.cost.get());
    let found = if tied && is_better_tally(&sum, &known.1) { (answer.copies, sum) } else { known };
    fewer_models(problem, found)
}

/// An answer of equal cost and bisection with one model fewer, where a simple one has it.
fn fewer_models(
    problem: &SizingProblem,
    known: (Vec<Vec<u64>>, PartTally),
) -> (Vec<Vec<u64>>, PartTally) {
    let used: Vec<usize> =
        (0..problem.models.len()).filter(|model| known.1.used[*model] > 0).collect();
    if used.len() < 2 {
        return known;
    }
    for model in used {
        let keep: Vec<bool> = (0..problem.models.len()).map(|index| index != model).collect();
        let reduced = problem.keep_models(&keep);
        let hopeful = lower_bound(&reduced)
            .filter(|bound| *bound <= known.1.cost.get() || same_cost(*bound, known.1.cost.get()));
        let Some(bound) = hopeful else { continue };
        if let Some((copies, sum)) = best_start(&reduced, bound)
            && same_cost(sum.cost.get(), known.1.cost.get())
            && sum.bisection >= known.1.bisection
        {
            return (copies, sum);
        }
    }
    known
}

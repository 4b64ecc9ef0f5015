//! A cluster that grows: what one stage bought, the later ones have. Each stage is a program of its
//! own; what ties them is what is in hand, and the money for all. Sizes no stage by itself.

mod bound;
mod problem;
mod program;
mod start;
mod sum;

pub use self::problem::{StagesProblem, StagesSolution};

use self::bound::lower_bound;
use self::program::{StagesGoal, solve_stages_program};
use self::start::simple_answers;
use self::sum::{PartsInHand, StageBuilds};
use super::back_end::Options;
use super::back_end::ReadyModel;
use super::bound::same_cost;
use super::check::tally_parts;
use super::problem::SizingProblem;
use super::solution::{LimitNeed, Proof, SizingInfeasible, Status};
use super::ties::tied_cost;
use super::variables::{KILO, Variables};
use super::work::Work;
use crate::units::Usd;

/// The program over all stages as a solver gets it, with the variables of each stage.
pub(super) fn pose_stages_program(growth: &StagesProblem) -> (ReadyModel, Vec<Variables>) {
    let (ready, _, vars) = program::pose_program(growth, StagesGoal::Cost);
    (ready, vars)
}

/// Every stage with what is in hand then as its stock, where so many copies are built at each.
pub(super) fn stock_per_stage(
    growth: &StagesProblem,
    copies: &[Vec<Vec<u64>>],
) -> Vec<SizingProblem> {
    let mut hand = PartsInHand::from_stock(growth);
    let one = |(stage, copies): (&SizingProblem, &Vec<Vec<u64>>)| {
        let dealt = hand.parts_in_hand(stage);
        hand.keep_bought(&tally_parts(&dealt, copies).used);
        dealt
    };
    growth.stages.iter().zip(copies).map(one).collect()
}

/// The cheapest way through all stages. Of equal ones the one that pays later, then that with fewer
/// parts.
///
/// The simple answers are to size one stage after another, and the last one first; the program is
/// asked where neither meets a bound by arithmetic. Its answer is added up again without it.
///
/// # Errors
/// Why a stage can't be built even with all parts to itself, or what the whole would cost at least
/// where that is more than there is.
pub fn solve_stages(
    growth: &StagesProblem,
    options: &Options,
) -> Result<StagesSolution, SizingInfeasible> {
    let bound = lower_bound(growth, options)?;
    let start =
        simple_answers(growth, options).filter(|found| found.sum.feasible).min_by(compare_cost);
    if let Some(found) = &start
        && same_cost(found.cost(), bound)
    {
        let mut work = Work::ONE;
        let found = latest_paying_answer(growth, found.clone(), options, &mut work);
        return Ok(stages_solution(found, bound, (Status::Optimal, Proof::Bound), work));
    }
    let solved = solve_stages_program(growth, StagesGoal::Cost, options);
    let mut work = Work::ONE.add_run(solved.as_ref().map_or(0, |solved| solved.nodes));
    let proven = solved.as_ref().is_some_and(|solved| solved.proven);
    let below = solved.as_ref().and_then(|solved| solved.bound).map(|bound| bound * KILO);
    let solved = solved.map(|solved| StageBuilds::from_copies(growth, solved.copies));
    let solved = solved.filter(|found| found.sum.feasible && !is_below_bound(found, bound));
    let solver_cost = solved.as_ref().map(StageBuilds::cost);
    let Some(best) = start.into_iter().chain(solved).min_by(compare_cost) else {
        return Err(short_of_money(growth, options));
    };
    if proven && solver_cost.is_some_and(|cost| same_cost(cost, best.cost())) {
        let best = latest_paying_answer(growth, best, options, &mut work);
        let bound = best.cost();
        return Ok(stages_solution(best, bound, (Status::Optimal, Proof::Solver), work));
    }
    // A bound above a feasible answer's cost would be wrong, and the solver with it.
    let bound = below.filter(|below| *below <= best.cost()).map_or(bound, |value| value.max(bound));
    Ok(stages_solution(best, bound, (Status::Incumbent, Proof::Check), work))
}

fn compare_cost(one: &StageBuilds, other: &StageBuilds) -> std::cmp::Ordering {
    one.cost().total_cmp(&other.cost())
}

fn is_below_bound(found: &StageBuilds, bound: f64) -> bool {
    found.cost() < bound && !same_cost(found.cost(), bound)
}

/// Of the answers that cost as much as a known one, that which pays latest, as far as the solver
/// finds it.
fn latest_paying_answer(
    growth: &StagesProblem,
    known: StageBuilds,
    options: &Options,
    work: &mut Work,
) -> StageBuilds {
    let goal = StagesGoal::Later { cost: tied_cost(known.sum.cost) };
    let solved = solve_stages_program(growth, goal, options);
    *work = work.add_run(solved.as_ref().map_or(0, |solved| solved.nodes));
    let Some(solved) = solved else { return known };
    let found = StageBuilds::from_copies(growth, solved.copies);
    let tied = found.sum.feasible && same_cost(found.cost(), known.cost());
    if tied && found.sum.dollar_stages_waited() > known.sum.dollar_stages_waited() {
        found
    } else {
        known
    }
}

/// Every stage can be built, so the budget for all of them does not suffice: what would.
fn short_of_money(growth: &StagesProblem, options: &Options) -> SizingInfeasible {
    let Some(has) = growth.budget else { return SizingInfeasible::Unknown };
    let free = StagesProblem { budget: None, ..growth.clone() };
    let solved =
        solve_stages_program(&free, StagesGoal::Paid, options).filter(|solved| solved.proven);
    match solved.map(|solved| StageBuilds::from_copies(&free, solved.copies).sum) {
        Some(sum) if sum.feasible && sum.paid > has => {
            SizingInfeasible::Clash { needs: vec![LimitNeed::Budget { has, needs: sum.paid }] }
        }
        _ => SizingInfeasible::Unknown,
    }
}

fn stages_solution(
    StageBuilds { copies, sum }: StageBuilds,
    bound: f64,
    (status, proof): (Status, Proof),
    work: Work,
) -> StagesSolution {
    let bound = Usd::from_f64(bound);
    StagesSolution { copies, cost: sum.cost, paid: sum.paid, bound, status, proof, work }
}

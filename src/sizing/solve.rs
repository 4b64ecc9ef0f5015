//! Solving a problem: simple answers, a bound, the program, the check, and what to do when the
//! solver fails.

use super::check::TalliedCopies;
use super::constraints::{Goal, KILO};
use super::enumeration::enumerate_covers;
use super::infeasibility::feasible_point;
use super::lower_bound::{best_start, is_better_tally, lower_bound, same_cost};
use super::problem::SizingProblem;
use super::program::{break_ties, solve_program};
use super::shadow_prices::ShadowPrices;
use super::solution::{Proof, SizingInfeasible, Solution, Status, Work};
use super::solver_backend::Options;
use crate::units::Usd;

/// The cheapest way to carry all rails.
///
/// Ties are broken towards more bisection, then fewer switches. Whatever the solver says is added
/// up again by [`super::tally_parts`]; the answer is called optimal only where its cost meets a
/// lower bound, the solver closed its search on an answer that passes the check, or every
/// combination was ruled out.
///
/// # Errors
/// Why nothing can be built: no build at all, a smallest set of clashing limits, or that the
/// solver found neither an answer nor a proof.
pub fn solve_sizing_problem(
    problem: &SizingProblem,
    options: &Options,
) -> Result<Solution, SizingInfeasible> {
    for class in &problem.classes {
        if class.rails > 0 && class.columns.iter().all(|column| column.rails == 0) {
            return Err(SizingInfeasible::NoBuild { class: class.name.clone() });
        }
    }
    let mut work = Work::ONE.with_steps(ShadowPrices::search_steps_upper_bound(problem));
    let bound = lower_bound(problem).unwrap_or(0.0);
    let start = match best_start(problem, bound) {
        Some(start) => start,
        None => TalliedCopies::new(problem, feasible_point(problem, options, &mut work)?),
    };
    if same_cost(start.cost(), bound) {
        return Ok(solution_from_copies(start, bound, Status::Optimal, Proof::Bound, work));
    }
    let mut known = start.cost();
    let mut found = search_from_start(problem, start, bound, options, work);
    // A better answer rules out more: the same effort may then find a better one yet, or close the
    // search.
    while found.status == Status::Incumbent && found.cost.get() < known * (1.0 - CHECKED) {
        known = found.cost.get();
        let start = TalliedCopies::new(problem, found.copies.clone());
        found = search_from_start(problem, start, found.bound.get(), options, found.work);
    }
    Ok(found)
}

/// The best answer that one search finds, no worse than the one that it starts from.
fn search_from_start(
    problem: &SizingProblem,
    start: TalliedCopies,
    bound: f64,
    options: &Options,
    work: Work,
) -> Solution {
    let Some(duals) = ShadowPrices::from_dual_ascent(problem, start.cost()) else {
        return solve_by_solver(problem, start, bound, None, options, work);
    };
    let bound =
        if duals.has_reached_cost(start.cost()) { start.cost() } else { bound.max(duals.bound) };
    // Few columns are left where the bound is close, and trying them all is quick.
    let left = duals.drop_hopeless_columns(problem, start.cost());
    let tried =
        enumerate_covers(&left, Some(start.clone()), Some(&duals), options.comparisons.min(QUICK));
    let work = work.with_steps(tried.comparisons * STEPS_OF_A_COMPARISON);
    let best = tried.best.unwrap_or(start);
    if tried.finished {
        let cost = best.cost();
        return solution_from_copies(best, cost, Status::Optimal, Proof::Enumeration, work);
    }
    let left = duals.drop_hopeless_columns(problem, best.cost());
    solve_by_solver(&left, best, bound, Some(&duals), options, work)
}

/// Comparisons of partial answers before the solver is asked.
const QUICK: u64 = 4_000_000;

/// Steps of a comparison, and of an entry of the program at a node of the solver.
const STEPS_OF_A_COMPARISON: u64 = 4;
const STEPS_OF_AN_ENTRY: u64 = 16;

/// Relative rounding that an answer may lie below its lower bound.
const CHECKED: f64 = 1e-9;

/// Asks the solver; where that fails every combination is tried.
fn solve_by_solver(
    problem: &SizingProblem,
    start: TalliedCopies,
    bound: f64,
    duals: Option<&ShadowPrices>,
    options: &Options,
    work: Work,
) -> Solution {
    let found = solve_program(problem, Goal::Cost, options);
    let nodes = found.as_ref().map_or(0, |found| found.nodes);
    let columns: usize = problem.classes.iter().map(|class| class.columns.len()).sum();
    let entries = (columns * (problem.offers.len() + 2)) as u64;
    let mut work = work.add_run(nodes).with_steps(nodes.max(1) * entries * STEPS_OF_AN_ENTRY);
    let Some(found) = found else {
        return solve_by_enumeration(problem, start, bound, duals, options, work);
    };
    let answer = TalliedCopies::new(problem, found.copies);
    let sound = answer.tally.feasible && answer.cost() >= bound - bound.abs() * CHECKED;
    let no_worse =
        !is_better_tally(&start.tally, &answer.tally) || same_cost(start.cost(), answer.cost());
    let is_better = sound && is_better_tally(&answer.tally, &start.tally);
    let best = if is_better { answer } else { start };
    if sound && found.proven && no_worse {
        let tied = break_ties(problem, best, options, &mut work);
        let bound = tied.cost();
        return solution_from_copies(tied, bound, Status::Optimal, Proof::Solver, work);
    }
    // A bound above a feasible answer's cost would be wrong, and the solver with it.
    let proven = found.bound.map_or(bound, |solver| bound.max(solver * KILO));
    let bound = if proven <= best.cost() * (1.0 + CHECKED) { proven } else { bound };
    solve_by_enumeration(problem, best, bound, duals, options, work)
}

/// Tries every combination; where there are too many, keeps what is known and says so.
fn solve_by_enumeration(
    problem: &SizingProblem,
    known: TalliedCopies,
    bound: f64,
    duals: Option<&ShadowPrices>,
    options: &Options,
    work: Work,
) -> Solution {
    let tried = enumerate_covers(problem, Some(known.clone()), duals, options.comparisons);
    let work = work.with_steps(tried.comparisons * STEPS_OF_A_COMPARISON);
    let best = tried.best.unwrap_or(known);
    if tried.finished {
        let bound = best.cost();
        solution_from_copies(best, bound, Status::Optimal, Proof::Enumeration, work)
    } else {
        solution_from_copies(best, bound, Status::Incumbent, Proof::Check, work)
    }
}

fn solution_from_copies(
    answer: TalliedCopies,
    bound: f64,
    status: Status,
    proof: Proof,
    work: Work,
) -> Solution {
    let TalliedCopies { copies, tally: sum } = answer;
    Solution {
        copies,
        used: sum.used,
        owned: sum.owned,
        ends: sum.ends,
        owned_ends: sum.owned_ends,
        capex: sum.capex,
        power: sum.power,
        cost: sum.cost,
        bound: Usd::from_f64(bound),
        status,
        proof,
        work,
    }
}

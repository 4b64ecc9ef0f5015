//! Solving a problem: simple answers, a bound, the program, the check, and what to do when the
//! solver fails.

use super::check::{PartTally, tally_parts};
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
        None => {
            let copies = feasible_point(problem, options, &mut work)?;
            let sum = tally_parts(problem, &copies);
            (copies, sum)
        }
    };
    if same_cost(start.1.cost.get(), bound) {
        return Ok(solution_from_copies(
            start.0,
            start.1,
            bound,
            Status::Optimal,
            Proof::Bound,
            work,
        ));
    }
    let mut known = start.1.cost.get();
    let mut found = search_from_start(problem, start, bound, options, work);
    // A better answer rules out more: the same effort may then find a better one yet, or close the
    // search.
    while found.status == Status::Incumbent && found.cost.get() < known * (1.0 - CHECKED) {
        known = found.cost.get();
        let start = (found.copies.clone(), tally_parts(problem, &found.copies));
        found = search_from_start(problem, start, found.bound.get(), options, found.work);
    }
    Ok(found)
}

/// The best answer that one search finds, no worse than the one that it starts from.
fn search_from_start(
    problem: &SizingProblem,
    start: (Vec<Vec<u64>>, PartTally),
    bound: f64,
    options: &Options,
    work: Work,
) -> Solution {
    let Some(duals) = ShadowPrices::from_dual_ascent(problem, start.1.cost.get()) else {
        return solve_by_solver(problem, start, bound, None, options, work);
    };
    let bound = if duals.has_reached_cost(start.1.cost.get()) {
        start.1.cost.get()
    } else {
        bound.max(duals.bound)
    };
    // Few columns are left where the bound is close, and trying them all is quick.
    let left = duals.drop_hopeless_columns(problem, start.1.cost.get());
    let tried =
        enumerate_covers(&left, Some(start.clone()), Some(&duals), options.comparisons.min(QUICK));
    let work = work.with_steps(tried.comparisons * STEPS_OF_A_COMPARISON);
    let best = tried.best.unwrap_or(start);
    if tried.finished {
        let cost = best.1.cost.get();
        return solution_from_copies(
            best.0,
            best.1,
            cost,
            Status::Optimal,
            Proof::Enumeration,
            work,
        );
    }
    let left = duals.drop_hopeless_columns(problem, best.1.cost.get());
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
    start: (Vec<Vec<u64>>, PartTally),
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
    let sum = tally_parts(problem, &found.copies);
    let sound = sum.feasible && sum.cost.get() >= bound - bound.abs() * CHECKED;
    let no_worse =
        !is_better_tally(&start.1, &sum) || same_cost(start.1.cost.get(), sum.cost.get());
    let best = if sound && is_better_tally(&sum, &start.1) { (found.copies, sum) } else { start };
    if sound && found.proven && no_worse {
        let tied = break_ties(problem, best, options, &mut work);
        let bound = tied.1.cost.get();
        return solution_from_copies(tied.0, tied.1, bound, Status::Optimal, Proof::Solver, work);
    }
    // A bound above a feasible answer's cost would be wrong, and the solver with it.
    let proven = found.bound.map_or(bound, |solver| bound.max(solver * KILO));
    let bound = if proven <= best.1.cost.get() * (1.0 + CHECKED) { proven } else { bound };
    solve_by_enumeration(problem, best, bound, duals, options, work)
}

/// Tries every combination; where there are too many, keeps what is known and says so.
fn solve_by_enumeration(
    problem: &SizingProblem,
    known: (Vec<Vec<u64>>, PartTally),
    bound: f64,
    duals: Option<&ShadowPrices>,
    options: &Options,
    work: Work,
) -> Solution {
    let tried = enumerate_covers(problem, Some(known.clone()), duals, options.comparisons);
    let work = work.with_steps(tried.comparisons * STEPS_OF_A_COMPARISON);
    let best = tried.best.unwrap_or(known);
    if tried.finished {
        let bound = best.1.cost.get();
        solution_from_copies(best.0, best.1, bound, Status::Optimal, Proof::Enumeration, work)
    } else {
        solution_from_copies(best.0, best.1, bound, Status::Incumbent, Proof::Check, work)
    }
}

fn solution_from_copies(
    copies: Vec<Vec<u64>>,
    sum: PartTally,
    bound: f64,
    status: Status,
    proof: Proof,
    work: Work,
) -> Solution {
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

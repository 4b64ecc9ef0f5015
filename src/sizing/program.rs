//! Poses and solves the program; breaks ties.
//!
//! Data → variables → constraints → objective → solve → read-out.
//!
//! Money is in k$, power in kW, so that the coefficients of a row stay within six orders of
//! magnitude. No binaries here: one for each choice stands in the program over choices.

use good_lp::{Expression, ProblemVariables};

use super::check::TalliedCopies;
use super::constraints::{self, Goal, KILO, Variables, declare_variables, read_copies};
use super::lower_bound::{best_start, is_better_tally, lower_bound, same_cost};
use super::problem::SizingProblem;
use super::solution::Work;
use super::solver_backend::{Options, ReadyModel, minimise_model};
use crate::units::Usd;

/// Copies by class and column, and whether the solver proved that nothing does better.
pub(super) struct ProgramAnswer {
    pub(super) copies: Vec<Vec<u64>>,
    pub(super) proven: bool,
    /// No point has a better objective than this, in the program's units.
    pub(super) bound: Option<f64>,
    /// Nodes of the solver's search tree.
    pub(super) nodes: u64,
}

/// Solves one program; `None` where the solver found no point, or one that is no point.
pub(super) fn solve_program(
    problem: &SizingProblem,
    goal: Goal<'_>,
    options: &Options,
) -> Option<ProgramAnswer> {
    let (ready, vars) = pose_program(problem, goal);
    let solved = minimise_model(ready, options)?;
    let copies = read_copies(&vars, solved.values.into_iter())?;
    Some(ProgramAnswer { copies, proven: solved.proven, bound: solved.bound, nodes: solved.nodes })
}

/// The program as a solver gets it, with its variables.
pub(super) fn pose_program(problem: &SizingProblem, goal: Goal<'_>) -> (ReadyModel, Variables) {
    let mut variables = ProblemVariables::new();
    let vars = declare_variables(problem, goal, &mut variables);
    let rows = constraints::Rows::from_variables(problem, &vars);
    let constraints = rows.all_constraints(problem, &vars, goal);
    let objective = program_objective(&rows, &vars, goal, problem);
    (ReadyModel { variables, objective, constraints }, vars)
}

fn program_objective(
    rows: &constraints::Rows,
    vars: &Variables,
    goal: Goal<'_>,
    problem: &SizingProblem,
) -> Expression {
    match goal {
        Goal::Cost => rows.cost.clone(),
        Goal::Tie { .. } => {
            // Bisection counts in links, of which there are at least as many as switches.
            const SWITCH: f64 = 1e-3;
            let mut tie = Expression::from(0.0);
            for (class, copies) in problem.classes.iter().zip(&vars.copies) {
                for (column, copies) in class.columns.iter().zip(copies) {
                    let switches: u64 = column.pieces.iter().sum();
                    tie.add_mul(SWITCH * switches as f64 - column.bisection, *copies);
                }
            }
            tie
        }
        Goal::Excess { .. } => vars.excess.iter().flatten().copied().sum(),
    }
}

/// What an answer may cost in the solver's eyes that ties with a known one, in k$.
pub(super) fn tied_cost(known: Usd) -> f64 {
    /// A hundredth of a cent per million dollars.
    const SLACK: f64 = 1e-10;
    known.get() / KILO * (1.0 + SLACK)
}

/// The best of the answers that cost as much as `known`, as far as the solver finds it.
pub(super) fn break_ties(
    problem: &SizingProblem,
    known: TalliedCopies,
    options: &Options,
    work: &mut Work,
) -> TalliedCopies {
    let cost = tied_cost(known.tally.cost);
    let answer = solve_program(problem, Goal::Tie { cost }, options);
    *work = work.add_run(answer.as_ref().map_or(0, |answer| answer.nodes));
    let Some(answer) = answer else {
        return known;
    };
    let found = TalliedCopies::new(problem, answer.copies);
    let tied = found.tally.feasible && same_cost(found.cost(), known.cost());
    let found = if tied && is_better_tally(&found.tally, &known.tally) { found } else { known };
    drop_a_model(problem, found)
}

/// An answer of equal cost and bisection with one model fewer, where a simple one has it.
fn drop_a_model(problem: &SizingProblem, known: TalliedCopies) -> TalliedCopies {
    let used: Vec<usize> =
        (0..problem.offers.len()).filter(|model| known.tally.used[*model] > 0).collect();
    if used.len() < 2 {
        return known;
    }
    for model in used {
        let keep: Vec<bool> = (0..problem.offers.len()).map(|index| index != model).collect();
        let reduced = problem.keep_offers(&keep);
        let hopeful = lower_bound(&reduced)
            .filter(|bound| *bound <= known.cost() || same_cost(*bound, known.cost()));
        let Some(bound) = hopeful else { continue };
        if let Some(other) = best_start(&reduced, bound)
            && same_cost(other.cost(), known.cost())
            && other.tally.bisection >= known.tally.bisection
        {
            return other;
        }
    }
    known
}

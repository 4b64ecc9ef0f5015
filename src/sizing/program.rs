//! Data → variables → constraints → objective → solve → read-out.
//!
//! Money is in k$, power in kW, so that the coefficients of a row stay within six orders of
//! magnitude. No binaries: what would need one is enumerated outside.

use good_lp::{Expression, ProblemVariables};

use super::back_end::{Options, ReadyModel, minimise_model};
use super::constraints;
use super::problem::SizingProblem;
use super::variables::{Goal, Variables, declare_variables, read_copies};

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
                    let switches: u64 = column.switches.iter().sum();
                    tie.add_mul(SWITCH * switches as f64 - column.bisection, *copies);
                }
            }
            tie
        }
        Goal::Excess { .. } => vars.excess.iter().flatten().copied().sum(),
    }
}

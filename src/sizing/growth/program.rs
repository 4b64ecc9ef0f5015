//! The program over all stages: that of each, and two rows that tie them.

use good_lp::{Constraint, Expression, ProblemVariables};

use super::problem::StagesProblem;
use crate::sizing::back_end::{Options, ReadyModel, minimise_model};
use crate::sizing::constraints::{Rows, name_row};
use crate::sizing::problem::SizingProblem;
use crate::sizing::variables::{self, KILO, Variables, declare_variables, read_copies};

/// What is minimised.
#[derive(Clone, Copy, Debug)]
pub(super) enum StagesGoal {
    /// The cost of all stages.
    Cost,
    /// What is bought early, at no more than this cost in k$; then how many parts are.
    Later {
        /// The cost.
        cost: f64,
    },
    /// What is paid, whatever it is worth today.
    Paid,
}

/// Copies by stage, class and column.
pub(super) struct StagesAnswer {
    pub(super) copies: Vec<Vec<Vec<u64>>>,
    /// The solver proved that nothing does better.
    pub(super) proven: bool,
    /// No point has a better objective than this, in the program's units.
    pub(super) bound: Option<f64>,
    /// Nodes of the solver's search tree.
    pub(super) nodes: u64,
}

/// Solves it; `None` where the solver found no point.
pub(super) fn solve_stages_program(
    growth: &StagesProblem,
    goal: StagesGoal,
    options: &Options,
) -> Option<StagesAnswer> {
    let (ready, starts, vars) = pose_program(growth, goal);
    let solved = minimise_model(ready, options)?;
    let copies = starts
        .into_iter()
        .zip(&vars)
        .map(|(start, vars)| read_copies(vars, solved.values.iter().copied().skip(start)));
    let copies = copies.collect::<Option<Vec<_>>>()?;
    Some(StagesAnswer { copies, proven: solved.proven, bound: solved.bound, nodes: solved.nodes })
}

/// The program as a solver gets it, with the variables of each stage and the place of the first of them.
pub(super) fn pose_program(
    growth: &StagesProblem,
    goal: StagesGoal,
) -> (ReadyModel, Vec<usize>, Vec<Variables>) {
    let mut variables = ProblemVariables::new();
    let stages: Vec<SizingProblem> = open_stages(growth);
    let mut starts = Vec::new();
    let mut vars: Vec<Variables> = Vec::new();
    for stage in &stages {
        starts.push(variables.iter_variables_with_def().count());
        vars.push(declare_variables(stage, variables::Goal::Cost, &mut variables));
    }
    let rows: Vec<Rows> =
        stages.iter().zip(&vars).map(|(stage, vars)| Rows::from_variables(stage, vars)).collect();
    let mut constraints = Vec::new();
    for (((stage, vars), rows), place) in stages.iter().zip(&vars).zip(&rows).zip(1..) {
        let of_stage = |row: Constraint| {
            let name = row.name().map(|name| format!("t{place}_{name}"));
            row.set_name(name.unwrap_or_default())
        };
        let rows = rows.all_constraints(stage, vars, variables::Goal::Cost);
        constraints.extend(rows.into_iter().map(of_stage));
    }
    constraints.extend(kept_rows(growth, &vars));
    constraints.extend(delivered_rows(growth, &vars));
    let paid = || {
        let each = rows.iter().zip(&growth.paid).map(|(rows, paid)| rows.capex.clone() * *paid);
        each.sum::<Expression>()
    };
    let cost: Expression = rows.iter().map(|rows| rows.cost.clone()).sum();
    if let Some(budget) = growth.budget {
        constraints.push(name_row(paid().leq(budget.get() / KILO), "budget", None));
    }
    let objective = match goal {
        StagesGoal::Cost => cost,
        StagesGoal::Paid => paid(),
        StagesGoal::Later { cost: most } => {
            constraints.push(name_row(cost.leq(most), "tied", None));
            early_spending(&rows, &vars)
        }
    };
    (ReadyModel { variables, objective, constraints }, starts, vars)
}

/// The stages, where a later one may take as much from hand as it uses: [`kept_rows`] says what is there.
fn open_stages(growth: &StagesProblem) -> Vec<SizingProblem> {
    let mut stages = growth.stages.clone();
    let supply: Vec<Option<u64>> = stages
        .first()
        .map_or_else(Vec::new, |first| first.models.iter().map(|offer| offer.supply).collect());
    for stage in stages.iter_mut().skip(1) {
        for (model, supply) in stage.models.iter_mut().zip(&supply) {
            model.stock = u64::MAX;
            model.supply = *supply;
        }
    }
    stages
}

/// `kept[t,s]`: what a stage takes from hand was owned before the first or bought before it.
fn kept_rows(growth: &StagesProblem, vars: &[Variables]) -> Vec<Constraint> {
    let Some(first) = growth.stages.first() else { return Vec::new() };
    let mut all = Vec::new();
    for (stage, now) in vars.iter().enumerate().skip(1) {
        for (model, offer) in first.models.iter().enumerate() {
            let before: Expression = vars[..stage].iter().map(|vars| vars.bought[model]).sum();
            let row = (now.owned[model] - before).leq(offer.stock as f64);
            all.push(name_row(row, &format!("kept_t{}", stage + 1), Some(&offer.name)));
        }
    }
    all
}

/// `delivered[s]`: all stages together buy no more than can be had.
fn delivered_rows(growth: &StagesProblem, vars: &[Variables]) -> Vec<Constraint> {
    let Some(first) = growth.stages.first() else { return Vec::new() };
    let limited =
        first.models.iter().enumerate().filter_map(|(model, offer)| Some((model, offer.supply?)));
    limited
        .map(|(model, supply)| {
            let bought: Expression = vars.iter().map(|vars| vars.bought[model]).sum();
            let name = &first.models[model].name;
            name_row(bought.leq(supply as f64), "delivered", Some(name))
        })
        .collect()
}

/// Money by the stages that it comes before the last, and a trifle for each part that is bought.
fn early_spending(rows: &[Rows], vars: &[Variables]) -> Expression {
    /// Far below the price of a part in k$.
    const PART: f64 = 1e-6;
    let mut sum = Expression::from(0.0);
    for (before, (rows, vars)) in rows.iter().zip(vars).rev().enumerate() {
        sum += rows.capex.clone() * before as f64;
        for bought in &vars.bought {
            sum.add_mul(PART, *bought);
        }
    }
    sum
}

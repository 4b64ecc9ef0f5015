//! Several stages: the integer program over them, and its solve.

use good_lp::{Constraint, Expression, ProblemVariables};

use super::check::tally_parts;
use super::constraints::{
    self, KILO, Rows, Variables, declare_variables, name_row, prefix_row_name, read_copies,
};
use super::lower_bound::same_cost;
use super::problem::SizingProblem;
use super::program::tied_cost;
use super::solution::{LimitNeed, Proof, SizingInfeasible, Status, Work};
use super::solver_backend::{Options, ReadyModel, minimise_model};
use super::stages_problem::{
    PartsInHand, StageBuilds, StagesProblem, StagesSolution, lower_bound, simple_answers,
};
use crate::units::Usd;

/// The program over all stages as a solver gets it, with the variables of each stage.
pub(super) fn pose_stages_program(growth: &StagesProblem) -> (ReadyModel, Vec<Variables>) {
    let (ready, _, vars) = pose_program(growth, StagesGoal::Cost);
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
        return Ok(stages_solution(found, bound, Status::Optimal, Proof::Bound, work));
    }
    let solved = solve_stages_program(growth, StagesGoal::Cost, options);
    let mut work = Work::ONE.add_run(solved.as_ref().map_or(0, |solved| solved.nodes));
    let proven = solved.as_ref().is_some_and(|solved| solved.proven);
    let below = solved.as_ref().and_then(|solved| solved.bound).map(|bound| bound * KILO);
    let solved = solved.map(|solved| StageBuilds::from_copies(growth, solved.copies));
    let solved = solved.filter(|found| found.sum.feasible && !is_below_bound(found, bound));
    let solver_cost = solved.as_ref().map(StageBuilds::cost);
    let Some(best) = start.into_iter().chain(solved).min_by(compare_cost) else {
        return Err(unmet_budget(growth, options));
    };
    if proven && solver_cost.is_some_and(|cost| same_cost(cost, best.cost())) {
        let best = latest_paying_answer(growth, best, options, &mut work);
        let bound = best.cost();
        return Ok(stages_solution(best, bound, Status::Optimal, Proof::Solver, work));
    }
    // A bound above a feasible answer's cost would be wrong, and the solver with it.
    let bound = below.filter(|below| *below <= best.cost()).map_or(bound, |value| value.max(bound));
    Ok(stages_solution(best, bound, Status::Incumbent, Proof::Check, work))
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
fn unmet_budget(growth: &StagesProblem, options: &Options) -> SizingInfeasible {
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
    status: Status,
    proof: Proof,
    work: Work,
) -> StagesSolution {
    let bound = Usd::from_f64(bound);
    StagesSolution { copies, cost: sum.cost, paid: sum.paid, bound, status, proof, work }
}

/// What is minimised.
#[derive(Clone, Copy, Debug)]
pub(super) enum StagesGoal {
    /// The cost of all stages.
    Cost,
    /// What is bought early, at no more than this cost in k$; then how many parts are.
    Later { cost: f64 },
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
fn solve_stages_program(
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

/// The program as a solver gets it, with the variables of each stage and the place of the first of
/// them.
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
        vars.push(declare_variables(stage, constraints::Goal::Cost, &mut variables));
    }
    let rows: Vec<Rows> =
        stages.iter().zip(&vars).map(|(stage, vars)| Rows::from_variables(stage, vars)).collect();
    let mut constraints = Vec::new();
    for (((stage, vars), rows), place) in stages.iter().zip(&vars).zip(&rows).zip(1..) {
        let rows = rows.all_constraints(stage, vars, constraints::Goal::Cost);
        let prefix = format!("t{place}_");
        constraints.extend(rows.into_iter().map(|row| prefix_row_name(row, &prefix)));
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

/// The stages, where a later one may take as much from hand as it uses: [`kept_rows`] says what is
/// there.
fn open_stages(growth: &StagesProblem) -> Vec<SizingProblem> {
    let mut stages = growth.stages.clone();
    let supply: Vec<Option<u64>> = stages
        .first()
        .map_or_else(Vec::new, |first| first.offers.iter().map(|offer| offer.supply).collect());
    for stage in stages.iter_mut().skip(1) {
        for (model, supply) in stage.offers.iter_mut().zip(&supply) {
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
        for (model, offer) in first.offers.iter().enumerate() {
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
        first.offers.iter().enumerate().filter_map(|(model, offer)| Some((model, offer.supply?)));
    limited
        .map(|(model, supply)| {
            let bought: Expression = vars.iter().map(|vars| vars.bought[model]).sum();
            let name = &first.offers[model].name;
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

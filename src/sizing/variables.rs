//! The variables of a program with their bounds, and what they are once it is solved.

use good_lp::{ProblemVariables, Variable, variable};

use super::problem::{Column, Offer, Racks, SizingProblem};
use super::soft;

/// Dollars in the program's unit of money, watts in its unit of power.
pub(super) const KILO: f64 = 1e3;

/// How far from a whole number a solver's value may lie and still be read as one.
const INTEGRALITY: f64 = 1e-5;

/// What a program minimises, and what it takes for granted on the way.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal<'a> {
    /// Cost under all limits.
    Cost,
    /// More bisection, then fewer switches, at no more than this cost in k$.
    Tie {
        /// The cost.
        cost: f64,
    },
    /// What limits are exceeded by, each relative to its size, where `soft` says that it may be.
    Excess {
        /// Limits that may be exceeded, in the order of [`soft::limit_index`].
        soft: &'a [bool],
    },
}

/// The variables of a program.
pub(super) struct Variables {
    /// `copies[c][b]` = how many of build b carry rails of class c (integer).
    pub(super) copies: Vec<Vec<Variable>>,
    /// `bought[s]` = switches of model s to buy.
    pub(super) bought: Vec<Variable>,
    /// `owned[s]` = switches of model s from stock.
    pub(super) owned: Vec<Variable>,
    /// Transceivers to buy.
    pub(super) bought_ends: Variable,
    /// Transceivers from stock.
    pub(super) owned_ends: Variable,
    /// `racks[s]` = racks of switches of model s (integer); none where racks are not limited.
    pub(super) racks: Vec<Variable>,
    /// `excess[r]` = what soft limit r is exceeded by, over its size.
    pub(super) excess: Vec<Option<Variable>>,
}

/// Copies by class and column from the values of a problem's variables; `None` where one is not
/// whole.
pub(super) fn read_copies(
    vars: &Variables,
    mut values: impl Iterator<Item = f64>,
) -> Option<Vec<Vec<u64>>> {
    vars.copies
        .iter()
        .map(|class| values.by_ref().take(class.len()).map(round_to_whole).collect())
        .collect()
}

/// Copies come first, so that their values do. Every bound is tight: microlp takes integer bounds as 32-bit numbers.
pub(super) fn declare_variables(
    problem: &SizingProblem,
    goal: Goal<'_>,
    variables: &mut ProblemVariables,
) -> Variables {
    let mut copies = Vec::new();
    for (place, class) in (1..).zip(&problem.classes) {
        let one = |(build, column): (usize, &Column)| {
            let most = class.max_copies(column) as f64;
            let copies = variable().integer().min(0.0).max(most);
            variables.add(copies.name(format!("x_{place}_{build}")))
        };
        copies.push((1..).zip(&class.columns).map(one).collect());
    }
    // Whole by themselves: at whole copies every use is whole, and stock and supply are.
    let mut amount =
        |most: f64, name: String| variables.add(variable().min(0.0).max(most).name(name));
    let most_used = most_used(problem);
    let elastic = |index: usize| match goal {
        Goal::Excess { soft } => soft.get(index).copied().unwrap_or(false),
        Goal::Cost | Goal::Tie { .. } => false,
    };
    let bought = problem
        .models
        .iter()
        .zip(&most_used)
        .enumerate()
        .map(|(index, (model, most))| {
            let supply = model.supply.filter(|_| !elastic(index)).unwrap_or(*most);
            amount(supply.min(*most) as f64, format!("buy_{}", model.name))
        })
        .collect();
    let owned = problem
        .models
        .iter()
        .zip(&most_used)
        .map(|(model, most)| amount(model.stock.min(*most) as f64, format!("own_{}", model.name)))
        .collect();
    let most_ends = most_ends(problem);
    let bought_ends = amount(most_ends as f64, "buy_optics".to_owned());
    let owned_ends = amount(problem.ends.stock.min(most_ends) as f64, "own_optics".to_owned());
    let excess = (0..soft::limit_count(problem))
        .map(|index| elastic(index).then(|| variables.add(variable().min(0.0))))
        .collect();
    let limit = if elastic(soft::limit_index(problem, soft::LimitPlaces::Racks)) {
        |_: &Racks| u64::MAX
    } else {
        |racks: &Racks| racks.most
    };
    let most_racks = |racks: &Racks| {
        let each = most_used.iter().zip(&racks.per_rack);
        let most = |(used, fit): (&u64, &u64)| used.div_ceil((*fit).max(1)).min(limit(racks));
        each.map(most).collect::<Vec<u64>>()
    };
    let racks = problem.limits.racks.as_ref().map(most_racks).unwrap_or_default();
    let mut whole = |(most, model): (u64, &Offer)| {
        let racks = variable().integer().min(0.0).max(most as f64);
        variables.add(racks.name(format!("rack_{}", model.name)))
    };
    let racks = racks.into_iter().zip(&problem.models).map(&mut whole).collect();
    Variables { copies, bought, owned, bought_ends, owned_ends, racks, excess }
}

/// Switches of each model that any answer can use.
fn most_used(problem: &SizingProblem) -> Vec<u64> {
    let read = |model: usize| {
        let columns = problem.classes.iter().map(|class| {
            let each = |column: &Column| class.max_copies(column) * column.switches[model];
            class.columns.iter().map(each).sum::<u64>()
        });
        columns.sum()
    };
    (0..problem.models.len()).map(read).collect()
}

fn most_ends(problem: &SizingProblem) -> u64 {
    problem
        .classes
        .iter()
        .flat_map(|class| {
            class.columns.iter().map(|column| class.max_copies(column) * column.links)
        })
        .sum::<u64>()
        * SizingProblem::ENDS_PER_LINK
}

fn round_to_whole(value: f64) -> Option<u64> {
    let rounded = value.round();
    ((value - rounded).abs() <= INTEGRALITY && rounded >= 0.0).then_some(rounded as u64)
}

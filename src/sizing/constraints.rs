//! Variables of the integer program, and one function for each family of constraints.

use std::collections::BTreeSet;

use good_lp::{Constraint, Expression, ProblemVariables, Variable, variable};

use super::problem::{self, Class, Column, LimitPlaces, Offer, Racks, SizingProblem, limit_index};

/// A row with the name of its family and of what it is for (docs/formulation.md).
pub(super) fn name_row(row: Constraint, family: &str, text: Option<&str>) -> Constraint {
    row.set_name(text.map_or_else(|| family.to_owned(), |text| format!("{family}_{text}")))
}

/// The row with that before its name.
pub(super) fn prefix_row_name(row: Constraint, prefix: &str) -> Constraint {
    let name = row.name().map(|name| format!("{prefix}{name}"));
    row.set_name(name.unwrap_or_default())
}

/// Sums that several constraints and the objective use.
pub(super) struct Rows {
    /// Switches in use by model.
    used: Vec<Expression>,
    links: Expression,
    power: Expression,
    /// Price of what is bought in k$.
    pub(super) capex: Expression,
    /// Capex and energy in k$.
    pub(super) cost: Expression,
}

impl Rows {
    pub(super) fn from_variables(problem: &SizingProblem, vars: &Variables) -> Self {
        let nothing = || Expression::from(0.0);
        let mut used: Vec<Expression> = problem.offers.iter().map(|_| nothing()).collect();
        let mut links = nothing();
        let mut power = nothing();
        for (class, copies) in problem.classes.iter().zip(&vars.copies) {
            for (column, copies) in class.columns.iter().zip(copies) {
                for (used, switches) in used.iter_mut().zip(&column.pieces) {
                    if *switches > 0 {
                        used.add_mul(*switches as f64, *copies);
                    }
                }
                links.add_mul(column.links as f64, *copies);
                power.add_mul(problem.column_power(column).get() / KILO, *copies);
            }
        }
        let mut capex = Expression::from(0.0);
        for (model, bought) in problem.offers.iter().zip(&vars.bought) {
            capex.add_mul(model.price.get() / KILO, *bought);
        }
        capex.add_mul(problem.ends.price.get() / KILO, vars.bought_ends);
        // $ per W is k$ per kW.
        let mut cost = power.clone() * problem.energy_per_watt.get();
        if problem.counts_money {
            cost += capex.clone();
        }
        Self { used, links, power, capex, cost }
    }

    /// Every constraint of a program.
    pub(super) fn all_constraints(
        &self,
        problem: &SizingProblem,
        vars: &Variables,
        goal: Goal<'_>,
    ) -> Vec<Constraint> {
        let mut all = cover_rows(problem, vars);
        all.extend(rounded_cover_rows(problem, vars));
        all.extend(self.supply_rows(problem, vars));
        all.push(self.optics_row(vars));
        all.extend(self.power_row(problem, vars));
        all.extend(self.budget_row(problem, vars));
        all.extend(self.tco_row(problem, vars));
        all.extend(self.rack_rows(problem, vars));
        if let Goal::Tie { cost } = goal {
            all.push(name_row(self.cost.clone().leq(cost), "tied", None));
        }
        all
    }

    /// `supply[s]`: switches in use are bought or from stock; what can be bought is bounded
    /// where the variable is declared, or here where it may be exceeded.
    fn supply_rows(&self, problem: &SizingProblem, vars: &Variables) -> Vec<Constraint> {
        let mut all = Vec::new();
        for (index, model) in problem.offers.iter().enumerate() {
            let has = vars.bought[index] + vars.owned[index];
            let row = (self.used[index].clone() - has).leq(0.0);
            all.push(name_row(row, "supply", Some(&model.name)));
            if let (Some(supply), Some(excess)) = (model.supply, vars.excess[index]) {
                let size = (supply as f64).max(1.0);
                let row = (vars.bought[index] - excess * size).leq(supply as f64);
                all.push(name_row(row, "deliverable", Some(&model.name)));
            }
        }
        all
    }

    /// `optics`: every link has two transceivers, bought or from stock.
    fn optics_row(&self, vars: &Variables) -> Constraint {
        let ends = self.links.clone() * SizingProblem::ENDS_PER_LINK as f64;
        name_row((ends - vars.bought_ends - vars.owned_ends).leq(0.0), "optics", None)
    }

    /// `power`: switches and transceivers in use draw no more than allowed.
    fn power_row(&self, problem: &SizingProblem, vars: &Variables) -> Option<Constraint> {
        let most = problem.limits.power?.get() / KILO;
        let row =
            self.row_at_most(vars, &self.power, most, limit_index(problem, LimitPlaces::Power));
        Some(name_row(row, "power", None))
    }

    /// `budget`: what is bought costs no more than allowed.
    fn budget_row(&self, problem: &SizingProblem, vars: &Variables) -> Option<Constraint> {
        let most = problem.limits.budget?.get() / KILO;
        let row =
            self.row_at_most(vars, &self.capex, most, limit_index(problem, LimitPlaces::Budget));
        Some(name_row(row, "budget", None))
    }

    /// `tco`: what is bought and its energy cost no more than an objective before this one allows.
    fn tco_row(&self, problem: &SizingProblem, vars: &Variables) -> Option<Constraint> {
        let tco = problem.limits.tco?;
        let spent = self.capex.clone() + self.power.clone() * tco.energy_per_watt.get();
        let most = tco.max_cost.get() / KILO;
        let row = self.row_at_most(vars, &spent, most, limit_index(problem, LimitPlaces::Tco));
        Some(name_row(row, "tco", None))
    }

    /// `racks`: every switch stands in a rack of its model, and there are no more racks than that.
    fn rack_rows(&self, problem: &SizingProblem, vars: &Variables) -> Vec<Constraint> {
        let Some(racks) = &problem.limits.racks else { return Vec::new() };
        let mut all = Vec::new();
        let mut sum = Expression::from(0.0);
        let used = self.used.iter().zip(&problem.offers);
        let each = used.zip(&racks.per_rack).zip(&vars.racks);
        for (((used, model), fit), taken) in each.filter(|((_, fit), _)| **fit > 0) {
            let mut left = used.clone();
            left.add_mul(-(*fit as f64), *taken);
            all.push(name_row(left.leq(0.0), "racks", Some(&model.name)));
            sum += *taken;
        }
        let row = self.row_at_most(
            vars,
            &sum,
            racks.max_racks as f64,
            limit_index(problem, LimitPlaces::Racks),
        );
        all.push(name_row(row, "racks", None));
        all
    }

    fn row_at_most(
        &self,
        vars: &Variables,
        amount: &Expression,
        most: f64,
        place: usize,
    ) -> Constraint {
        match vars.excess[place] {
            Some(excess) => (amount.clone() - excess * most.max(1.0)).leq(most),
            None => amount.clone().leq(most),
        }
    }
}

/// `cover[c]`: the builds of a class carry all of its rails, where the design is made.
fn cover_rows(problem: &SizingProblem, vars: &Variables) -> Vec<Constraint> {
    let each = problem.classes.iter().zip(&vars.copies);
    each.map(|(class, copies)| {
        name_row(cover_row(class, copies, vars.made, 1), "cover", Some(&class.name))
    })
    .collect()
}

/// `whole[c,d]`: `cover[c]` counted in builds of `d` rails, rounded up on both sides. Every whole
/// point keeps it (Chvátal and Gomory), and a mixture of parts of builds does not, so the solver's
/// tree stays small.
fn rounded_cover_rows(problem: &SizingProblem, vars: &Variables) -> Vec<Constraint> {
    let mut all = Vec::new();
    for (class, copies) in problem.classes.iter().zip(&vars.copies) {
        // A build of no rail, such as of owned switches alone, is no unit to count in.
        let sizes = class.columns.iter().map(|column| column.rails).filter(|rails| *rails > 0);
        let sizes: BTreeSet<u64> = sizes.collect();
        let loses_nothing = |size: u64| {
            let divides = |rails: u64| rails.is_multiple_of(size);
            divides(class.rails) && class.columns.iter().all(|column| divides(column.rails))
        };
        for size in sizes.into_iter().filter(|size| !loses_nothing(*size)) {
            let row = cover_row(class, copies, vars.made, size);
            all.push(name_row(row, &format!("whole_{size}"), Some(&class.name)));
        }
    }
    all
}

/// Rails in units of `size`, each rounded up: the builds carry those of the class.
fn cover_row(class: &Class, copies: &[Variable], made: Option<Variable>, size: u64) -> Constraint {
    let mut carried = Expression::from(0.0);
    for (column, copies) in class.columns.iter().zip(copies) {
        carried.add_mul(column.rails.div_ceil(size) as f64, *copies);
    }
    let rails = class.rails.div_ceil(size) as f64;
    match made {
        Some(made) => (carried - made * rails).geq(0.0),
        None => carried.geq(rails),
    }
}

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
    Tie { cost: f64 },
    /// What limits are exceeded by, each relative to its size, where `soft` says that it may be.
    Excess {
        /// Limits that may be exceeded, in the order of [`super::problem::limit_index`].
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
    pub(super) bought_ends: Variable,
    pub(super) owned_ends: Variable,
    /// `racks[s]` = racks of switches of model s (integer); none where racks are not limited.
    pub(super) racks: Vec<Variable>,
    /// `excess[r]` = what soft limit r is exceeded by, over its size.
    pub(super) excess: Vec<Option<Variable>>,
    /// Whether the design is made (binary); none where there is no other choice.
    pub(super) made: Option<Variable>,
}

impl Variables {
    /// Variables that are declared after the copies, where no limit is soft.
    pub(super) const fn amount_count(&self) -> usize {
        self.bought.len() + self.owned.len() + 2 + self.racks.len()
    }
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

/// Copies come first, so that their values do. Every bound is tight: microlp takes integer bounds
/// as 32-bit numbers.
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
        .offers
        .iter()
        .zip(&most_used)
        .enumerate()
        .map(|(index, (model, most))| {
            let supply = model.supply.filter(|_| !elastic(index)).unwrap_or(*most);
            amount(supply.min(*most) as f64, format!("buy_{}", model.name))
        })
        .collect();
    let owned = problem
        .offers
        .iter()
        .zip(&most_used)
        .map(|(model, most)| amount(model.stock.min(*most) as f64, format!("own_{}", model.name)))
        .collect();
    let most_ends = most_ends(problem);
    let bought_ends = amount(most_ends as f64, "buy_optics".to_owned());
    let owned_ends = amount(problem.ends.stock.min(most_ends) as f64, "own_optics".to_owned());
    let excess = (0..problem::limit_count(problem))
        .map(|index| elastic(index).then(|| variables.add(variable().min(0.0))))
        .collect();
    let limit = if elastic(problem::limit_index(problem, problem::LimitPlaces::Racks)) {
        |_: &Racks| u64::MAX
    } else {
        |racks: &Racks| racks.max_racks
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
    let racks = racks.into_iter().zip(&problem.offers).map(&mut whole).collect();
    Variables { copies, bought, owned, bought_ends, owned_ends, racks, excess, made: None }
}

/// Switches of each model that any answer can use.
fn most_used(problem: &SizingProblem) -> Vec<u64> {
    let read = |model: usize| {
        let columns = problem.classes.iter().map(|class| {
            let each = |column: &Column| class.max_copies(column) * column.pieces[model];
            class.columns.iter().map(each).sum::<u64>()
        });
        columns.sum()
    };
    (0..problem.offers.len()).map(read).collect()
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

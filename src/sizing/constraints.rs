//! One function per family of constraints, named as in docs/formulation.md.

use good_lp::{Constraint, Expression};

use super::problem::SizingProblem;
use super::soft::{LimitPlaces, limit_index};
use super::variables::{Goal, KILO, Variables};

/// A row with the name of its family and of what it is for (docs/formulation.md).
pub(super) fn name_row(row: Constraint, family: &str, text: Option<&str>) -> Constraint {
    row.set_name(text.map_or_else(|| family.to_owned(), |text| format!("{family}_{text}")))
}

/// Sums that several constraints and the objective use.
pub(super) struct Rows {
    /// Switches in use by model.
    used: Vec<Expression>,
    /// Links in use.
    links: Expression,
    /// Power in kW.
    power: Expression,
    /// Price of what is bought in k$.
    pub(super) capex: Expression,
    /// Capex and energy in k$.
    pub(super) cost: Expression,
}

impl Rows {
    pub(super) fn from_variables(problem: &SizingProblem, vars: &Variables) -> Self {
        let nothing = || Expression::from(0.0);
        let mut used: Vec<Expression> = problem.models.iter().map(|_| nothing()).collect();
        let mut links = nothing();
        let mut power = nothing();
        for (class, copies) in problem.classes.iter().zip(&vars.copies) {
            for (column, copies) in class.columns.iter().zip(copies) {
                for (used, switches) in used.iter_mut().zip(&column.switches) {
                    if *switches > 0 {
                        used.add_mul(*switches as f64, *copies);
                    }
                }
                links.add_mul(column.links as f64, *copies);
                power.add_mul(problem.column_power(column).get() / KILO, *copies);
            }
        }
        let mut capex = Expression::from(0.0);
        for (model, bought) in problem.models.iter().zip(&vars.bought) {
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
        for (index, model) in problem.models.iter().enumerate() {
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
        let most = tco.most.get() / KILO;
        let row = self.row_at_most(vars, &spent, most, limit_index(problem, LimitPlaces::Tco));
        Some(name_row(row, "tco", None))
    }

    /// `racks`: every switch stands in a rack of its model, and there are no more racks than that.
    fn rack_rows(&self, problem: &SizingProblem, vars: &Variables) -> Vec<Constraint> {
        let Some(racks) = &problem.limits.racks else { return Vec::new() };
        let mut all = Vec::new();
        let mut sum = Expression::from(0.0);
        let used = self.used.iter().zip(&problem.models);
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
            racks.most as f64,
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

/// `cover[c]`: the builds of a class carry all of its rails.
fn cover_rows(problem: &SizingProblem, vars: &Variables) -> Vec<Constraint> {
    let mut all = Vec::new();
    for (class, copies) in problem.classes.iter().zip(&vars.copies) {
        let mut carried = Expression::from(0.0);
        for (column, copies) in class.columns.iter().zip(copies) {
            carried.add_mul(column.rails as f64, *copies);
        }
        all.push(name_row(carried.geq(class.rails as f64), "cover", Some(&class.name)));
    }
    all
}

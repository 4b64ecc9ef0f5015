//! The integer program over choices: which of the designs that were sized is made, and of which
//! builds. Each choice has a pace, so all coefficients are constants (docs/formulation.md).
//!
//! A binary says that a choice is made; its builds cover its rails where it is. Rows of a choice
//! are those that its own program has.

use std::sync::Arc;

use good_lp::{Expression, ProblemVariables, Variable, variable};

use super::check::tally_parts;
use super::constraints::{
    Goal, KILO, Rows, Variables, declare_variables, name_row, prefix_row_name, read_copies,
};
use super::problem::SizingProblem;
use super::solver_backend::{Options, ReadyModel, minimise_model};
use crate::units::{ROUNDING, Usd};

/// A choice of HB domain, interface, planes, switches, layout and pace; its network is open.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkChoice {
    pub name: String,
    /// Name of its HB-domain product.
    pub product: String,
    /// What its machines take of what is minimised.
    pub machines: Usd,
    /// What a dollar of it counts beside one of the answer: for cost per token its time of a step
    /// over that of the answer, else 1.
    pub weight: f64,
    /// Builds that are fast enough for its pace.
    pub problem: Arc<SizingProblem>,
    /// Copies by class and build that the search found.
    pub copies: Vec<Vec<u64>>,
}

/// Choices of which one is made.
#[derive(Clone, Debug, PartialEq)]
pub struct ChoicesProblem {
    /// The one that the search made comes first.
    pub choices: Vec<NetworkChoice>,
}

/// What a solver makes of the choices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChoicesAnswer {
    /// Place of the choice.
    pub made: usize,
    /// What it takes, its machines included, by plain arithmetic.
    pub value: Usd,
    /// The solver closed its search tree.
    pub proven: bool,
    /// Nodes of the solver's search tree.
    pub nodes: u64,
}

impl NetworkChoice {
    /// Whether it is a bound alone: it has no network to build.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        self.problem.classes.is_empty()
    }

    /// What it takes with such a network, its machines included, beside the answer.
    fn value_with_copies(&self, copies: &[Vec<u64>]) -> Option<Usd> {
        let sum = tally_parts(&self.problem, copies);
        sum.feasible.then(|| (self.machines + sum.cost) * self.weight)
    }
}

impl ChoicesProblem {
    /// What the choice of the search takes, its machines included.
    #[must_use]
    pub fn searched_value(&self) -> Usd {
        let made = self.choices.first();
        made.and_then(|choice| choice.value_with_copies(&choice.copies)).unwrap_or(Usd::ZERO)
    }

    /// Builds of all choices.
    #[must_use]
    pub fn build_count(&self) -> usize {
        let classes = self.choices.iter().flat_map(|choice| &choice.problem.classes);
        classes.map(|class| class.columns.len()).sum()
    }
}

impl ChoicesAnswer {
    /// Whether the search found as good a choice.
    #[must_use]
    pub fn is_as_searched(&self, problem: &ChoicesProblem) -> bool {
        let searched = problem.searched_value();
        (self.value - searched).get().abs() <= ROUNDING * searched.get().abs()
    }
}

/// The choice that takes least; `None` where the solver found no point.
#[must_use]
pub fn solve_choices(problem: &ChoicesProblem, options: &Options) -> Option<ChoicesAnswer> {
    let (ready, vars) = pose_choices_program(problem);
    let solved = minimise_model(ready, options)?;
    let mut values = solved.values.into_iter();
    let mut best: Option<(usize, Usd)> = None;
    for (place, (choice, vars)) in problem.choices.iter().zip(&vars).enumerate() {
        let made = values.next()?;
        let copies = read_copies(vars, values.by_ref())?;
        // Amounts that follow from copies.
        values.by_ref().take(vars.amount_count()).for_each(drop);
        if made > 0.5
            && let Some(value) = choice.value_with_copies(&copies)
            && best.is_none_or(|(_, known)| value < known)
        {
            best = Some((place, value));
        }
    }
    debug_assert!(values.next().is_none(), "every variable was read");
    let (made, value) = best?;
    Some(ChoicesAnswer { made, value, proven: solved.proven, nodes: solved.nodes })
}

/// The program as a solver gets it, with the variables of each choice.
pub(super) fn pose_choices_program(problem: &ChoicesProblem) -> (ReadyModel, Vec<Variables>) {
    let mut variables = ProblemVariables::new();
    let mut constraints = Vec::new();
    let mut objective = Expression::from(0.0);
    let mut one_made = Expression::from(0.0);
    let mut all = Vec::new();
    for (choice, place) in problem.choices.iter().zip(1..) {
        let made: Variable = variables.add(variable().binary().name("made"));
        let own = declare_variables(&choice.problem, Goal::Cost, &mut variables);
        let vars = Variables { made: Some(made), ..own };
        let rows = Rows::from_variables(&choice.problem, &vars);
        let own = rows.all_constraints(&choice.problem, &vars, Goal::Cost);
        let prefix = format!("c{place}_");
        constraints.extend(own.into_iter().map(|row| prefix_row_name(row, &prefix)));
        one_made += made;
        objective.add_mul(choice.weight * choice.machines.get() / KILO, made);
        objective += rows.cost * choice.weight;
        all.push(vars);
    }
    constraints.push(name_row(one_made.geq(1.0), "choose", None));
    (ReadyModel { variables, objective, constraints }, all)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{ChoicesProblem, NetworkChoice, solve_choices};
    use crate::sizing::{
        Class, Column, LinkEndOffer, Offer, Options, ProgramLimits, SizingProblem,
    };
    use crate::units::{Usd, Watts};

    /// Rails of which a build carries `carries` with one switch at `price`.
    fn choice(machines: f64, weight: f64, rails: u64, carries: u64, price: f64) -> NetworkChoice {
        let column = Column { rails: carries, pieces: vec![1], links: 0, bisection: 0.0 };
        let offer = Offer {
            name: "switch".to_owned(),
            price: Usd::from_f64(price),
            power: Watts::ZERO,
            stock: 0,
            supply: None,
        };
        let problem = SizingProblem {
            classes: vec![Class { name: "rails".to_owned(), rails, columns: vec![column] }],
            offers: vec![offer],
            ends: LinkEndOffer::NONE,
            limits: ProgramLimits::default(),
            counts_money: true,
            energy_per_watt: Usd::ZERO,
        };
        NetworkChoice {
            name: String::new(),
            product: String::new(),
            machines: Usd::from_f64(machines),
            weight,
            problem: Arc::new(problem),
            copies: vec![vec![rails.div_ceil(carries)]],
        }
    }

    /// Machines and network together decide, and where tokens count the time of a step: sums by
    /// hand.
    #[test]
    fn the_choice_that_takes_least_in_all_is_made() {
        // 9,000 + 8 · 300 = 11,400; 10,000 + 3 · 500 = 11,500; (8,000 + 4 · 300) · 1.3 = 11,960.
        let choices = vec![
            choice(9_000.0, 1.0, 8, 1, 300.0),
            choice(10_000.0, 1.0, 8, 3, 500.0),
            choice(8_000.0, 1.3, 8, 2, 300.0),
        ];
        let mut problem = ChoicesProblem { choices };
        let found = solve_choices(&problem, &Options::default()).expect("one can be made");
        assert!(found.proven && found.made == 0, "{found:?}");
        assert!((found.value.get() - 11_400.0).abs() < 1e-6, "{found:?}");
        assert!(found.is_as_searched(&problem));
        problem.choices.swap(0, 1);
        assert!(!found.is_as_searched(&problem), "the search took more");
    }
}

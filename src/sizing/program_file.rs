//! The integer program of an answer as rows and columns with names, as a solver gets it, with the
//! values that the answer has: for whoever wants to solve it again. Solves nothing.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use good_lp::{Constraint, Expression, IntoAffineExpression as _, Variable};

use super::check::tally_parts;
use super::choices::{ChoicesProblem, pose_choices_program};
use super::constraints::{Goal, Variables};
use super::problem::SizingProblem;
use super::program::pose_program;
use super::solution::{Proof, ProofStatus, Status};
use super::solver_backend::ReadyModel;
use super::stages;
use super::stages_problem::StagesProblem;
use crate::units::Usd;

/// The program of which an answer is the optimum, or the best that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct PosedProgram {
    pub program: Program,
    /// Copies of each column, by stage and class; one stage where the cluster does not grow.
    pub copies: Vec<Vec<Vec<u64>>>,
    /// What it minimises, at the answer.
    pub cost: Usd,
    /// How far the answer is proven to be the optimum of the program.
    pub firmness: ProofStatus,
}

/// A program as data.
#[derive(Clone, Debug, PartialEq)]
pub enum Program {
    /// Over one cluster, or parts of one.
    One(Arc<SizingProblem>),
    /// Over the stages of a cluster that grows.
    Stages(Arc<StagesProblem>),
    /// Over the choices of one cluster that bounds left.
    Choices(Arc<ChoicesProblem>),
}

/// A program as rows and columns. Money is in thousands of dollars, power in kilowatts.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramTable {
    pub columns: Vec<ProgramVariable>,
    /// Coefficients of what is minimised, by column; those that are 0 are left out.
    pub objective: Vec<(usize, f64)>,
    pub rows: Vec<ProgramRow>,
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramVariable {
    /// Name: letters, digits, `_` and `.`, and no other column has it.
    pub name: String,
    /// Least value.
    pub low: f64,
    pub high: f64,
    pub integer: bool,
    /// What it counts, in words.
    pub meaning: String,
    /// Its value in the answer.
    pub value: f64,
}

/// A constraint: the sum of its terms is at most, or at least, a number.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramRow {
    /// Name: the family of docs/formulation.md and what it is for; no other row has it.
    pub name: String,
    /// Coefficients by column; those that are 0 are left out.
    pub terms: Vec<(usize, f64)>,
    /// At least, and not at most.
    pub at_least: bool,
    pub bound: f64,
}

impl PosedProgram {
    /// Why the solver was not needed to prove the answer, or that it was.
    #[must_use]
    pub const fn proof_reason(&self) -> &'static str {
        match self.firmness.proof {
            Proof::Bound => {
                "at fixed prices solved exactly as a shortest path, and the design costs as much: \
                 no program can give less"
            }
            Proof::Enumeration => {
                "every combination of builds was tried or ruled out, so the solver had nothing to \
                 add"
            }
            Proof::Solver => "the solver closed its search tree",
            Proof::Check => "the solver's search was not closed: the design is the best found",
        }
    }

    /// True where nothing costs less under its rows.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.firmness.status == Status::Optimal
    }

    /// The program as rows and columns.
    #[must_use]
    pub fn program_table(&self) -> ProgramTable {
        match &self.program {
            Program::One(problem) => {
                let (ready, vars) = pose_program(problem, Goal::Cost);
                let copies = self.copies.first().map_or(&[][..], |copies| copies);
                let entries = variable_entries(problem, &vars, copies, "");
                table_of_model(&ready, entries)
            }
            Program::Choices(choices) => {
                let (ready, vars) = pose_choices_program(choices);
                let each = choices.choices.iter().zip(&vars).enumerate();
                let entries = each.flat_map(|(place, (choice, vars))| {
                    let prefix = format!("c{}_", place + 1);
                    let made = place == 0;
                    let classes = choice.problem.classes.iter();
                    let none: Vec<_> = classes.map(|class| vec![0; class.columns.len()]).collect();
                    let copies = if made { &choice.copies } else { &none };
                    let entry = vars.made.map(|variable| VariableMeaning {
                        variable,
                        prefix: prefix.clone(),
                        meaning: format!("make {}", choice.name),
                        value: f64::from(u8::from(made)),
                    });
                    let own = variable_entries(&choice.problem, vars, copies, &prefix);
                    entry.into_iter().chain(own).collect::<Vec<_>>()
                });
                table_of_model(&ready, entries.collect())
            }
            Program::Stages(growth) => {
                let (ready, vars) = stages::pose_stages_program(growth);
                let dealt = stages::stock_per_stage(growth, &self.copies);
                let each = dealt.iter().zip(&vars).zip(&self.copies).zip(1..);
                let each = each.flat_map(|(((stage, vars), copies), place)| {
                    variable_entries(stage, vars, copies, &format!("t{place}_"))
                });
                table_of_model(&ready, each.collect())
            }
        }
    }
}

/// What a variable is: itself, its prefix, its meaning and its value.
struct VariableMeaning {
    variable: Variable,
    prefix: String,
    meaning: String,
    value: f64,
}

/// The variables of one program, in the order of their declaration.
fn variable_entries(
    problem: &SizingProblem,
    vars: &Variables,
    copies: &[Vec<u64>],
    prefix: &str,
) -> Vec<VariableMeaning> {
    let sum = tally_parts(problem, copies);
    let mut all = Vec::new();
    let mut add = |variable: Variable, meaning: String, value: u64| {
        all.push(VariableMeaning {
            variable,
            prefix: prefix.to_owned(),
            meaning,
            value: value as f64,
        });
    };
    for ((class, variables), copies) in problem.classes.iter().zip(&vars.copies).zip(copies) {
        for ((column, variable), copies) in class.columns.iter().zip(variables).zip(copies) {
            let parts = column.pieces.iter().zip(&problem.offers);
            let parts = parts.filter(|(count, _)| **count > 0);
            let parts: Vec<String> =
                parts.map(|(count, offer)| format!("{count} x {}", offer.name)).collect();
            let meaning = format!(
                "copies of a build for {} of {}: {}, {} links",
                column.rails,
                class.name,
                parts.join(", "),
                column.links
            );
            add(*variable, meaning, *copies);
        }
    }
    for ((model, variable), (used, owned)) in
        problem.offers.iter().zip(&vars.bought).zip(sum.used.iter().zip(&sum.owned))
    {
        add(*variable, format!("{} to buy", model.name), used - owned);
    }
    for ((model, variable), owned) in problem.offers.iter().zip(&vars.owned).zip(&sum.owned) {
        add(*variable, format!("{} owned", model.name), *owned);
    }
    add(vars.bought_ends, "optics to buy".to_owned(), sum.ends - sum.owned_ends);
    add(vars.owned_ends, "optics owned".to_owned(), sum.owned_ends);
    let per_rack = problem.limits.racks.as_ref().map(|racks| &racks.per_rack[..]);
    let each = problem.offers.iter().zip(&sum.used).zip(per_rack.unwrap_or(&[])).zip(&vars.racks);
    for (((model, used), fit), variable) in each {
        let racks = if *fit > 0 { used.div_ceil(*fit) } else { 0 };
        add(*variable, format!("racks of {}", model.name), racks);
    }
    all
}

/// Rows and columns of what a solver gets.
fn table_of_model(ready: &ReadyModel, meant: Vec<VariableMeaning>) -> ProgramTable {
    let mut names = Names::default();
    let mut columns = Vec::new();
    let mut places: HashMap<Variable, usize> = HashMap::new();
    // Excess is of elastic programs alone, so these are all.
    for ((variable, definition), meant) in ready.variables.iter_variables_with_def().zip(meant) {
        debug_assert!(variable == meant.variable, "variables come in the order of declaration");
        places.insert(variable, columns.len());
        columns.push(ProgramVariable {
            name: names.unused_name(&format!("{}{}", meant.prefix, definition.get_name())),
            low: definition.get_min(),
            high: definition.get_max(),
            integer: definition.is_integer(),
            meaning: meant.meaning,
            value: meant.value,
        });
    }
    let terms = |expression: &Expression| {
        let each = expression.linear_coefficients().filter(|(_, coefficient)| *coefficient != 0.0);
        let mut terms: Vec<(usize, f64)> =
            each.filter_map(|(variable, figure)| Some((*places.get(&variable)?, figure))).collect();
        // They come in the order of a hash.
        terms.sort_by_key(|(place, _)| *place);
        terms
    };
    let mut names = Names::default();
    let mut row = |constraint: &Constraint| {
        let mut terms = terms(constraint.expression());
        let mut bound = -constraint.expression().clone().constant();
        let at_least = terms.iter().all(|(_, figure)| *figure < 0.0) && bound <= 0.0;
        if at_least {
            terms.iter_mut().for_each(|(_, figure)| *figure = -*figure);
            bound = -bound;
        }
        // No row says less than nothing.
        let bound = bound + 0.0;
        ProgramRow {
            name: names.unused_name(constraint.name().unwrap_or("row")),
            terms,
            at_least,
            bound,
        }
    };
    let rows = ready.constraints.iter().map(&mut row).collect();
    ProgramTable { objective: terms(&ready.objective), columns, rows }
}

/// Names that every reader of such files takes, each once.
#[derive(Default)]
struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    fn unused_name(&mut self, name: &str) -> String {
        /// Readers cut names off, the strictest at 255 characters.
        const LONGEST: usize = 100;
        let fit = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' };
        let base: String = name.chars().take(LONGEST).map(fit).collect();
        let numbered = (2..).map(|number| format!("{base}_{number}"));
        let free = std::iter::once(base.clone()).chain(numbered);
        let fresh = free.into_iter().find(|name| !self.taken.contains(name)).unwrap_or(base);
        self.taken.insert(fresh.clone());
        fresh
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn names_that_look_alike_are_told_apart() {
        let mut names = Names::default();
        let all = ["buy_a-b", "buy_a b", "buy_a_b", "x"].map(|name| names.unused_name(name));
        assert_eq!(all, ["buy_a_b", "buy_a_b_2", "buy_a_b_3", "x"]);
    }
}

//! How each number of a plan came about: formula, source, inputs with their origin, parts. It
//! restates what lower floors computed; it computes no plan and knows neither words of a report
//! nor sources of presets beyond their names.

mod answer;
mod bill;
mod choices;
mod cost;
mod efficiency;
mod fabric;
mod facts;
mod ledger;
mod memory;
mod origin;
mod racks;
mod reach;
mod routing;
mod several;
mod step;
mod tiers;
mod traffic;

pub use origin::Origin;

use std::borrow::Cow;

use crate::design::Plan;
use crate::quantity::{Answer, Equation, Quantity, quantity, section};
use crate::scenario::Scenario;
use crate::technique::Recipe;
use crate::units::Amount;
use facts::Facts;

/// One number of a plan, taken apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Its key in the JSON of a design, such as `step.time_s`. An entry of a list is named by its
    /// place, `alternatives.0.step_ratio`, and a line of the bill by its part, `bom.qm9700.count`.
    pub key: Cow<'static, str>,
    /// What it is, in one line.
    pub meaning: Cow<'static, str>,
    /// How it is computed, in the symbols of the inputs.
    pub formula: &'static str,
    /// Where that stands, with its public source.
    pub equations: &'static [Equation],
    /// What goes in.
    pub inputs: Vec<Input>,
    /// Summands of the result, all of them; empty where it is no sum.
    pub parts: Vec<Part>,
    /// What comes out: what the design states.
    pub result: Amount,
}

/// Something that goes into a formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Name, with the symbol of docs/equations.md where it has one.
    pub name: String,
    /// Its value.
    pub value: Amount,
    /// Where that comes from.
    pub origin: Origin,
}

/// A summand.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What it is: the key of an own explanation, or a part of the bill.
    pub name: String,
    /// Its value, of the same kind as the result.
    pub value: Amount,
}

/// Every number of a plan that can be explained, in the order in which a design states them: of several
/// clusters those of all, then those of each.
#[must_use]
pub fn explanations(scenario: &Scenario, plan: &Plan) -> Vec<Explanation> {
    match plan.clusters().is_empty() {
        true => of_one(scenario, plan),
        false => several::explanations(scenario, plan),
    }
}

/// Every number of a plan of one cluster.
fn of_one(scenario: &Scenario, plan: &Plan) -> Vec<Explanation> {
    let scenario = &scenario.on(&plan.nodes.node);
    let step = Recipe::of(&scenario.workload).step(&plan.layout).ok();
    let facts = Facts { scenario, plan, step: step.as_ref() };
    [
        figures(&facts, "cluster", choices::cluster),
        figures(&facts, "layout", choices::layout),
        figures(&facts, "step", step::complete),
        figures(&facts, "memory", memory::complete),
        figures(&facts, "traffic", traffic::complete),
        figures(&facts, "fabric", fabric::complete),
        tiers::explanations(&facts),
        figures(&facts, "routing", routing::complete),
        routing::explanations(&facts),
        bill::explanations(&facts),
        figures(&facts, "cost", cost::complete),
        cost::ranges(&facts),
        figures(&facts, "racks", racks::complete),
        figures(&facts, "headroom", reach::complete),
        figures(&facts, "all_to_all", reach::complete),
        figures(&facts, "goodput_share", reach::complete),
        figures(&facts, "solver", |_, of| of),
        answer::explanations(&facts),
    ]
    .concat()
}

/// The figures of a section, numbers, flags and names, each as the table of figures has it, and with what `complete` knows
/// besides: inputs from spec and presets, and what is particular to this plan.
fn figures(
    facts: &Facts<'_>,
    name: &str,
    complete: fn(&Facts<'_>, Explanation) -> Explanation,
) -> Vec<Explanation> {
    let answer = Answer::of(facts.plan);
    section(name)
        .filter_map(|row| Some(complete(facts, Explanation::figure(row, &answer)?)))
        .collect()
}

impl Explanation {
    /// An explanation without inputs and parts.
    fn new(
        key: impl Into<Cow<'static, str>>,
        meaning: impl Into<Cow<'static, str>>,
        result: Amount,
        formula: &'static str,
        equations: &'static [Equation],
    ) -> Self {
        let (key, meaning) = (key.into(), meaning.into());
        Self { key, meaning, formula, equations, inputs: Vec::new(), parts: Vec::new(), result }
    }

    /// A figure with what its row says; `None` where the answer has none.
    fn figure(row: &Quantity, answer: &Answer<'_>) -> Option<Self> {
        let result = row.of(answer)?;
        let rows = |keys: &'static [&'static str]| keys.iter().filter_map(|key| quantity(key));
        let input = |row: &Quantity| {
            let origin = Origin::Quantity(row.key.into());
            Some(Input { name: row.label.to_owned(), value: row.of(answer)?, origin })
        };
        let part = |row: &Quantity| Some((row.key, row.of(answer)?));
        let of = Self::new(row.key, row.meaning, result, row.formula, row.equations);
        Some(of.from(rows(row.inputs).filter_map(input)).sum(rows(row.parts).filter_map(part)))
    }

    /// Means something else in this plan.
    fn means(mut self, meaning: &'static str) -> Self {
        self.meaning = meaning.into();
        self
    }

    /// Has another formula in this plan.
    const fn formula(mut self, formula: &'static str) -> Self {
        self.formula = formula;
        self
    }

    /// Has another formula in this plan, that stands elsewhere.
    const fn by(mut self, formula: &'static str, equations: &'static [Equation]) -> Self {
        self.formula = formula;
        self.equations = equations;
        self
    }

    /// With inputs besides.
    fn from(mut self, inputs: impl IntoIterator<Item = Input>) -> Self {
        self.inputs.extend(inputs);
        self
    }

    /// As a sum.
    fn sum(mut self, parts: impl IntoIterator<Item = (impl Into<String>, Amount)>) -> Self {
        let part = |(name, value): (_, _)| Part { name: Into::into(name), value };
        self.parts.extend(parts.into_iter().map(part));
        self
    }
}

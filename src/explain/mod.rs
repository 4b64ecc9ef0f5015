//! How each number of a plan came about: formula, source, inputs with their origin, parts. It
//! restates what lower floors computed; it computes no plan and knows neither words of a report
//! nor sources of presets beyond their names.

mod amount;
mod answer;
mod bill;
mod choices;
mod cost;
mod efficiency;
mod equation;
mod fabric;
mod facts;
mod ledger;
mod memory;
mod origin;
mod racks;
mod reach;
mod routing;
mod step;
mod tiers;
mod traffic;

pub use amount::Amount;
pub use equation::Equation;
pub use origin::Origin;

use std::borrow::Cow;

use crate::design::Plan;
use crate::scenario::Scenario;
use crate::technique::Recipe;
use facts::Facts;

/// The one key that stands in no section of a design.
pub const GOODPUT_KEY: &str = "goodput_share";

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

/// Every number of a plan that can be explained, in the order in which a design states them.
#[must_use]
pub fn explanations(scenario: &Scenario, plan: &Plan) -> Vec<Explanation> {
    let scenario = &scenario.on(&plan.nodes.node);
    let step = Recipe::of(&scenario.workload).step(&plan.layout).ok();
    let facts = Facts { scenario, plan, step: step.as_ref() };
    [
        choices::explanations(&facts),
        step::explanations(&facts),
        efficiency::explanations(&facts),
        memory::explanations(&facts),
        traffic::explanations(&facts),
        fabric::explanations(&facts),
        tiers::explanations(&facts),
        routing::explanations(&facts),
        bill::explanations(&facts),
        cost::explanations(&facts),
        racks::explanations(&facts),
        reach::explanations(&facts),
        answer::explanations(&facts),
    ]
    .concat()
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

    /// The same with inputs.
    fn from(mut self, inputs: impl IntoIterator<Item = Input>) -> Self {
        self.inputs.extend(inputs);
        self
    }

    /// The same as a sum.
    fn sum(mut self, parts: impl IntoIterator<Item = (impl Into<String>, Amount)>) -> Self {
        let part = |(name, value): (_, _)| Part { name: Into::into(name), value };
        self.parts.extend(parts.into_iter().map(part));
        self
    }
}

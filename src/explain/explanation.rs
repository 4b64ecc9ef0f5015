//! `Explanation`, `InputOrigin`.
//!
//! A number taken apart: the shape of an explanation. Knows no number by its name.

use std::borrow::Cow;

use crate::hardware::Price;
use crate::quantity::Equation;
use crate::units::Amount;

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
    pub inputs: Vec<ExplainedInput>,
    /// Summands of the result, all of them; empty where it is no sum.
    pub parts: Vec<ExplainedPart>,
    /// What comes out: what the design states.
    pub result: Amount,
}

/// Something that goes into a formula.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedInput {
    /// Name, with the symbol of docs/equations.md where it has one.
    pub name: String,
    pub value: Amount,
    /// Where that comes from.
    pub origin: InputOrigin,
}

/// A summand.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedPart {
    /// What it is: the key of an own explanation, or a part of the bill.
    pub name: String,
    /// Its value, of the same kind as the result.
    pub value: Amount,
}

impl Explanation {
    /// An explanation without inputs and parts.
    pub(super) fn new(
        key: impl Into<Cow<'static, str>>,
        meaning: impl Into<Cow<'static, str>>,
        result: Amount,
        formula: &'static str,
        equations: &'static [Equation],
    ) -> Self {
        let (key, meaning) = (key.into(), meaning.into());
        Self { key, meaning, formula, equations, inputs: Vec::new(), parts: Vec::new(), result }
    }

    /// Means something else in this plan.
    pub(super) fn with_meaning(mut self, meaning: &'static str) -> Self {
        self.meaning = meaning.into();
        self
    }

    /// Has another formula in this plan.
    pub(super) const fn replace_formula(mut self, formula: &'static str) -> Self {
        self.formula = formula;
        self
    }

    /// Has another formula in this plan, that stands elsewhere.
    pub(super) const fn with_formula(
        mut self,
        formula: &'static str,
        equations: &'static [Equation],
    ) -> Self {
        self.formula = formula;
        self.equations = equations;
        self
    }

    /// With inputs besides.
    pub(super) fn with_inputs(mut self, inputs: impl IntoIterator<Item = ExplainedInput>) -> Self {
        self.inputs.extend(inputs);
        self
    }

    /// As a sum.
    pub(super) fn sum(
        mut self,
        parts: impl IntoIterator<Item = (impl Into<String>, Amount)>,
    ) -> Self {
        let part = |(name, value): (_, _)| ExplainedPart { name: Into::into(name), value };
        self.parts.extend(parts.into_iter().map(part));
        self
    }
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum InputOrigin {
    /// A key of the spec, or its default.
    Spec(&'static str),
    /// A key of the spec that was left open: the planner chose.
    Chosen(&'static str),
    /// A preset, unless the spec overrides the entry.
    Preset {
        /// Kind of the preset, as in `planner presets list`.
        kind: &'static str,
        name: String,
        entry: &'static str,
    },
    /// A price with basis, date and source.
    Priced(Price),
    /// Another quantity that can be explained, by its key.
    Quantity(Cow<'static, str>),
    /// Found by the planner on the way, in words.
    Found(&'static str),
    /// Measured and published by others: by whom, in words.
    Published(&'static str),
    /// An assumption that no key changes: why, in words.
    Assumed(&'static str),
    /// A constant of nature, the calendar or a standard, in words.
    Constant(&'static str),
}

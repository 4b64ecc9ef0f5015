//! Inputs of formulas: the question and its answer that they are read from, and an input as a row.
//! Knows no input by its name.

use std::borrow::Cow;

use super::explanation::{ExplainedInput, InputOrigin};
use crate::design::Plan;
use crate::fabric::Counts;
use crate::hardware::{Calibration, Gpu, Node};
use crate::quantity::{FigureSource, quantity_for_key};
use crate::reliability::FailureYear;
use crate::scenario::Scenario;
use crate::step::Step;
use crate::units::Amount;
use crate::workload::{Framework, Model, Technique};

/// The question and its answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) plan: &'a Plan,
    /// The step of the leading workload in the layout of the plan.
    pub(super) step: Option<&'a Step>,
    pub(super) model: &'a Model,
    pub(super) framework: &'a Framework,
    pub(super) node: &'a Node,
    pub(super) gpu: &'a Gpu,
    pub(super) calibration: &'a Calibration,
    pub(super) fabric: &'a Counts,
    /// A year of failures.
    pub(super) year: &'a FailureYear,
}

impl<'a> Facts<'a> {
    pub(super) fn new(scenario: &'a Scenario, plan: &'a Plan, step: Option<&'a Step>) -> Self {
        Self {
            scenario,
            plan,
            step,
            model: &scenario.lead_workload().model,
            framework: &scenario.lead_workload().framework,
            node: &plan.nodes.node,
            gpu: &plan.nodes.node.gpu,
            calibration: &plan.nodes.node.gpu.calibration,
            fabric: &plan.fabric,
            year: &plan.failures.year,
        }
    }

    /// True where the technique is on.
    pub(super) fn has_technique(&self, technique: Technique) -> bool {
        self.scenario.lead_workload().techniques.has_technique(technique)
    }

    /// Another figure as an input; `None` where the plan has none.
    pub(super) fn figure_input(&self, key: &'static str, name: &str) -> Option<ExplainedInput> {
        let value = quantity_for_key(key)?.read_from(&FigureSource::from_plan(self.plan))?;
        Some(quantity_input(name, key, value))
    }

    /// An entry of a preset in use, by the kind of the preset.
    pub(super) fn entry_origin(&self, kind: &'static str, entry: &'static str) -> InputOrigin {
        let name = match kind {
            "model" => &self.model.name,
            "framework" => &self.framework.name,
            "calibration" => &self.calibration.name,
            "nic" => &self.plan.nodes.nic.name,
            "gpu" => &self.node.gpu.name,
            _ => &self.node.name,
        };
        preset_origin(kind, name, entry)
    }
}

/// An input as a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input {
    /// What the row of a figure names it by: a key of the spec, the kind of a preset and its
    /// entry, or the name of what is found on the way.
    pub(super) key: &'static str,
    /// What it is called, with the symbol of docs/equations.md where it has one.
    pub(super) name: &'static str,
    pub(super) origin: RowOrigin,
    /// `None` where the plan has none.
    pub(super) read: fn(&Facts<'_>) -> Option<Amount>,
}

/// Where the value of a row comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum RowOrigin {
    /// The key of the row, which is one of the spec.
    Spec,
    /// A key of the spec that the planner decides where it is left open. Whether it was given.
    Setting(fn(&Facts<'_>) -> bool),
    /// The entry of a preset that the key of the row names.
    Entry,
    /// The planner found it on the way, in words.
    Found(&'static str),
    /// It depends on the plan.
    Varying(fn(&Facts<'_>) -> InputOrigin),
}

impl Input {
    /// The input as the plan has it.
    pub(super) fn explain_input(&self, facts: &Facts<'_>) -> Option<ExplainedInput> {
        let origin = match self.origin {
            RowOrigin::Spec => InputOrigin::Spec(self.key),
            RowOrigin::Setting(given) if given(facts) => InputOrigin::Spec(self.key),
            RowOrigin::Setting(_) => InputOrigin::Chosen(self.key),
            RowOrigin::Entry => {
                let (kind, entry) = self.key.split_once('.')?;
                facts.entry_origin(kind, entry)
            }
            RowOrigin::Found(words) => InputOrigin::Found(words),
            RowOrigin::Varying(origin) => origin(facts),
        };
        Some(explained_input(self.name, (self.read)(facts)?, origin))
    }
}

/// A key of the spec, whose default the planner never replaces.
pub(super) const fn spec_key(
    key: &'static str,
    name: &'static str,
    read: fn(&Facts<'_>) -> Option<Amount>,
) -> Input {
    Input { key, name, origin: RowOrigin::Spec, read }
}

/// `KIND.ENTRY` of a preset.
pub(super) const fn preset_entry(
    key: &'static str,
    name: &'static str,
    read: fn(&Facts<'_>) -> Option<Amount>,
) -> Input {
    Input { key, name, origin: RowOrigin::Entry, read }
}

/// What the planner finds on the way, called by its name.
pub(super) const fn found_value(
    name: &'static str,
    words: &'static str,
    read: fn(&Facts<'_>) -> Option<Amount>,
) -> Input {
    Input { key: name, name, origin: RowOrigin::Found(words), read }
}

/// An input from anywhere.
pub(super) fn explained_input(
    name: impl Into<String>,
    value: Amount,
    origin: InputOrigin,
) -> ExplainedInput {
    ExplainedInput { name: name.into(), value, origin }
}

/// An input that the planner found on the way, in words.
pub(super) fn found_input(
    name: impl Into<String>,
    value: Amount,
    words: &'static str,
) -> ExplainedInput {
    explained_input(name, value, InputOrigin::Found(words))
}

/// Another quantity as an input.
pub(super) fn quantity_input(
    name: &str,
    key: impl Into<Cow<'static, str>>,
    value: Amount,
) -> ExplainedInput {
    explained_input(name, value, InputOrigin::Quantity(key.into()))
}

pub(super) fn preset_origin(kind: &'static str, name: &str, entry: &'static str) -> InputOrigin {
    InputOrigin::Preset { kind, name: name.to_owned(), entry }
}

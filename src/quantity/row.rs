//! A row of the table of figures. Which figures there are is not said here.

use super::{Equation, FigureSource};
use crate::units::{Amount, Unit};

/// Which way a figure gets better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Better {
    /// Money, power, time.
    Lower,
    /// Utilisation, throughput, room to grow.
    Higher,
    /// A choice or a size: whether more of it is good depends on who asks.
    Neither,
}

/// A figure of an answer.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    /// Dotted key in the JSON of a design.
    pub key: &'static str,
    /// What a table calls it.
    pub label: &'static str,
    /// Another name that people type for it; empty where there is none.
    pub nickname: &'static str,
    /// Its unit.
    pub unit: Unit,
    /// Which way it gets better.
    pub better: Better,
    /// Whether every design has it; one that has not says `null` in its place.
    pub always: bool,
    /// Largest value that it can have; `None` where nothing bounds it. None is negative.
    pub most: Option<f64>,
    /// Whether `compare` shows it beside that of each baseline.
    pub compared: bool,
    /// Reads it from an answer; `None` where the answer has none.
    pub read: fn(&FigureSource<'_>) -> Option<Amount>,
    /// What it is, in one line.
    pub meaning: &'static str,
    /// How it is computed, in the symbols of docs/equations.md; empty for a name.
    pub formula: &'static str,
    /// Where that stands, with its public source.
    pub equations: &'static [Equation],
    /// Keys of the figures that the formula takes, where it takes nothing else: `explain` shows
    /// them. Empty where it takes more, which `explain` then adds itself.
    pub inputs: &'static [&'static str],
    /// Keys of its summands, where it is the sum of figures; empty where it is none.
    pub parts: &'static [&'static str],
}

/// What a row says where it says nothing else.
pub(super) const ROW: Quantity = Quantity {
    key: "",
    label: "",
    nickname: "",
    unit: Unit::Count,
    better: Better::Neither,
    always: true,
    most: None,
    compared: false,
    read: |_| None,
    meaning: "",
    formula: "",
    equations: &[],
    inputs: &[],
    parts: &[],
};

impl Quantity {
    /// The section of the JSON that it stands in; its own key where it stands in none.
    #[must_use]
    pub fn section(&self) -> &'static str {
        self.key.split_once('.').map_or(self.key, |(section, _)| section)
    }

    /// The last word of its key.
    #[must_use]
    pub fn key_without_section(&self) -> &'static str {
        self.key.rsplit('.').next().unwrap_or(self.key)
    }

    /// The figure of an answer; `None` where the answer has none.
    #[must_use]
    pub fn read_from(&self, answer: &FigureSource<'_>) -> Option<Amount> {
        (self.read)(answer)
    }
}

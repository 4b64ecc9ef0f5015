//! Why a rule can't be judged.

use std::fmt;

use super::quantity::QuantityError;
use crate::units::Unit;

/// Why a rule can't be judged.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleProblem {
    /// The rule.
    pub rule: String,
    /// What is wrong with it.
    pub kind: RuleProblemKind,
}

/// What keeps a rule from being judged.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleProblemKind {
    /// Its name means no figure.
    Quantity(QuantityError),
    /// Its threshold has another unit than the figure.
    Unit {
        /// What the threshold is, in words.
        threshold: &'static str,
        /// The figure.
        key: String,
        /// The figure's unit.
        unit: Unit,
    },
}

impl RuleProblem {
    /// What to do about it; empty where the message says it all.
    #[must_use]
    pub fn hint(&self) -> String {
        match &self.kind {
            RuleProblemKind::Quantity(_) => String::new(),
            RuleProblemKind::Unit { unit, .. } => {
                format!(
                    "the figure is {}: write a percentage, or a number in its unit",
                    unit.noun()
                )
            }
        }
    }
}

impl fmt::Display for RuleProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rule `{}`: ", self.rule)?;
        match &self.kind {
            RuleProblemKind::Quantity(error) => error.fmt(f),
            RuleProblemKind::Unit { threshold, key, .. } => {
                write!(f, "{threshold} can't be held against `{key}`")
            }
        }
    }
}

impl std::error::Error for RuleProblem {}

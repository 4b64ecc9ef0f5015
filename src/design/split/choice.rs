//! One candidate for each part, and the order in which such choices are tried. Solves nothing.

use crate::design::choices::{Value, by_value, every};
use crate::design::ready::Ready;

/// One candidate for each part.
pub(super) struct Choice<'r, 'a> {
    pub(super) ready: Vec<&'r Ready<'a>>,
    /// What it takes at least.
    pub(super) least: f64,
}

impl Value for Choice<'_, '_> {
    fn value(&self) -> f64 {
        self.least
    }
}

impl Choice<'_, '_> {
    /// Names of the products, part by part.
    pub(super) fn products(&self) -> Vec<String> {
        self.ready.iter().map(|ready| ready.product().to_owned()).collect()
    }

    /// `dense on dgx-h100, experts on gb200-nvl72`.
    pub(super) fn words(&self) -> String {
        let each = self.ready.iter().map(|ready| {
            format!("{} on {}", ready.candidate.job.lead.workload.name, ready.product())
        });
        each.collect::<Vec<String>>().join(", ")
    }
}

/// Every choice, those that take least first; of equal ones in the order of the candidates.
pub(super) fn choices<'r, 'a>(all: &'r [Vec<Ready<'a>>]) -> Vec<Choice<'r, 'a>> {
    let choice = |ready: Vec<&'r Ready<'a>>| {
        let least = ready.iter().map(|ready| ready.alone).sum();
        Choice { ready, least }
    };
    by_value(every(all, |_, _| true).into_iter().map(choice))
}

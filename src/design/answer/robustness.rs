//! Which scenarios a fabric carries beside its workloads, and what that takes, as data. Times and routes none.

use super::warning::Warning;
pub use crate::design::candidate::carried::SkippedScenario;
use crate::units::{Seconds, Usd};

/// What was asked of a fabric beside its workloads, and what it gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Robustness {
    /// Longest step of each scenario over its own on a full-bisection Clos.
    pub max_slowdown: f64,
    /// The scenarios.
    pub scenarios: Vec<CarriedScenario>,
    /// Those that were asked for and do not exist on the machines chosen, in the layout chosen.
    pub left_out: Vec<SkippedScenario>,
    /// What the cluster takes more than the best without scenarios; `None` where that was not designed.
    pub price: Option<Price>,
}

/// What carrying scenarios takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Capital that the cluster takes more.
    pub usd: Usd,
    /// That over its capital; where tokens are minimised by cost, no less than what each costs more, as a
    /// share.
    pub share: f64,
}

/// A scenario on a fabric.
#[derive(Clone, Debug, PartialEq)]
pub struct CarriedScenario {
    /// What it is, in a few words.
    pub name: String,
    /// Its step, as routed where that is longer than by the clock.
    pub step: Seconds,
    /// That over its step on a full-bisection Clos.
    pub slowdown: f64,
    /// The longest step that it may take.
    pub most: Seconds,
    /// Least uplinks of a leaf switch over its endpoints with which it is fast enough by the clock; 0 where
    /// no leaf switch has a border, `None` where no number will do.
    pub uplinks: Option<f64>,
    /// Why its step was not routed; `None` where it was.
    pub not_routed: Option<String>,
}

impl CarriedScenario {
    /// True where its step is no longer than it may be, up to the rounding of bytes on links.
    #[must_use]
    pub fn is_step_short_enough(&self) -> bool {
        const ROUNDING: f64 = 1e-6;
        self.step <= self.most * (1.0 + ROUNDING)
    }
}

impl Robustness {
    /// The scenario that needs most uplinks; of several the first, and `None` where none needs any.
    #[must_use]
    pub fn most_uplinks(&self) -> Option<&CarriedScenario> {
        let need = |scenario: &CarriedScenario| scenario.uplinks.unwrap_or(f64::INFINITY);
        let most = |a, b| if need(b) > need(a) { b } else { a };
        self.scenarios.iter().reduce(most).filter(|scenario| need(scenario) > 0.0)
    }

    /// The slowest scenario by its own measure; `None` where there is none.
    #[must_use]
    pub fn slowest_scenario(&self) -> Option<&CarriedScenario> {
        self.scenarios.iter().max_by(|a, b| a.slowdown.total_cmp(&b.slowdown))
    }

    /// What a reader has to know of it.
    pub(super) fn not_carried_warning(&self) -> Option<Warning> {
        let slow = self.scenarios.iter().filter(|scenario| !scenario.is_step_short_enough());
        let scenarios: Vec<(String, f64)> =
            slow.map(|scenario| (scenario.name.clone(), scenario.slowdown)).collect();
        let most = self.max_slowdown;
        (!scenarios.is_empty()).then_some(Warning::NotCarried { scenarios, most })
    }
}

//! How long a workload may take.

use super::limits::{Limits, Loss};
use super::objective::Objective;
use crate::units::Seconds;

/// How long a workload may take; what is `None` follows from the scenario's objective and limits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// Longest step over the least on a full-bisection Clos, of all rank orders and placements.
    pub max_slowdown: Option<f64>,
    /// Length of the whole run, the time that others have the cluster included.
    pub run: Option<Seconds>,
    /// Length of one step.
    pub step_time: Option<Seconds>,
    /// Losses after each of which it goes on, where it has a part of the cluster to itself: what the
    /// default on losses made of a spec that says nothing of them.
    pub survive: Option<&'static [Loss]>,
}

impl Pace {
    /// Its longest step over the least on a full-bisection Clos: its own, or that of all.
    #[must_use]
    pub fn allowed_slowdown(&self, of_all: &Objective) -> f64 {
        self.max_slowdown.unwrap_or_else(|| of_all.allowed_slowdown(of_all.minimize))
    }

    /// Its longest step: its own, or that of all.
    #[must_use]
    pub fn longest_step(&self, of_all: &Limits) -> Option<Seconds> {
        self.step_time.or(of_all.step_time)
    }

    /// Its longest run, likewise.
    #[must_use]
    pub fn longest_run(&self, of_all: &Limits) -> Option<Seconds> {
        self.run.or(of_all.run)
    }
}

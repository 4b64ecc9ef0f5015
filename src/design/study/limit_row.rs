//! What a row of the table of limits says, and the question that it is read from. Has no row.

use crate::design::candidate::candidates::Candidate;
use crate::design::candidate::machine_cost::run_days;
use crate::design::columns::cache::SizingCache;
use crate::design::job::run::JobRun;
use crate::design::network::sized_fabric::SizedFabric;
use crate::design::plan::plan::Plan;
use crate::scenario::{Limits, Minimize, Pace, Scenario};
use crate::units::Unit;

/// More switch models than any rail mixes.
pub(super) const MOST_MODELS: f64 = 4.0;

/// The limits in force.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LimitState {
    pub(crate) limits: Limits,
    pub(crate) max_slowdown: f64,
    /// What each workload states by itself, by name.
    pub(crate) paces: Vec<(String, Pace)>,
}

impl LimitState {
    /// What a workload states by itself.
    pub(super) fn own_time_limits(&self, name: &str) -> Option<&Pace> {
        self.paces.iter().find(|(text, _)| text == name).map(|(_, pace)| pace)
    }

    /// Changes it.
    pub(super) fn change_time_limits(&mut self, name: &str, change: impl FnOnce(&mut Pace)) {
        if let Some((_, pace)) = self.paces.iter_mut().find(|(text, _)| text == name) {
            change(pace);
        }
    }
}

/// A design and what it was found under: what it takes of a limit is read off it.
pub(super) struct LimitUse<'s> {
    pub(super) candidate: &'s Candidate<'s>,
    pub(super) found: &'s SizedFabric,
    pub(super) state: &'s LimitState,
}

impl LimitUse<'_> {
    /// Days of the runs of the workloads that are wanted, with the failures of a mean year; `None`
    /// where none says how long it is.
    pub(super) fn longest_days(&self, wanted: impl Fn(&JobRun<'_>) -> bool) -> Option<f64> {
        let job = &self.candidate.job;
        let paces = job.step_times(self.found.level);
        let each = job.one_run_per_workload().zip(&paces).filter(|(run, _)| wanted(run));
        let days = each.filter_map(|(run, pace)| run_days(run, *pace)).reduce(f64::max)?;
        Some(days / self.found.goodput(job, &mut SizingCache::default()))
    }
}

/// What is asked of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LimitQuestions {
    /// How far it has to move where there is no design, and what more of it is worth.
    Both,
    /// Only how far it has to move: other jobs are within a looser one.
    Move,
    /// Only what more of it is worth.
    Worth,
}

/// A row. Values are in the unit of the key; `name` is that of a switch, where the limit is on one.
#[derive(Debug)]
pub(super) struct LimitRow {
    /// Key of the spec, up to the name of a switch.
    pub(super) key: &'static str,
    pub(super) unit: Unit,
    pub(super) asked: LimitQuestions,
    /// It is a limit on what parts of a cluster share, and not on the steps or rails of each.
    pub(super) shared: bool,
    /// What the design that takes least of it minimises; `None` where that is no objective.
    pub(super) least: Option<Minimize>,
    /// What a state allows; `None` where it limits nothing.
    pub(super) read: fn(&LimitState, name: &str) -> Option<f64>,
    /// Allows another value, or no longer limits anything.
    pub(super) set: fn(&mut LimitState, name: &str, Option<f64>),
    /// What a design takes under a state that limits everything else; `None` where that can't be
    /// read off it.
    pub(super) taken: fn(&LimitUse<'_>, name: &str) -> Option<f64>,
    /// What a plan takes that was made without limits; `None` where it can't break this one.
    pub(super) planned: fn(&Scenario, &Plan, name: &str) -> Option<f64>,
}

//! Limits that a scenario states, as whole steps of the grid on which each is printed: how one is
//! moved, made looser, and what a design takes of it. All follows from its row. Sizes nothing.

use super::limit_row::{LimitQuestions, LimitRow, LimitState, LimitUse};
use super::limit_table::{OF_A_WORKLOAD, ROWS, SUPPLY};
use crate::design::candidate::candidates::Candidate;
use crate::design::candidate::machine_cost::run_days;
use crate::design::columns::terms::Terms;
use crate::design::job::infeasible_details::LimitMove;
use crate::design::job::job::Job;
use crate::design::job::machine::Level;
use crate::design::network::sized_fabric::SizedFabric;
use crate::design::plan::plan::{Plan, StatedLimit};
use crate::scenario::{Minimize, Scenario, Workload};
use crate::units::{Amount, ROUNDING, Seconds, Unit, Usd, Watts};

/// Largest slowdown that a spec may state.
const MOST_SLOWDOWN: f64 = 1e3;
/// Steps of a grid up to which a whole number of them is exact.
const MOST_STEPS: f64 = 9e15;
/// Share of itself by which a limit is made looser to see what that is worth.
pub(super) const STEP: f64 = 0.01;

/// A limit that a state puts in force.
#[derive(Clone, Debug)]
pub(crate) struct Limit {
    row: &'static LimitRow,
    /// The switch that it is on; empty where it is on none.
    name: String,
}

impl PartialEq for Limit {
    fn eq(&self, other: &Self) -> bool {
        (self.row.key, &self.name) == (other.row.key, &other.name)
    }
}

impl LimitState {
    /// The limits that fabrics of a scenario are sized by.
    pub(crate) fn from_scenario(scenario: &Scenario, terms: &Terms<'_>) -> Self {
        let own = |workload: &Workload| (workload.name.clone(), workload.limits);
        let paces = scenario.workloads.iter().map(own).collect();
        Self { limits: terms.limits.clone(), max_slowdown: terms.max_slowdown, paces }
    }

    /// Terms under these limits.
    pub(super) fn terms_under<'s, 't: 's>(&'s self, terms: &Terms<'t>) -> Terms<'s> {
        let Self { limits, max_slowdown, paces } = self;
        Terms { limits, max_slowdown: *max_slowdown, paces, ..*terms }
    }

    /// A scenario under these limits, whatever it allowed.
    pub(crate) fn apply_to(&self, scenario: &mut Scenario) {
        scenario.limits = self.limits.clone();
        for (workload, (_, limits)) in scenario.workloads.iter_mut().zip(&self.paces) {
            *workload = workload.map_products(|workload| Workload { limits: *limits, ..workload });
        }
    }

    /// Limits that are in force and may be moved.
    pub(crate) fn movable_limits(&self) -> Vec<Limit> {
        self.limits_for_question(LimitQuestions::Move)
    }

    /// Limits that are in force and may be worth something.
    fn limits_with_worth(&self) -> Vec<Limit> {
        self.limits_for_question(LimitQuestions::Worth)
    }

    /// Those of them that decide which design is best by these quantities: where no more than money
    /// is minimised, a limit on money decides nothing.
    pub(crate) fn decisive_limits(
        &self,
        mut minimized: impl Iterator<Item = Minimize>,
    ) -> Vec<Limit> {
        let money_alone = minimized.all(|quantity| quantity == Minimize::Capex);
        self.limits_with_worth()
            .into_iter()
            .filter(|limit| !(money_alone && limit.is_of_money()))
            .collect()
    }

    /// The limit on how much longer steps are than on a full-bisection Clos, where it is in force.
    pub(super) fn slowdown_limit(&self) -> Option<Limit> {
        self.limits_of_rows(|row| row.asked == LimitQuestions::Move).pop()
    }

    fn limits_for_question(&self, what: LimitQuestions) -> Vec<Limit> {
        self.limits_of_rows(|row| row.asked == LimitQuestions::Both || row.asked == what)
    }

    fn limits_of_rows(&self, wanted: impl Fn(&LimitRow) -> bool) -> Vec<Limit> {
        let rows = ROWS.iter().filter(|row| wanted(row));
        let named = |row: &'static LimitRow| {
            let names = match row.key {
                SUPPLY => self.limits.supply.keys().cloned().collect(),
                key if OF_A_WORKLOAD.contains(&key) => {
                    self.paces.iter().map(|(name, _)| name.clone()).collect()
                }
                _ => vec![String::new()],
            };
            names.into_iter().map(move |name| Limit { row, name })
        };
        rows.flat_map(named).filter(|limit| limit.value_in_state(self).is_some()).collect()
    }

    /// Without one of them.
    pub(crate) fn without_limit(&self, limit: &Limit) -> Self {
        self.with_limit_value(limit, None)
    }

    /// Without one of them, or with more pieces than any design takes: racks are counted only where
    /// they are limited.
    pub(crate) fn with_limit_lifted(&self, limit: &Limit) -> Self {
        const MANY: f64 = (1_u64 << 32) as f64;
        self.with_limit_value(limit, limit.least_of().is_none().then_some(MANY))
    }

    /// Without some of them.
    pub(crate) fn without_limits(&self, limits: &[Limit]) -> Self {
        limits.iter().fold(self.clone(), |state, limit| state.without_limit(limit))
    }

    /// With one of them so many steps of its grid loose.
    pub(super) fn with_limit_moved(&self, limit: &Limit, steps: i64) -> Self {
        self.with_limit_value(limit, Some(limit.value_at_step(steps)))
    }

    /// What becomes of it where another state that some of its limits are taken from changes: those
    /// that both have alike change with it.
    pub(crate) fn follow_shared_changes(&self, was: &Self, is: &Self) -> Self {
        let shared = was.limits_of_rows(|_| true);
        let alike =
            shared.iter().filter(|limit| limit.value_in_state(self) == limit.value_in_state(was));
        alike.fold(self.clone(), |state, limit| {
            state.with_limit_value(limit, limit.value_in_state(is))
        })
    }

    fn with_limit_value(&self, limit: &Limit, value: Option<f64>) -> Self {
        let mut state = self.clone();
        (limit.row.set)(&mut state, &limit.name, value);
        state
    }
}

/// True of the key of a limit on what parts of a cluster share.
pub(crate) fn is_shared(key: &str) -> bool {
    ROWS.iter().any(|row| row.shared && key.starts_with(row.key))
}

impl Limit {
    /// Key of the spec.
    pub(crate) fn spec_key(&self) -> String {
        match self.name.as_str() {
            "" => self.row.key.to_owned(),
            name if self.is_of_a_workload() => format!("{} of {name}", self.row.key),
            name => format!("{}.{name}", self.row.key),
        }
    }

    /// It is what a workload states by itself.
    fn is_of_a_workload(&self) -> bool {
        OF_A_WORKLOAD.contains(&self.row.key)
    }

    /// It is a limit on what parts of a cluster share.
    pub(crate) const fn is_shared(&self) -> bool {
        self.row.shared
    }

    /// It is a limit on money.
    fn is_of_money(&self) -> bool {
        self.row.unit == Unit::Money
    }

    /// What the design that needs least of it minimises; `None` where that is no objective.
    pub(crate) fn least_of(&self) -> Option<Minimize> {
        self.row.least
    }

    /// A limit from below.
    fn is_floor(&self) -> bool {
        self.row.unit == Unit::Share
    }

    /// Steps of its grid in one of its units, as it is printed and written in a spec: dollars,
    /// hundreds of watts, a ten-thousandth of a second, tenths of a day, whole pieces.
    const fn per_unit(&self) -> f64 {
        match self.row.unit {
            Unit::Number | Unit::Time => 1e4,
            Unit::Days => 10.0,
            Unit::Power => 0.01,
            Unit::Share => 1e3,
            _ => 1.0,
        }
    }

    /// The value at so many steps of the grid; more of them are looser.
    fn value_at_step(&self, steps: i64) -> f64 {
        let value = steps as f64 / self.per_unit();
        if self.is_floor() { 0.0_f64.max(-value) } else { value }
    }

    /// The tightest step of the grid that allows a value in the units of the key.
    fn step_of(&self, value: f64) -> i64 {
        let value = if self.is_floor() { -value } else { value };
        (value * self.per_unit()).ceil().clamp(-MOST_STEPS, MOST_STEPS) as i64
    }

    /// What a state allows, in the units of the key; `None` where it limits nothing.
    fn value_in_state(&self, state: &LimitState) -> Option<f64> {
        (self.row.read)(state, &self.name)
    }

    /// The loosest step of the grid that is no looser than what a state allows.
    pub(super) fn step_within_state(&self, state: &LimitState) -> i64 {
        let value = self.value_in_state(state).unwrap_or_default();
        let step = self.step_of(value);
        if self.value_at_step(step) == value { step } else { step - 1 }
    }

    /// Steps below which a difference says nothing: a ten-thousandth of the limit.
    pub(super) fn negligible_steps(steps: i64) -> i64 {
        (steps.abs() / 10_000).max(1)
    }

    /// The loosest step of the grid that is no looser than what a state allows times a factor.
    pub(super) fn steps_at(&self, state: &LimitState, factor: f64) -> i64 {
        let value = self.value_in_state(state).unwrap_or_default() * factor;
        let step = self.step_of(value);
        if self.value_at_step(step) <= value { step } else { step - 1 }
    }

    /// True where two states allow the same of it.
    pub(crate) fn is_alike(&self, one: &LimitState, other: &LimitState) -> bool {
        self.value_in_state(one) == self.value_in_state(other)
    }

    /// What a state allows; nothing where it limits nothing.
    pub(super) fn allowed_amount(&self, state: &LimitState) -> Amount {
        self.row.unit.to_amount(self.value_in_state(state).unwrap_or_default())
    }

    /// A spec may state it at so many steps of its grid.
    pub(super) fn can_be(&self, steps: i64) -> bool {
        self.row.unit != Unit::Number || self.value_at_step(steps) <= MOST_SLOWDOWN
    }

    /// What so many steps of its grid are.
    pub(super) fn amount_at_step(&self, steps: i64) -> Amount {
        self.row.unit.to_amount(self.value_at_step(steps))
    }

    /// Its move from what a state allows to so many steps of its grid.
    pub(super) fn move_by_steps(&self, state: &LimitState, steps: i64) -> LimitMove {
        let (has, needs) = (self.allowed_amount(state), self.amount_at_step(steps));
        LimitMove { limit: self.spec_key(), has, needs, one_of_several: false, then: None }
    }

    /// The tightest step of the grid that allows an amount of its unit.
    pub(super) fn steps_of(&self, amount: &Amount) -> i64 {
        /// Rounding of an amount that is a whole number of steps.
        const ROUNDING: f64 = 1e-6;
        let value = amount.scalar() / self.row.unit.to_amount(1.0).scalar();
        let steps = if self.is_floor() { -value } else { value } * self.per_unit();
        (steps - ROUNDING).ceil() as i64
    }

    /// The tightest step of the grid that allows what a plan takes; `None` where that can't be read
    /// off it.
    pub(super) fn steps_planned(&self, scenario: &Scenario, plan: &Plan) -> Option<i64> {
        Some(self.step_of((self.row.planned)(scenario, plan, &self.name)?))
    }

    /// The tightest step of the grid that allows what a design takes under a state that limits
    /// everything else; `None` where that can't be read off it.
    pub(super) fn steps_taken_by(
        &self,
        candidate: &Candidate<'_>,
        found: &SizedFabric,
        state: &LimitState,
    ) -> Option<i64> {
        let taken = LimitUse { candidate, found, state };
        Some(self.step_of((self.row.taken)(&taken, &self.name)?))
    }

    /// How far it is from what a plan takes that was made without limits; `None` where the plan
    /// meets it.
    pub(crate) fn broken_by(
        &self,
        state: &LimitState,
        scenario: &Scenario,
        plan: &Plan,
    ) -> Option<LimitMove> {
        let (has, takes) =
            (self.value_in_state(state)?, (self.row.planned)(scenario, plan, &self.name)?);
        let beyond = if self.is_floor() { has - takes } else { takes - has };
        (beyond > has.abs() * ROUNDING).then(|| self.move_by_steps(state, self.step_of(takes)))
    }

    /// What it allows and what a plan takes of it; `None` where that can't be read off the plan, or
    /// the limit is that on slower steps, which has a default.
    pub(crate) fn stated_with_use(
        &self,
        state: &LimitState,
        scenario: &Scenario,
        plan: &Plan,
    ) -> Option<StatedLimit> {
        let takes = (self.row.planned)(scenario, plan, &self.name)?;
        (self.row.asked == LimitQuestions::Both).then(|| StatedLimit {
            key: self.spec_key(),
            may: self.allowed_amount(state),
            takes: self.row.unit.to_amount(takes),
            is_floor: self.is_floor(),
        })
    }

    /// It is a limit on how long each workload takes.
    pub(crate) fn is_of_time(&self) -> bool {
        matches!(self.row.unit, Unit::Time | Unit::Days)
    }

    /// The tightest step that allows what several clusters take; `None` where that can't be read
    /// off it.
    pub(crate) fn taken_by(&self, cluster_use: &ClusterUse) -> Option<i64> {
        let taken = match (self.row.least, self.row.unit) {
            (Some(Minimize::Power), _) => cluster_use.power.get(),
            (Some(_), _) => cluster_use.paid.get(),
            // What each workload takes by itself is not kept of several clusters.
            (None, _) if self.is_of_a_workload() => return None,
            (None, Unit::Time) => cluster_use.step.get(),
            (None, Unit::Days) => cluster_use.days,
            (None, _) => return None,
        };
        Some(self.step_of(taken))
    }
}

/// What several clusters take of what may be limited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClusterUse {
    /// What is paid for all.
    pub(crate) paid: Usd,
    /// Power of all; of stages the most that one draws.
    pub(crate) power: Watts,
    /// The longest step of a workload that states no limit of its own.
    step: Seconds,
    /// The longest run of a workload that states no limit of its own, in days, if machines alone
    /// fail.
    days: f64,
}

impl ClusterUse {
    /// So much money and power, and the longest step and run of jobs, each on a fabric of a level.
    pub(crate) fn from_jobs<'j, 'a: 'j>(
        paid: Usd,
        power: Watts,
        jobs: impl Iterator<Item = (&'j Job<'a>, Level)>,
    ) -> Self {
        let none = Self { paid, power, step: Seconds::ZERO, days: 0.0 };
        jobs.fold(none, |takes, (job, level)| takes.with_job_at_level(job, level))
    }

    /// With those of a job on a fabric of a level.
    fn with_job_at_level(mut self, job: &Job<'_>, level: Level) -> Self {
        let each = job
            .runs_at_level(level)
            .into_iter()
            .zip(job.whole_steps(level))
            .zip(job.step_times(level));
        let trained = job.fleet().goodput_upper_bound();
        for ((run, step), pace) in each {
            let own = run.workload.limits;
            if own.step_time.is_none() {
                self.step = self.step.max(step);
            }
            if own.run.is_none() {
                let days = run_days(run, pace).unwrap_or(0.0);
                self.days = self.days.max(days / trained);
            }
        }
        self
    }
}

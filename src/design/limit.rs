//! A limit that a scenario can state: its key, its value on the grid in which it is printed, and
//! what a design takes of it. Sizes nothing.

use super::candidates::Candidate;
use super::choose::Sized;
use super::infeasible::{Extent, Move};
use super::machine::Level;
use super::money::{machines, run_days};
use super::racks::racks;
use crate::hardware::Rack;
use crate::scenario::Limits;
use crate::units::{Seconds, Usd, Watts};

/// Slowdown that no fabric reaches: stands for no limit.
const ANY_PACE: f64 = 1e6;
/// Largest slowdown that a spec may state.
const MOST_SLOWDOWN: f64 = 1e3;

/// Steps of a grid up to which a whole number of them is exact.
const MOST_STEPS: f64 = 9e15;

/// A limit that a scenario can state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    Slowdown,
    StepTime,
    Days,
    Budget,
    Power,
    Supply(String),
    Racks,
    RackPower,
    WithinRail,
    AcrossRails,
    ModelsPerRail,
}

/// The limits in force.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub(super) limits: Limits,
    pub(super) max_slowdown: f64,
}

impl State {
    /// Limits that are in force.
    pub(super) fn stated(&self) -> Vec<Limit> {
        let limits = &self.limits;
        let mut all = Vec::new();
        all.extend((self.max_slowdown < ANY_PACE).then_some(Limit::Slowdown));
        all.extend(limits.step_time.map(|_| Limit::StepTime));
        all.extend(limits.run.map(|_| Limit::Days));
        all.extend(limits.budget.map(|_| Limit::Budget));
        all.extend(limits.power.map(|_| Limit::Power));
        all.extend(limits.supply.keys().cloned().map(Limit::Supply));
        all.extend(limits.racks.map(|_| Limit::Racks));
        all.extend(limits.rack.power.map(|_| Limit::RackPower));
        all.extend(limits.within_rail.filter(|least| *least > 0.0).map(|_| Limit::WithinRail));
        all.extend(limits.across_rails.filter(|least| *least > 0.0).map(|_| Limit::AcrossRails));
        all.extend(limits.models_per_rail.map(|_| Limit::ModelsPerRail));
        all
    }

    /// Without one of them.
    pub(super) fn without(&self, limit: &Limit) -> Self {
        let mut state = self.clone();
        let limits = &mut state.limits;
        match limit {
            Limit::Slowdown => state.max_slowdown = ANY_PACE,
            Limit::StepTime => limits.step_time = None,
            Limit::Days => limits.run = None,
            Limit::Budget => limits.budget = None,
            Limit::Power => limits.power = None,
            Limit::Supply(model) => drop(limits.supply.remove(model)),
            Limit::Racks => limits.racks = None,
            Limit::RackPower => limits.rack.power = None,
            Limit::WithinRail => limits.within_rail = None,
            Limit::AcrossRails => limits.across_rails = None,
            Limit::ModelsPerRail => limits.models_per_rail = None,
        }
        state
    }

    /// Without some of them.
    pub(super) fn without_all(&self, limits: &[Limit]) -> Self {
        limits.iter().fold(self.clone(), |state, limit| state.without(limit))
    }

    /// With one of them so many steps of its grid loose.
    pub(super) fn with(&self, limit: &Limit, steps: i64) -> Self {
        let value = limit.at(steps);
        let mut state = self.clone();
        let limits = &mut state.limits;
        let count = value as u64;
        match limit {
            Limit::Slowdown => state.max_slowdown = value,
            Limit::StepTime => limits.step_time = Some(Seconds::of(value)),
            Limit::Days => limits.run = Some(Seconds::days(value)),
            Limit::Budget => limits.budget = Some(Usd::of(value)),
            Limit::Power => limits.power = Some(Watts::of(value)),
            Limit::Supply(model) => drop(limits.supply.insert(model.clone(), count)),
            Limit::Racks => limits.racks = Some(count),
            Limit::RackPower => limits.rack.power = Some(Watts::of(value)),
            Limit::WithinRail => limits.within_rail = Some(value),
            Limit::AcrossRails => limits.across_rails = Some(value),
            Limit::ModelsPerRail => limits.models_per_rail = Some(count as u32),
        }
        state
    }
}

impl Limit {
    /// Key of the spec.
    pub(super) fn key(&self) -> String {
        match self {
            Self::Slowdown => "objective.max_slowdown".to_owned(),
            Self::StepTime => "limits.step_time".to_owned(),
            Self::Days => "limits.days".to_owned(),
            Self::Budget => "limits.budget".to_owned(),
            Self::Power => "limits.power".to_owned(),
            Self::Supply(model) => format!("limits.supply.{model}"),
            Self::Racks => "limits.racks".to_owned(),
            Self::RackPower => "limits.rack_power".to_owned(),
            Self::WithinRail => "limits.within_rail".to_owned(),
            Self::AcrossRails => "limits.across_rails".to_owned(),
            Self::ModelsPerRail => "limits.models_per_rail".to_owned(),
        }
    }

    /// A limit from below.
    const fn is_floor(&self) -> bool {
        matches!(self, Self::WithinRail | Self::AcrossRails)
    }

    /// Steps of its grid in one of its units, as it is printed and written in a spec: dollars,
    /// hundreds of watts, a ten-thousandth of a second, tenths of a day, whole pieces.
    const fn per_unit(&self) -> f64 {
        match self {
            Self::Slowdown | Self::StepTime => 1e4,
            Self::Days => 10.0,
            Self::Power | Self::RackPower => 0.01,
            Self::WithinRail | Self::AcrossRails => 1e3,
            Self::Budget | Self::Supply(_) | Self::Racks | Self::ModelsPerRail => 1.0,
        }
    }

    /// The value at so many steps of the grid; more of them are looser.
    fn at(&self, steps: i64) -> f64 {
        let value = steps as f64 / self.per_unit();
        if self.is_floor() { (-value).max(0.0) } else { value }
    }

    /// The tightest step of the grid that allows a value in the units of the key.
    fn step_of(&self, value: f64) -> i64 {
        let value = if self.is_floor() { -value } else { value };
        (value * self.per_unit()).ceil().clamp(-MOST_STEPS, MOST_STEPS) as i64
    }

    /// What a state allows, in the units of the key; `None` where it limits nothing.
    fn value(&self, state: &State) -> Option<f64> {
        let limits = &state.limits;
        match self {
            Self::Slowdown => Some(state.max_slowdown),
            Self::StepTime => limits.step_time.map(Seconds::get),
            Self::Days => limits.run.map(|run| run / Seconds::DAY),
            Self::Budget => limits.budget.map(Usd::get),
            Self::Power => limits.power.map(Watts::get),
            Self::Supply(model) => limits.supply.get(model).map(|count| *count as f64),
            Self::Racks => limits.racks.map(|count| count as f64),
            Self::RackPower => limits.rack.power.map(Watts::get),
            Self::WithinRail => limits.within_rail,
            Self::AcrossRails => limits.across_rails,
            Self::ModelsPerRail => limits.models_per_rail.map(f64::from),
        }
    }

    /// The loosest step of the grid that is no looser than what a state allows.
    pub(super) fn tightest(&self, state: &State) -> i64 {
        let value = self.value(state).unwrap_or_default();
        let step = self.step_of(value);
        if self.at(step) == value { step } else { step - 1 }
    }

    /// Steps below which a difference says nothing: a ten-thousandth of the limit.
    pub(super) fn close(&self, steps: i64) -> i64 {
        (steps.abs() / 10_000).max(1)
    }

    /// A spec may state it at so many steps of its grid.
    pub(super) fn can_be(&self, steps: i64) -> bool {
        match self {
            Self::Slowdown => self.at(steps) <= MOST_SLOWDOWN,
            _ => true,
        }
    }

    /// Its move from what a state allows to so many steps of its grid.
    pub(super) fn by(&self, state: &State, steps: i64) -> Move {
        Move {
            limit: self.key(),
            has: self.extent(self.value(state).unwrap_or_default()),
            needs: self.extent(self.at(steps)),
        }
    }

    /// The tightest step of the grid that allows what a design takes under a state that limits
    /// everything else; `None` where that can't be read off it.
    pub(super) fn taken(
        &self,
        candidate: &Candidate<'_>,
        found: &Sized,
        state: &State,
    ) -> Option<i64> {
        let job = &candidate.job;
        let paces = job.paces(found.level);
        let value = match self {
            Self::Slowdown => {
                job.each().zip(&paces).map(|(run, pace)| *pace / run.reference).fold(1.0, f64::max)
            }
            Self::StepTime => paces.iter().map(|pace| pace.get()).fold(0.0, f64::max),
            Self::Days => job
                .each()
                .zip(&paces)
                .filter_map(|(run, pace)| run_days(run, *pace * run.stretch(Level::FULL)))
                .fold(0.0, f64::max),
            Self::Budget => (machines(job).capex + found.solution.capex).get(),
            Self::Power => (machines(job).power + found.solution.power).get(),
            Self::Supply(model) => {
                let stock = job.scenario.inventory.get(model).copied().unwrap_or(0);
                found.counts.switches_of(model).saturating_sub(stock) as f64
            }
            Self::Racks => {
                let racks = racks(job, &found.counts, &state.limits)?;
                (racks.nodes + racks.switches) as f64
            }
            Self::RackPower => {
                let rack = Rack { power: None, ..state.limits.rack };
                let limits = Limits { rack, ..state.limits.clone() };
                racks(job, &found.counts, &limits)?.fullest.get()
            }
            Self::WithinRail => found.level.within,
            Self::AcrossRails => found.level.across,
            Self::ModelsPerRail => MOST_MODELS,
        };
        Some(self.step_of(value))
    }

    /// The value as a quantity.
    fn extent(&self, value: f64) -> Extent {
        match self {
            Self::Slowdown => Extent::Factor(value),
            Self::WithinRail | Self::AcrossRails => Extent::Share(value),
            Self::StepTime => Extent::Time(Seconds::of(value)),
            Self::Days => Extent::Run(Seconds::days(value)),
            Self::Budget => Extent::Money(Usd::of(value)),
            Self::Power | Self::RackPower => Extent::Power(Watts::of(value)),
            Self::Racks | Self::Supply(_) | Self::ModelsPerRail => Extent::Pieces(value as u64),
        }
    }
}

/// More switch models than any rail mixes.
const MOST_MODELS: f64 = 4.0;

//! Which limits of a scenario clash, over all candidates, and how far each would have to move:
//! found by sizing again with limits left out. Decides nothing about designs.

use super::candidates::Candidate;
use super::choose::{Sized, Tools, size};
use super::infeasible::{Extent, Infeasible, Move};
use super::money::{machines, run_days};
use super::racks::racks;
use super::terms::Terms;
use crate::hardware::Rack;
use crate::scenario::{Limits, Minimize};
use crate::units::{Seconds, Usd, Watts};

/// Slowdown that no fabric reaches: stands for no limit.
const ANY_PACE: f64 = 1e6;

/// Candidates are compared, and halving ends, at this share of a limit.
const CLOSE: f64 = 1e-4;
/// The same of power, which is mostly that of the machines: the network's part counts.
const CLOSE_POWER: f64 = 1e-6;

/// Halvings of the distance between a limit that fails and one that does not. What is reported is
/// what the design found there takes, so that counts and sums are exact.
const HALVINGS: u32 = 24;

/// More switch models than any rail mixes.
const MOST_MODELS: f64 = 4.0;

/// A limit that a scenario can state.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Limit {
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
#[derive(Clone, Debug)]
struct State {
    limits: Limits,
    max_slowdown: f64,
}

/// The smallest set of limits that no candidate meets together, each with what it would have to
/// be while the others hold; `failed` where limits are not what is in the way.
///
/// A limit without which there is still no design is left out for good, one after another (the
/// deletion filter): of what remains, every one is needed for the clash.
pub(super) fn clash(
    all: &[Candidate<'_>],
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
    failed: Infeasible,
) -> Infeasible {
    let mut state = State { limits: terms.limits.clone(), max_slowdown: terms.max_slowdown };
    let stated = stated(&state.limits);
    let free = stated.iter().fold(state.clone(), |state, limit| state.without(limit));
    if first(all, &free, terms, tools).is_none() {
        return failed;
    }
    for limit in &stated {
        let without = state.without(limit);
        if first(all, &without, terms, tools).is_none() {
            state = without;
        }
    }
    let kept: Vec<&Limit> = stated.iter().filter(|limit| state.states(limit)).collect();
    let moves: Vec<Move> =
        kept.into_iter().filter_map(|limit| moved(limit, all, &state, terms, tools)).collect();
    if moves.is_empty() { failed } else { Infeasible::Clash(moves) }
}

fn stated(limits: &Limits) -> Vec<Limit> {
    let mut all = vec![Limit::Slowdown];
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

/// A design of the first candidate that has one.
fn first<'c, 'a>(
    all: &'c [Candidate<'a>],
    state: &State,
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Option<(&'c Candidate<'a>, Sized)> {
    all.iter().find_map(|candidate| Some((candidate, sized(candidate, state, terms, tools)?)))
}

/// The cheapest design of a candidate.
fn sized(
    candidate: &Candidate<'_>,
    state: &State,
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Option<Sized> {
    let terms = Terms {
        limits: &state.limits,
        max_slowdown: state.max_slowdown,
        minimize: Minimize::Capex,
        silent: true,
        protocol: candidate.protocol,
        ..*terms
    };
    size(&candidate.job, candidate.planes, &terms, tools).ok()
}

/// The least move of a limit that makes a design possible while the others of `state` hold.
fn moved(
    limit: &Limit,
    all: &[Candidate<'_>],
    state: &State,
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Option<Move> {
    let without = state.without(limit);
    let mut best: Option<f64> = None;
    for candidate in all {
        let Some(found) = sized(candidate, &without, terms, tools) else { continue };
        let mut takes = limit.taken(candidate, &found, limit.endless(), &without.limits);
        if let Some(known) = best
            && *limit != Limit::Budget
            && sized(candidate, &limit.set(&without, known), terms, tools).is_none()
        {
            continue; // what another candidate takes is too little for this one
        }
        if *limit != Limit::Budget {
            // The cheapest design need not be the one that takes least.
            let mut low = limit.value(state);
            for _ in 0..HALVINGS {
                if (takes - low).abs() <= limit.close() * takes.abs() {
                    break;
                }
                let middle = limit.between(low, takes);
                if middle == low || middle == takes {
                    break;
                }
                match sized(candidate, &limit.set(&without, middle), terms, tools) {
                    Some(found) => takes = limit.taken(candidate, &found, middle, &without.limits),
                    None => low = middle,
                }
            }
        }
        let nearer = |known: f64| if limit.is_floor() { takes > known } else { takes < known };
        if best.is_none_or(nearer) {
            best = Some(takes);
        }
    }
    let (has, needs) = (limit.value(state), best?);
    Some(Move { limit: limit.key(), has: limit.extent(has), needs: limit.extent(needs) })
}

impl State {
    /// The limit is in force.
    fn states(&self, limit: &Limit) -> bool {
        stated(&self.limits).contains(limit)
            && (*limit != Limit::Slowdown || self.max_slowdown < ANY_PACE)
    }

    fn without(&self, limit: &Limit) -> Self {
        limit.set(self, limit.endless())
    }
}

impl Limit {
    /// Key of the spec.
    fn key(&self) -> String {
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

    /// The value that stands for no limit.
    const fn endless(&self) -> f64 {
        match self {
            Self::Slowdown => ANY_PACE,
            Self::WithinRail | Self::AcrossRails => 0.0,
            _ => f64::INFINITY,
        }
    }

    /// Its value in base units.
    fn value(&self, state: &State) -> f64 {
        let limits = &state.limits;
        let value = match self {
            Self::Slowdown => Some(state.max_slowdown),
            Self::StepTime => limits.step_time.map(Seconds::get),
            Self::Days => limits.run.map(Seconds::get),
            Self::Budget => limits.budget.map(Usd::get),
            Self::Power => limits.power.map(Watts::get),
            Self::Supply(model) => limits.supply.get(model).map(|count| *count as f64),
            Self::Racks => limits.racks.map(|count| count as f64),
            Self::RackPower => limits.rack.power.map(Watts::get),
            Self::WithinRail => limits.within_rail,
            Self::AcrossRails => limits.across_rails,
            Self::ModelsPerRail => limits.models_per_rail.map(f64::from),
        };
        value.unwrap_or_else(|| self.endless())
    }

    /// The same limits with this one at a value.
    fn set(&self, state: &State, value: f64) -> State {
        let mut state = state.clone();
        let limits = &mut state.limits;
        let finite = Some(value).filter(|value| value.is_finite());
        match self {
            Self::Slowdown => state.max_slowdown = value,
            Self::StepTime => limits.step_time = finite.map(Seconds::of),
            Self::Days => limits.run = finite.map(Seconds::of),
            Self::Budget => limits.budget = finite.map(Usd::of),
            Self::Power => limits.power = finite.map(Watts::of),
            Self::Supply(model) => match finite {
                Some(count) => {
                    limits.supply.insert(model.clone(), count as u64);
                }
                None => {
                    limits.supply.remove(model);
                }
            },
            Self::Racks => limits.racks = finite.map(|count| count as u64),
            Self::RackPower => limits.rack.power = finite.map(Watts::of),
            Self::WithinRail => limits.within_rail = Some(value),
            Self::AcrossRails => limits.across_rails = Some(value),
            Self::ModelsPerRail => limits.models_per_rail = finite.map(|count| count as u32),
        }
        state
    }

    /// Share of a limit below which differences say nothing.
    const fn close(&self) -> f64 {
        if matches!(self, Self::Power) { CLOSE_POWER } else { CLOSE }
    }

    /// A value between two; whole for what is counted.
    fn between(&self, low: f64, high: f64) -> f64 {
        let middle = f64::midpoint(low, high);
        if matches!(self, Self::Supply(_) | Self::Racks | Self::ModelsPerRail) {
            middle.floor()
        } else {
            middle
        }
    }

    /// What a design takes of it under other limits; `allowed` where that can't be read off it.
    fn taken(
        &self,
        candidate: &Candidate<'_>,
        found: &Sized,
        allowed: f64,
        limits: &Limits,
    ) -> f64 {
        let job = &candidate.job;
        let paces = job.paces(found.level);
        match self {
            Self::Slowdown => {
                job.each().zip(&paces).map(|(run, pace)| *pace / run.reference).fold(1.0, f64::max)
            }
            Self::StepTime => paces.iter().map(|pace| pace.get()).fold(0.0, f64::max),
            Self::Days => {
                job.each()
                    .zip(&paces)
                    .filter_map(|(run, pace)| run_days(run, *pace))
                    .fold(0.0, f64::max)
                    * Seconds::DAY.get()
            }
            Self::Budget => (machines(job).capex + found.solution.capex).get(),
            Self::Power => (machines(job).power + found.solution.power).get(),
            Self::Supply(model) => {
                let stock = job.scenario.inventory.get(model).copied().unwrap_or(0);
                found.counts.switches_of(model).saturating_sub(stock) as f64
            }
            Self::Racks => racks(job, &found.counts, limits)
                .map_or(allowed, |racks| (racks.nodes + racks.switches) as f64),
            Self::RackPower => {
                let power = Some(allowed).filter(|most| most.is_finite()).map(Watts::of);
                let limits = Limits { rack: Rack { power, ..limits.rack }, ..limits.clone() };
                racks(job, &found.counts, &limits).map_or(allowed, |racks| racks.fullest.get())
            }
            Self::WithinRail => found.level.within,
            Self::AcrossRails => found.level.across,
            Self::ModelsPerRail => allowed.min(MOST_MODELS),
        }
    }

    /// The value as a quantity.
    fn extent(&self, value: f64) -> Extent {
        match self {
            Self::Slowdown => Extent::Factor(value),
            Self::WithinRail | Self::AcrossRails => Extent::Share(value),
            Self::StepTime | Self::Days => Extent::Time(Seconds::of(value)),
            Self::Budget => Extent::Money(Usd::of(value)),
            Self::Power | Self::RackPower => Extent::Power(Watts::of(value)),
            Self::Racks => Extent::Pieces(value as u64),
            Self::Supply(_) | Self::ModelsPerRail => Extent::Pieces(value as u64),
        }
    }
}

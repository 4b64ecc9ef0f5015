//! Which limits bind, and what a little more of each is worth: the best design of all candidates is
//! found again with that limit looser.

use super::candidates::{Candidate, Entry, by_least, candidates};
use super::choose::Tools;
use super::lexicographic::chosen as chosen_of;
use super::plan::{Bound, Worth};
use super::terms::Terms;
use super::yard::Yard;
use crate::scenario::{Limits, Minimize, Scenario};
use crate::units::{Amount, Usd, Watts};

/// Share by which power and slowdown are relaxed to see what they are worth.
const STEP: f64 = 0.01;

/// Every limit that binds: with a little more of it the best design is better. `known` is the least
/// of each quantity that the scenario minimises, in its turn.
pub(super) fn binding(
    all: &[Candidate<'_>],
    chosen: &Entry<'_>,
    known: &[(Minimize, f64)],
    tools: &mut Tools<'_>,
) -> Vec<Bound> {
    let scenario = chosen.job.scenario;
    let pace = chosen.sized.time.get();
    let bound = |limit: String, by: Option<Amount>, relaxed: Option<Gain>| {
        let Gain { of, saved } = relaxed?;
        // A cost per token is money times the time of a step: as money at the chosen pace.
        let pace = if of == Minimize::UsdPerToken { pace } else { 1.0 };
        Some(Bound { limit, worth: worth(of, by, saved / pace) })
    };
    let mut bounds = Vec::new();
    // A rank order may be within the looser slowdown that is not within the stated one: these are
    // other jobs, of which nothing is known.
    let mut slower = scenario.clone();
    slower.objective.max_slowdown *= 1.0 + STEP;
    let mut others = Tools { options: tools.options, yard: Yard::default() };
    let gain = gain(&candidates(&slower).0, &quiet(&slower), known, &mut others);
    bounds.extend(bound("objective.max_slowdown".to_owned(), Some(Amount::Share(STEP)), gain));
    let terms = quiet(scenario);
    // A budget decides nothing where no more than money is minimised.
    let decides = known.iter().map(|(of, _)| *of).find(|of| *of != Minimize::Capex);
    let counted = Terms { minimize: decides.unwrap_or(Minimize::Capex), ..terms };
    for Relaxation { limit, by, limits, .. } in relaxations(&counted) {
        let relaxed = self::gain(all, &Terms { limits: &limits, ..terms }, known, tools);
        bounds.extend(bound(limit, by, relaxed));
    }
    bounds.extend(radix(chosen));
    bounds
}

/// What the scenario says; only whether there is a design counts.
fn quiet(scenario: &Scenario) -> Terms<'_> {
    Terms { silent: true, ..Terms::of(scenario) }
}

/// What looser limits save of the first quantity that they change.
struct Gain {
    of: Minimize,
    saved: f64,
}

/// What the best design under looser terms saves; `None` where it is no better.
fn gain(
    all: &[Candidate<'_>],
    terms: &Terms<'_>,
    known: &[(Minimize, f64)],
    tools: &mut Tools<'_>,
) -> Option<Gain> {
    let relaxed = match known {
        [(_, value)] => vec![(terms.minimize, cheaper(all, terms, *value, tools)?)],
        _ => chosen_of(all, None, *terms, tools).ok()?.least,
    };
    known.iter().zip(relaxed).find_map(|((of, value), (_, relaxed))| {
        let saved = value - relaxed;
        is_saving(saved, *value).then_some(Gain { of: *of, saved })
    })
}

/// The value of the best design of all candidates, where that is below what is known. Those are
/// sized that may be.
fn cheaper(
    all: &[Candidate<'_>],
    terms: &Terms<'_>,
    known: f64,
    tools: &mut Tools<'_>,
) -> Option<f64> {
    let mut best = known;
    for (least, place) in by_least(all, 0..all.len(), terms.minimize) {
        if least >= best {
            break;
        }
        if let Ok(found) = all[place].sized(terms, tools) {
            best = best.min(found.value);
        }
    }
    (best < known).then_some(best)
}

/// One limit made a little looser.
pub(super) struct Relaxation {
    /// Its key in the spec.
    pub(super) limit: String,
    /// By how much; `None` where it is left out.
    pub(super) by: Option<Amount>,
    /// All limits, with that one looser.
    pub(super) limits: Limits,
    /// It is a limit on what parts of a cluster share, and not on the steps or rails of each.
    pub(super) shared: bool,
}

/// Every limit that the terms state, each made looser alone; but the budget only where money is not
/// what is minimised, as it then changes nothing.
pub(super) fn relaxations(terms: &Terms<'_>) -> Vec<Relaxation> {
    let limits = terms.limits;
    let mut all = Vec::new();
    let mut add = |limit: &str, by: Option<Amount>, shared: bool, change: &dyn Fn(&mut Limits)| {
        let mut changed = limits.clone();
        change(&mut changed);
        all.push(Relaxation { limit: limit.to_owned(), by, limits: changed, shared });
    };
    let more = 1.0 + STEP;
    if let Some(power) = limits.power {
        let by = Some(Amount::Power(power * STEP));
        add("limits.power", by, true, &|limits| limits.power = Some(power * more));
    }
    if let Some(budget) = limits.budget.filter(|_| terms.minimize != Minimize::Capex) {
        let by = Some(Amount::Money(budget * STEP));
        add("limits.budget", by, true, &|limits| limits.budget = Some(budget * more));
    }
    let share = || Some(Amount::Share(STEP));
    if let Some(time) = limits.step_time {
        add("limits.step_time", share(), false, &|limits| limits.step_time = Some(time * more));
    }
    if let Some(run) = limits.run {
        add("limits.days", share(), false, &|limits| limits.run = Some(run * more));
    }
    if let Some(racks) = limits.racks {
        add("limits.racks", Some(Amount::Count(1)), true, &|limits| limits.racks = Some(racks + 1));
    }
    if let Some(power) = limits.rack.power {
        let by = Some(Amount::Power(power * STEP));
        add("limits.rack_power", by, false, &|limits| limits.rack.power = Some(power * more));
    }
    if limits.bound_racks() {
        let by = Some(Amount::Count(1));
        add("limits.rack_units", by, false, &|limits| limits.rack.units += 1);
    }
    if let Some(models) = limits.models_per_rail {
        let by = Some(Amount::Count(1));
        add("limits.models_per_rail", by, false, &|limits| {
            limits.models_per_rail = Some(models + 1);
        });
    }
    if limits.within_rail.is_some() {
        add("limits.within_rail", None, false, &|limits| limits.within_rail = None);
    }
    if limits.across_rails.is_some() {
        add("limits.across_rails", None, false, &|limits| limits.across_rails = None);
    }
    for (model, supply) in &limits.supply {
        let limit = format!("limits.supply.{model}");
        add(&limit, Some(Amount::Count(1)), true, &|limits| {
            limits.supply.insert(model.clone(), supply + 1);
        });
    }
    all
}

/// What a limit made looser saves of a quantity: money, or power where that is minimised.
pub(super) fn worth(of: Minimize, by: Option<Amount>, saved: f64) -> Worth {
    match of {
        Minimize::Power => Worth::Spares { by, power: Watts::of(saved) },
        of => Worth::Saves { by, saved: Usd::of(saved), of },
    }
}

/// True where a saving is more than the rounding of sums.
pub(super) fn is_saving(saved: f64, of: f64) -> bool {
    saved > of.abs() * 1e-9
}

/// A rail that is larger than a switch needs a second tier.
fn radix(chosen: &Entry<'_>) -> Option<Bound> {
    let domains = chosen.job.domains;
    let radix = chosen.sized.counts.tiers.iter().map(|tier| tier.radix).max()?;
    let tiers = chosen.sized.counts.depth();
    (tiers > 1 && domains > radix).then(|| Bound {
        limit: "switch radix".to_owned(),
        worth: Worth::Tiers { endpoints: domains, radix, tiers },
    })
}

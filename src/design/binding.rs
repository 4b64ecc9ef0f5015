//! Which limits bind, and what one more unit of each is worth: found by solving again.

use super::candidates::Entry;
use super::choose::{Tools, size};
use super::plan::{Bound, Relaxed, Worth};
use super::terms::Terms;
use crate::scenario::{Limits, Minimize};
use crate::units::{Usd, Watts};

/// Share by which power and slowdown are relaxed to see what they are worth.
const STEP: f64 = 0.01;

/// Every limit that binds the chosen design.
pub(super) fn binding(chosen: &Entry<'_>, terms: &Terms<'_>, tools: &mut Tools<'_>) -> Vec<Bound> {
    let mut all = Vec::new();
    let value = chosen.sized.value;
    let mut saved = |terms: &Terms<'_>| -> Option<f64> {
        let relaxed = size(&chosen.job, chosen.sized.planes, terms, tools).ok()?;
        let saved = value - relaxed.value;
        is_saving(saved, value).then_some(saved)
    };
    // A cost per token is money times the time of a step: as money at the chosen design's pace.
    let per_token = terms.minimize == Minimize::UsdPerToken;
    let pace = if per_token { chosen.sized.time.get() } else { 1.0 };
    let mut bound = |limit: &str, by: Relaxed, relaxed: &Terms<'_>| {
        if let Some(saved) = saved(relaxed) {
            let worth = worth(terms.minimize, by, saved / pace);
            all.push(Bound { limit: limit.to_owned(), worth });
        }
    };
    let slower = Terms { max_slowdown: terms.max_slowdown * (1.0 + STEP), ..*terms };
    bound("objective.max_slowdown", Relaxed::Share(STEP), &slower);
    for Relaxation { limit, by, limits, .. } in relaxations(terms) {
        bound(&limit, by, &Terms { limits: &limits, ..*terms });
    }
    all.extend(radix(chosen));
    all
}

/// One limit made a little looser.
pub(super) struct Relaxation {
    /// Its key in the spec.
    pub(super) limit: String,
    pub(super) by: Relaxed,
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
    let mut add = |limit: &str, by: Relaxed, shared: bool, change: &dyn Fn(&mut Limits)| {
        let mut changed = limits.clone();
        change(&mut changed);
        all.push(Relaxation { limit: limit.to_owned(), by, limits: changed, shared });
    };
    let more = 1.0 + STEP;
    if let Some(power) = limits.power {
        let by = Relaxed::Power(power * STEP);
        add("limits.power", by, true, &|limits| limits.power = Some(power * more));
    }
    if let Some(budget) = limits.budget.filter(|_| terms.minimize != Minimize::Capex) {
        let by = Relaxed::Money(budget * STEP);
        add("limits.budget", by, true, &|limits| limits.budget = Some(budget * more));
    }
    let share = Relaxed::Share(STEP);
    if let Some(time) = limits.step_time {
        add("limits.step_time", share, false, &|limits| limits.step_time = Some(time * more));
    }
    if let Some(run) = limits.run {
        add("limits.days", share, false, &|limits| limits.run = Some(run * more));
    }
    if let Some(racks) = limits.racks {
        add("limits.racks", Relaxed::Pieces(1), true, &|limits| limits.racks = Some(racks + 1));
    }
    if let Some(power) = limits.rack.power {
        let by = Relaxed::Power(power * STEP);
        add("limits.rack_power", by, false, &|limits| limits.rack.power = Some(power * more));
    }
    if limits.within_rail.is_some() {
        add("limits.within_rail", Relaxed::Dropped, false, &|limits| limits.within_rail = None);
    }
    if limits.across_rails.is_some() {
        add("limits.across_rails", Relaxed::Dropped, false, &|limits| limits.across_rails = None);
    }
    for (model, supply) in &limits.supply {
        let limit = format!("limits.supply.{model}");
        add(&limit, Relaxed::Pieces(1), true, &|limits| {
            limits.supply.insert(model.clone(), supply + 1);
        });
    }
    all
}

/// What a limit made looser saves of a quantity: money, or power where that is minimised.
pub(super) fn worth(of: Minimize, by: Relaxed, saved: f64) -> Worth {
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

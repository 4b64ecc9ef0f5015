//! Which limits bind, and what one more unit of each is worth: found by solving again.

use super::choose::{Tools, size};
use super::plan::{Bound, Relaxed, Worth};
use super::run::Entry;
use super::terms::Terms;
use crate::hardware::Rack;
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
        (saved > value.abs() * 1e-9).then_some(saved)
    };
    // A cost per token is money times the time of a step: as money at the chosen design's pace.
    let per_token = terms.minimize == Minimize::UsdPerToken;
    let pace = if per_token { chosen.sized.time.get() } else { 1.0 };
    let mut bound = |limit: &str, by: Relaxed, relaxed: &Terms<'_>| {
        if let Some(saved) = saved(relaxed) {
            let worth = match terms.minimize {
                Minimize::Power => Worth::Spares { by, power: Watts::of(saved) },
                of => Worth::Saves { by, saved: Usd::of(saved / pace), of },
            };
            all.push(Bound { limit: limit.to_owned(), worth });
        }
    };
    let slower = Terms { max_slowdown: terms.max_slowdown * (1.0 + STEP), ..*terms };
    bound("objective.max_slowdown", Relaxed::Share(STEP), &slower);
    if let Some(power) = terms.limits.power {
        let more = Limits { power: Some(power * (1.0 + STEP)), ..terms.limits.clone() };
        let by = Relaxed::Power(power * STEP);
        bound("limits.power", by, &Terms { limits: &more, ..*terms });
    }
    if let Some(budget) = terms.limits.budget.filter(|_| terms.minimize != Minimize::Capex) {
        let more = Limits { budget: Some(budget * (1.0 + STEP)), ..terms.limits.clone() };
        bound("limits.budget", Relaxed::Money(budget * STEP), &Terms { limits: &more, ..*terms });
    }
    if let Some(time) = terms.limits.step_time {
        let more = Limits { step_time: Some(time * (1.0 + STEP)), ..terms.limits.clone() };
        bound("limits.step_time", Relaxed::Share(STEP), &Terms { limits: &more, ..*terms });
    }
    if let Some(run) = terms.limits.run {
        let more = Limits { run: Some(run * (1.0 + STEP)), ..terms.limits.clone() };
        bound("limits.days", Relaxed::Share(STEP), &Terms { limits: &more, ..*terms });
    }
    if let Some(racks) = terms.limits.racks {
        let more = Limits { racks: Some(racks + 1), ..terms.limits.clone() };
        bound("limits.racks", Relaxed::Pieces(1), &Terms { limits: &more, ..*terms });
    }
    if let Some(power) = terms.limits.rack.power {
        let rack = Rack { power: Some(power * (1.0 + STEP)), ..terms.limits.rack };
        let more = Limits { rack, ..terms.limits.clone() };
        let by = Relaxed::Power(power * STEP);
        bound("limits.rack_power", by, &Terms { limits: &more, ..*terms });
    }
    if terms.limits.within_rail.is_some() {
        let more = Limits { within_rail: None, ..terms.limits.clone() };
        bound("limits.within_rail", Relaxed::Dropped, &Terms { limits: &more, ..*terms });
    }
    if terms.limits.across_rails.is_some() {
        let more = Limits { across_rails: None, ..terms.limits.clone() };
        bound("limits.across_rails", Relaxed::Dropped, &Terms { limits: &more, ..*terms });
    }
    for (model, supply) in &terms.limits.supply {
        let mut more = terms.limits.clone();
        more.supply.insert(model.clone(), supply + 1);
        let limit = format!("limits.supply.{model}");
        bound(&limit, Relaxed::Pieces(1), &Terms { limits: &more, ..*terms });
    }
    all.extend(radix(chosen));
    all
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

//! Which limits bind, how little more of each changes the answer, and what that and leaving it out
//! are worth: everything is designed again under other limits. How it is designed, a market knows.

use super::limit::Limit;
use super::limit_row::LimitState;
use crate::design::effort;
use crate::design::plan::plan::{BindingLimit, LimitWorth};
use crate::scenario::Minimize;
use crate::units::Amount;

/// Designs under other limits.
pub(crate) trait LimitMarket {
    /// The best design under some limits, where it is better than the one that is known.
    fn find_better_design(&mut self, state: &LimitState, limit: &Limit) -> Option<BetterDesign>;

    /// Forgets all that was learnt of designs, so that the next one is found as from a spec.
    fn forget_designs(&mut self);

    /// False where designing takes long, so that the least value that changes the answer is not
    /// looked for: what is said then does so, and less might do.
    fn is_quick(&self) -> bool;
}

/// A design that is better than the one that is known.
#[derive(Clone, Debug)]
pub(crate) struct BetterDesign {
    /// What it takes less of the quantity that is minimised, as a report counts it.
    pub(crate) saved: Amount,
    pub(crate) quantity: Minimize,
    /// The tightest step of the limit's grid that allows it; `None` where that can't be read off
    /// it.
    pub(crate) needs: Option<i64>,
    /// What it is built of, in a few words.
    pub(crate) design: String,
}

impl BetterDesign {
    /// True where it saves more than another: of an earlier quantity, or more of the same one.
    fn is_more_than(&self, other: &Self) -> bool {
        let (one, other_saved) = (self.saved.scalar(), other.saved.scalar());
        self.quantity != other.quantity || is_saving(one - other_saved, one)
    }

    /// What is told of it, where it needs so much; true where no less does.
    fn into_binding_limit(
        self,
        state: &LimitState,
        limit: &Limit,
        needs: Option<i64>,
        least: bool,
    ) -> BindingLimit {
        let Self { saved, quantity: objective, design, .. } = self;
        let (has, needs) =
            (limit.allowed_amount(state), needs.map(|steps| limit.amount_at_step(steps)));
        BindingLimit {
            limit: limit.spec_key(),
            worth: LimitWorth::Moved { has, needs, saved, quantity: objective, design, least },
        }
    }
}

/// What a limit is worth: with as little more of it as changes the answer, and without it where
/// that is worth more. Empty where it does not bind.
pub(crate) fn limit_worths(
    market: &mut impl LimitMarket,
    state: &LimitState,
    limit: &Limit,
) -> Vec<BindingLimit> {
    let free = state.without_limit(limit);
    market.forget_designs();
    let most = if free == *state { None } else { market.find_better_design(&free, limit) };
    if most.is_none() && free != *state {
        return Vec::new();
    }
    let low = limit.step_within_state(state);
    let needs = most.as_ref().and_then(|most| most.needs).filter(|needs| *needs > low);
    let enough = |steps: i64, market: &mut dyn FnMut(&LimitState) -> Option<BetterDesign>| {
        Some((steps, market(&state.with_limit_moved(limit, steps))?))
    };
    let mut better = |state: &LimitState| market.find_better_design(state, limit);
    let known = match needs {
        // A sum that rounds up by a hair needs a step more.
        Some(needs) => [needs, needs + 1].into_iter().find_map(|at| enough(at, &mut better)),
        None => (0..if most.is_some() { effort::LIMIT_DOUBLINGS } else { effort::BLIND_DOUBLINGS })
            .find_map(|times| enough(low + (1 << times), &mut better)),
    };
    let least = known.map(|known| min_helpful_step(market, state, limit, known));
    let mut bounds = Vec::new();
    if let Some((steps, least)) = &least {
        bounds.push(least.clone().into_binding_limit(
            state,
            limit,
            Some(*steps),
            market.is_quick(),
        ));
    }
    // Its own needs, where more of the limit than the least saves more.
    if let Some(most) = most.filter(|most| least.is_none_or(|(_, least)| most.is_more_than(&least)))
    {
        market.forget_designs();
        let suffices = |steps: &i64| {
            let found = market.find_better_design(&state.with_limit_moved(limit, *steps), limit);
            found.is_some_and(|found| !most.is_more_than(&found))
        };
        let needs = needs.and_then(|needs| [needs, needs + 1].into_iter().find(suffices));
        bounds.push(most.into_binding_limit(state, limit, needs, true));
    }
    bounds
}

/// What limits are worth together of which none alone is worth anything: as much of each as the
/// best design takes without them, of those alone that are needed for a better one. `None` where
/// that is worth nothing, or can't be read off it.
pub(crate) fn limits_binding_together(
    market: &mut impl LimitMarket,
    state: &LimitState,
    limits: &[Limit],
) -> Option<BindingLimit> {
    let free = state.without_limits(limits);
    market.forget_designs();
    let mut short: Vec<(&Limit, i64)> = Vec::new();
    for limit in limits {
        // What can't be read off a design stays as it is stated.
        let needs = market.find_better_design(&free, limit)?.needs;
        short.extend(
            needs
                .filter(|needs| *needs > limit.step_within_state(state))
                .map(|count| (limit, count)),
        );
    }
    // A sum that rounds up by a hair needs a step more.
    let moved = |short: &[(&Limit, i64)], more: i64| {
        short.iter().fold(state.clone(), |state, (limit, needs)| {
            state.with_limit_moved(limit, needs + more)
        })
    };
    for place in (0..short.len()).rev() {
        let mut fewer = short.clone();
        fewer.remove(place);
        if fewer.len() > 1 && market.find_better_design(&moved(&fewer, 1), fewer[0].0).is_some() {
            short = fewer;
        }
    }
    if short.len() < 2 {
        return None;
    }
    for more in [0, 1] {
        market.forget_designs();
        let better = market.find_better_design(&moved(&short, more), short[0].0);
        if let Some(BetterDesign { saved, quantity: objective, design, .. }) = better {
            let needs = short
                .iter()
                .map(|(limit, needs)| (limit.spec_key(), limit.amount_at_step(needs + more)));
            let needs: Vec<(String, Amount)> = needs.collect();
            let keys: Vec<&str> = needs.iter().map(|(key, _)| key.as_str()).collect();
            let limit = keys.join(" and ");
            return Some(BindingLimit {
                limit,
                worth: LimitWorth::Together { needs, saved, quantity: objective, design },
            });
        }
    }
    None
}

/// What a limit is worth that can't be left out, within a share of itself.
pub(crate) fn limit_worth_within(
    market: &mut impl LimitMarket,
    state: &LimitState,
    limit: &Limit,
    share: f64,
) -> Option<BindingLimit> {
    let most = limit.steps_at(state, 1.0 + share);
    let known = (most, market.find_better_design(&state.with_limit_moved(limit, most), limit)?);
    let (steps, least) = min_helpful_step(market, state, limit, known);
    Some(least.into_binding_limit(state, limit, Some(steps), market.is_quick()))
}

/// The least step of a limit's grid with which a better design is found, to a ten-thousandth of it,
/// between what is stated and a step with which one is `known`; that step itself where the market
/// is not quick.
fn min_helpful_step(
    market: &mut impl LimitMarket,
    state: &LimitState,
    limit: &Limit,
    known: (i64, BetterDesign),
) -> (i64, BetterDesign) {
    let mut low = limit.step_within_state(state);
    let mut sure = known;
    // What a design needs is known before it was found at that step.
    let mut high = sure.0;
    while market.is_quick() && high - low > Limit::negligible_steps(high) {
        let middle = low.midpoint(high);
        match market.find_better_design(&state.with_limit_moved(limit, middle), limit) {
            None => low = middle,
            Some(better) => {
                high = better
                    .needs
                    .filter(|needs| (low + 1..middle).contains(needs))
                    .unwrap_or(middle);
                sure = (middle, better);
            }
        }
    }
    // What is said is found again by whoever states it.
    market.forget_designs();
    let said = [high, high + 1].into_iter().filter(|steps| *steps < sure.0);
    let mut found = said.filter_map(|at| {
        Some((at, market.find_better_design(&state.with_limit_moved(limit, at), limit)?))
    });
    found.next().unwrap_or(sure)
}

/// True where a saving is more than the rounding of sums.
pub(crate) fn is_saving(saved: f64, value: f64) -> bool {
    saved > value.abs() * 1e-9
}

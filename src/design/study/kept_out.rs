//! Candidates that have no design within the limits: which limit keeps them out, and the design that
//! they would have without it. Chooses nothing.

use super::least::least;
use super::limit::{Limit, State};
use crate::design::candidate::list::Candidate;
use crate::design::candidate::moved::Move;
use crate::design::fabric::caps::Caps;
use crate::design::fabric::instance::Tools;
use crate::design::fabric::sized::Sized;
use crate::design::fabric::terms::Terms;

/// The best design of some candidates without what keeps them out.
pub(super) struct KeptOut {
    /// Its candidate's place among all.
    pub(super) place: usize,
    pub(super) sized: Sized,
    /// The limits and what it takes of them.
    pub(super) reason: String,
}

/// The best design of candidates without the one limit that keeps all of them out, or without all
/// limits where that takes more than one; `None` where limits are not what is in the way.
pub(super) fn kept_out(
    all: &[Candidate<'_>],
    some: &[usize],
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Option<KeptOut> {
    let terms = Terms { caps: Caps::default(), ..*terms };
    let state = State::of(all.first()?.job.scenario, &terms);
    let mut stated = state.stated();
    // What any fabric of a product takes is asked first.
    stated.sort_by_key(|limit| !limit.is_shared());
    let mut free = |free: &State| least(all, some, &[], &free.under(&terms), tools);
    // What only earlier quantities keep out is worse by those.
    if free(&state).is_some() {
        return None;
    }
    let everything = state.without_all(&stated);
    let all_free = free(&everything)?;
    let alone = stated.iter().find_map(|limit| {
        let without = state.without(limit);
        Some((free(&without)?, without, std::slice::from_ref(limit)))
    });
    let ((place, sized), without, lifted) = alone.unwrap_or((all_free, everything, &stated));
    let moves: Vec<Move> = lifted
        .iter()
        .filter_map(|limit| moved(limit, &all[place], &sized, &without, &state))
        .collect();
    let each: Vec<String> = moves.iter().map(ToString::to_string).collect();
    (!each.is_empty()).then(|| KeptOut { place, sized, reason: each.join("; ") })
}

/// How far a limit is from what a design takes of it; `None` where the design meets it.
fn moved(
    limit: &Limit,
    candidate: &Candidate<'_>,
    sized: &Sized,
    without: &State,
    state: &State,
) -> Option<Move> {
    let taken = limit.taken(candidate, sized, without)?;
    (taken > limit.tightest(state)).then(|| limit.by(state, taken))
}

//! Candidates that have no design within the limits: which limit keeps them out, and the design that
//! they would have without it. Chooses nothing.

use super::least::best_of_candidates;
use super::limit::{Limit, LimitState};
use crate::design::candidate::list::Candidate;
use crate::design::candidate::moved::LimitMove;
use crate::design::fabric::caps::ObjectiveCaps;
use crate::design::fabric::instance::SizingTools;
use crate::design::fabric::sized::SizedFabric;
use crate::design::fabric::terms::Terms;

/// The best design of some candidates without what keeps them out.
pub(super) struct KeptOutDesign {
    /// Its candidate's place among all.
    pub(super) place: usize,
    pub(super) sized: SizedFabric,
    /// The limits and what it takes of them.
    pub(super) reason: String,
}

/// The best design of candidates without the one limit that keeps all of them out, or without all
/// limits where that takes more than one; `None` where limits are not what is in the way.
pub(super) fn candidates_kept_out_by_limits(
    all: &[Candidate<'_>],
    some: &[usize],
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Option<KeptOutDesign> {
    let terms = Terms { caps: ObjectiveCaps::default(), ..*terms };
    let state = LimitState::from_scenario(all.first()?.job.scenario, &terms);
    let mut stated = state.movable_limits();
    // What any fabric of a product takes is asked first.
    stated.sort_by_key(|limit| !limit.is_shared());
    let mut free =
        |free: &LimitState| best_of_candidates(all, some, &[], &free.terms_under(&terms), tools);
    // What only earlier quantities keep out is worse by those.
    if free(&state).is_some() {
        return None;
    }
    let everything = state.without_limits(&stated);
    let all_free = free(&everything)?;
    let alone = stated.iter().find_map(|limit| {
        let without = state.without_limit(limit);
        Some((free(&without)?, without, std::slice::from_ref(limit)))
    });
    let ((place, sized), without, lifted) = alone.unwrap_or((all_free, everything, &stated));
    let moves: Vec<LimitMove> = lifted
        .iter()
        .filter_map(|limit| limit_move_needed(limit, &all[place], &sized, &without, &state))
        .collect();
    let each: Vec<String> = moves.iter().map(ToString::to_string).collect();
    (!each.is_empty()).then(|| KeptOutDesign { place, sized, reason: each.join("; ") })
}

/// How far a limit is from what a design takes of it; `None` where the design meets it.
fn limit_move_needed(
    limit: &Limit,
    candidate: &Candidate<'_>,
    sized: &SizedFabric,
    without: &LimitState,
    state: &LimitState,
) -> Option<LimitMove> {
    let taken = limit.steps_taken_by(candidate, sized, without)?;
    (taken > limit.step_within_state(state)).then(|| limit.move_by_steps(state, taken))
}

//! Candidates that were not chosen: other products, and those that limits keep out.

use super::limit::Limit;
use super::limit_row::LimitState;
use crate::design::candidate::candidates::Candidate;
use crate::design::columns::terms::{ObjectiveCaps, Terms};
use crate::design::job::infeasible_details::LimitMove;
use crate::design::network::candidate_sizing::{SizedCandidate, sort_by_lower_bound};
use crate::design::network::program::SizingTools;
use crate::design::network::sized_fabric::{SizedFabric, is_preferred};
use crate::design::plan::alternatives::NotSized;

/// Other products that are sized however much they take.
const NEAREST: usize = 3;

/// Others by name, each with the places of its candidates.
type ByName = [(String, Vec<usize>)];

/// The products beside the nearest ones and the interfaces of which every design takes so much more
/// than a plan of that value, each with what takes least first.
pub(super) fn unsized_products(
    all: &[Candidate<'_>],
    products: &ByName,
    nics: &ByName,
    unlisted: &[(f64, &str)],
    value: f64,
    terms: &Terms<'_>,
) -> Vec<NotSized> {
    let unlisted = unlisted.iter().map(|(least, node)| (least / value, format!("node {node}")));
    let share = |(figure, name): (f64, String)| (figure / value, name);
    let mut bounds: Vec<(f64, String)> =
        product_lower_bounds(all, products, terms).map(share).chain(unlisted).collect();
    let mut of_nics: Vec<(f64, String)> =
        product_lower_bounds(all, nics, terms).map(share).collect();
    bounds.sort_by(|a, b| a.0.total_cmp(&b.0));
    of_nics.sort_by(|a, b| a.0.total_cmp(&b.0));
    let far =
        bounds.into_iter().skip(NEAREST).chain(of_nics).filter(|(figure, _)| *figure > 1.0 + NEAR);
    far.map(|(at_least, name)| NotSized { name, at_least }).collect()
}

/// What no design of each product takes less of, where it is known.
fn product_lower_bounds<'p>(
    all: &'p [Candidate<'_>],
    products: &'p ByName,
    terms: &'p Terms<'_>,
) -> impl Iterator<Item = (f64, String)> + 'p {
    let least = |places: &[usize]| {
        let floors = places.iter().map(|place| all[*place].lower_bound(terms));
        floors.fold(f64::INFINITY, f64::min)
    };
    let bounds = products.iter().map(move |(name, places)| (least(places), name.clone()));
    bounds.filter(|(value, _)| value.is_finite())
}

/// What designs of a product may take beside a plan of that value, by a bound, where a row tells of
/// it.
pub(crate) fn value_limit_of_told_products(
    all: &[Candidate<'_>],
    chosen: &SizedCandidate<'_>,
    terms: &Terms<'_>,
) -> f64 {
    let mut bounds: Vec<f64> = product_lower_bounds(all, &other_products(all, chosen), terms)
        .map(|(value, _)| value)
        .collect();
    bounds.sort_by(f64::total_cmp);
    let nearest = bounds.get(NEAREST - 1).copied().unwrap_or(f64::INFINITY);
    nearest.max(chosen.sized.value * (1.0 + NEAR))
}

/// Share of a plan's value that products and interfaces may take more, by a bound, and be sized in
/// any case.
pub(crate) const NEAR: f64 = 0.25;

/// Other products with the places of all their candidates, in the order of the candidates.
pub(super) fn other_products(
    all: &[Candidate<'_>],
    chosen: &SizedCandidate<'_>,
) -> Vec<(String, Vec<usize>)> {
    let own = &chosen.job.machine.node.name;
    group_by_name(all, |candidate| {
        let node = &candidate.job.machine.node.name;
        (node != own).then(|| format!("node {node}"))
    })
}

/// Candidates by name, each name with the places of those that have it; in the order of the
/// candidates.
pub(super) fn group_by_name<N: PartialEq>(
    all: &[Candidate<'_>],
    name: impl Fn(&Candidate<'_>) -> Option<N>,
) -> Vec<(N, Vec<usize>)> {
    let mut found: Vec<(N, Vec<usize>)> = Vec::new();
    for (place, candidate) in all.iter().enumerate() {
        let Some(name) = name(candidate) else { continue };
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, places)) => places.push(place),
            None => found.push((name, vec![place])),
        }
    }
    found
}

/// The best design of some candidates without what keeps them out.
pub(super) struct KeptOutDesign {
    /// Its candidate's place among all.
    pub(super) place: usize,
    pub(super) sized: SizedFabric,
    /// What it takes of the limits in the way.
    pub(super) moves: Vec<LimitMove>,
}

/// The limits in force that a design breaks which was sized under other terms.
pub(super) fn limits_broken_by(
    candidate: &Candidate<'_>,
    sized: &SizedFabric,
    under: &Terms<'_>,
    in_force: &Terms<'_>,
) -> Vec<LimitMove> {
    let [without, state] =
        [under, in_force].map(|terms| LimitState::from_scenario(candidate.job.scenario, terms));
    let limits = state.movable_limits().into_iter();
    limits
        .filter_map(|limit| limit_move_needed(&limit, candidate, sized, &without, &state))
        .collect()
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
    (!moves.is_empty()).then_some(KeptOutDesign { place, sized, moves })
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

/// The best of some candidates by the terms; `None` where none can be built. Those that were left
/// out, as they can't be best of all, are sized as long as they can be best of these.
pub(super) fn best_of_candidates(
    all: &[Candidate<'_>],
    some: &[usize],
    entries: &[SizedCandidate<'_>],
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Option<(usize, SizedFabric)> {
    let terms = Terms { silent: true, ..*terms };
    let order = sort_by_lower_bound(all, some.iter().copied(), &terms);
    let mut best: Option<(usize, SizedFabric)> = None;
    for (least, place) in order {
        if best.as_ref().is_some_and(|(_, known)| least > known.value) {
            break;
        }
        let sized = match entries.binary_search_by_key(&place, |entry| entry.place) {
            Ok(known) => entries[known].sized.clone(),
            Err(_) => {
                let asked =
                    best.as_ref().map_or(terms, |(_, best)| terms.with_value_limit(best.value));
                match all[place].size_network(&asked, tools) {
                    Ok(sized) => sized,
                    Err(_) => continue,
                }
            }
        };
        if best.as_ref().is_none_or(|(_, known)| is_preferred(&sized, known)) {
            best = Some((place, sized));
        }
    }
    best
}

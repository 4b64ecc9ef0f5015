//! Other products and interfaces that a report tells of: the nearest ones, and which are too far away to be sized.
//! Sizes none.

use crate::design::answer::alternative::NotSized;
use crate::design::candidate::list::Candidate;
use crate::design::fabric::entries::SizedCandidate;
use crate::design::fabric::terms::Terms;

/// Other products that are sized however much they take.
const NEAREST: usize = 3;

/// Others by name, each with the places of its candidates.
type ByName = [(String, Vec<usize>)];

/// The products beside the nearest ones and the interfaces of which every design takes so much more than a plan of
/// that value, each with what takes least first.
pub(super) fn unsized_products(
    all: &[Candidate<'_>],
    (products, nics): (&ByName, &ByName),
    unlisted: &[(f64, &str)],
    (value, terms): (f64, &Terms<'_>),
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

/// What designs of a product may take beside a plan of that value, by a bound, where a row tells of it.
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

/// Share of a plan's value that products and interfaces may take more, by a bound, and be sized in any case.
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

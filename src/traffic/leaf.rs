//! How many flows of NIC rate leave a leaf at once: what its uplinks have to carry. Knows a leaf
//! only as a number of domains.

use std::collections::BTreeMap;

use super::matrix::terms;
use super::overlay::sweep;
use super::patch::Patch;
use super::term::Term;
use crate::collective::Policy;
use crate::parallel::{Digit, Placed, Rank};
use crate::step::{Communication, Step};
use crate::units::Bytes;

/// Cut multiplicity c of one communication for leafs that hold one rail of `domains`
/// consecutive domains each: the most bytes that leave any leaf's border in one call, over the
/// bytes that the busiest interface sends in that call. u uplinks slow the call max(1, c/u)
/// times (docs/equations.md §8.5). 0 where nothing leaves its domain.
///
/// Ranks of all stages are taken to call at the same time. Stages that never take part in a
/// step send nothing.
#[must_use]
pub fn leaf_cut(
    step: &Step,
    communication: &Communication,
    placed: &Placed,
    policy: &Policy,
    domains: u32,
) -> f64 {
    let terms = terms(step, [communication].into_iter(), placed, policy, |c, stage| {
        step.calls(c, stage).min(1)
    });
    let (cut, interface) = if placed.aligned() {
        by_patches(&terms, placed, domains.max(1))
    } else {
        by_ranks(&terms, placed, domains.max(1))
    };
    if interface.is_zero() { 0.0 } else { cut.as_f64() / interface.as_f64() }
}

/// Most bytes over a leaf's border and most bytes of an interface, where every digit lies
/// inside domains or across them: a patch then moves all its sources by the same number of
/// domains, and takes part at an index of the domain either in all of its domains or in none.
fn by_patches(terms: &[Term], placed: &Placed, leaf: u32) -> (Bytes, Bytes) {
    let placement = placed.placement();
    let digits = placed.grid().digits();
    let inner = digits.iter().take_while(|digit| digit.stride < placement.used()).count();
    let across: Vec<Patch> = terms
        .iter()
        .flat_map(|term| term.patches(placed.grid()))
        .filter(|patch| patch.delta[inner..].iter().any(|moved| *moved != 0))
        .collect();
    let outer = domain_digits(&digits[inner..], placement.used());
    let domains = placement.domains(placed.grid().ranks());
    // How many GPUs of a rail take part in each patch; most rails are alike.
    let mut rails: BTreeMap<u32, Vec<u128>> = BTreeMap::new();
    for index in 0..placement.used().min(placed.grid().ranks()) {
        let sharing =
            rails.entry(placement.rail_at(index)).or_insert_with(|| vec![0; across.len()]);
        for (count, patch) in sharing.iter_mut().zip(&across) {
            *count += u128::from(patch.has_inner_source(Rank(index), &digits[..inner]));
        }
    }
    let mut profiles: Vec<Vec<u128>> = rails.into_values().collect();
    profiles.sort_unstable();
    profiles.dedup();
    let mut cut = Bytes::ZERO;
    let mut interface = Bytes::ZERO;
    for profile in &profiles {
        let shared: Vec<Patch> = across
            .iter()
            .zip(profile)
            .filter(|(_, gpus)| **gpus > 0)
            .map(|(patch, gpus)| Patch { bytes: patch.bytes * *gpus, ..patch.clone() })
            .collect();
        let all: Vec<&Patch> = shared.iter().collect();
        sweep(&all, inner, digits.len(), 1, &mut |_, patches| {
            interface = interface.max(patches.iter().map(|patch| patch.bytes).sum());
        });
    }
    let mut first = 0;
    while first < domains {
        let end = (first + leaf).min(domains);
        let leaving: Vec<u64> =
            across.iter().map(|patch| leaving(patch, inner, &outer, first, end)).collect();
        for profile in &profiles {
            let bytes = across
                .iter()
                .zip(profile)
                .zip(&leaving)
                .map(|((patch, gpus), count)| patch.bytes * (gpus * u128::from(*count)))
                .sum();
            cut = cut.max(bytes);
        }
        first = end;
    }
    (cut, interface)
}

/// The digits across domains, counted in domains.
fn domain_digits(digits: &[Digit], used: u32) -> Vec<Digit> {
    digits.iter().map(|digit| Digit { stride: digit.stride / used, ..*digit }).collect()
}

/// Domains in `first..end` whose target domain lies outside.
fn leaving(patch: &Patch, inner: usize, outer: &[Digit], first: u32, end: u32) -> u64 {
    let domains = Patch {
        kind: patch.kind,
        bytes: patch.bytes,
        sources: patch.sources[inner..].to_vec(),
        delta: patch.delta[inner..].to_vec(),
    };
    let moved = domains.distance(outer);
    let (first, end) = (i64::from(first), i64::from(end));
    let (low, high) =
        if moved > 0 { ((end - moved).max(first), end) } else { (first, (first - moved).min(end)) };
    domains.sources_below(high as u64, outer) - domains.sources_below(low as u64, outer)
}

/// The same rank by rank, for grids that domain borders cut unevenly: as long as the ranks have
/// targets.
fn by_ranks(terms: &[Term], placed: &Placed, leaf: u32) -> (Bytes, Bytes) {
    let placement = placed.placement();
    let grid = placed.grid();
    let mut cuts: BTreeMap<(u32, u32), Bytes> = BTreeMap::new();
    let mut interfaces: BTreeMap<(u32, u32), Bytes> = BTreeMap::new();
    for from in (0..grid.ranks()).map(Rank) {
        let domain = placement.domain_of(from);
        let rail = placement.rail_of(from);
        for term in terms {
            let bytes = term.bytes[grid.stage(from) as usize];
            for to in term.targets(from, grid) {
                let target = placement.domain_of(to);
                if target != domain {
                    *interfaces.entry((domain, rail)).or_default() += bytes;
                }
                if target / leaf != domain / leaf {
                    *cuts.entry((domain / leaf, rail)).or_default() += bytes;
                }
            }
        }
    }
    let most = |sums: BTreeMap<_, Bytes>| sums.into_values().max().unwrap_or_default();
    (most(cuts), most(interfaces))
}

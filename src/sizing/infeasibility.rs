//! Finding any feasible answer, and saying which limits clash where there is none.
//!
//! A program whose limits may be exceeded at a price always has a point, so the solver is never
//! sent to prove that there is none: microlp spends its whole time on such proofs.

use super::check::tally_parts;
use super::constraints::Goal;
use super::enumeration::enumerate_covers;
use super::problem::{LimitPlaces, Offer, SizingProblem, limit_count, limit_index};
use super::program::solve_program;
use super::solution::{LimitNeed, SizingInfeasible, Work};
use super::solver_backend::Options;

/// Whether a set of limits can be met.
enum ElasticVerdict {
    Met(Vec<Vec<u64>>),
    Clash,
    Unknown,
}

/// Copies that meet every limit.
///
/// # Errors
/// The smallest set of limits that clash, or that neither was found.
pub(super) fn feasible_point(
    problem: &SizingProblem,
    options: &Options,
    work: &mut Work,
) -> Result<Vec<Vec<u64>>, SizingInfeasible> {
    match elastic_verdict(problem, options, work) {
        ElasticVerdict::Met(copies) => Ok(copies),
        ElasticVerdict::Unknown => Err(SizingInfeasible::Unknown),
        ElasticVerdict::Clash if !options.reasons => {
            Err(SizingInfeasible::Clash { needs: Vec::new() })
        }
        ElasticVerdict::Clash => {
            Err(SizingInfeasible::Clash { needs: find_clashing_limits(problem, options) })
        }
    }
}

/// The limits that the problem states.
fn stated_limits(problem: &SizingProblem) -> Vec<bool> {
    let mut stated: Vec<bool> = problem.offers.iter().map(|model| model.supply.is_some()).collect();
    stated.resize(limit_count(problem), false);
    stated[limit_index(problem, LimitPlaces::Power)] = problem.limits.power.is_some();
    stated[limit_index(problem, LimitPlaces::Budget)] = problem.limits.budget.is_some();
    stated[limit_index(problem, LimitPlaces::Tco)] = problem.limits.tco.is_some();
    stated[limit_index(problem, LimitPlaces::Racks)] = problem.limits.racks.is_some();
    stated
}

fn elastic_verdict(problem: &SizingProblem, options: &Options, work: &mut Work) -> ElasticVerdict {
    let soft = stated_limits(problem);
    let answer = solve_program(problem, Goal::Excess { soft: &soft }, options);
    *work = work.add_run(answer.as_ref().map_or(0, |answer| answer.nodes));
    let proven = answer.as_ref().is_some_and(|answer| answer.proven);
    if let Some(answer) = answer
        && tally_parts(problem, &answer.copies).feasible
    {
        return ElasticVerdict::Met(answer.copies);
    }
    let tried = enumerate_covers(problem, None, None, options.comparisons);
    match tried.best {
        Some(answer) => ElasticVerdict::Met(answer.copies),
        None if tried.finished || proven => ElasticVerdict::Clash,
        None => ElasticVerdict::Unknown,
    }
}

/// A smallest set of clashing limits, each with what it would have to be. A limit whose absence
/// changes nothing is left out, one after another (the deletion filter).
fn find_clashing_limits(problem: &SizingProblem, options: &Options) -> Vec<LimitNeed> {
    let mut reduced = problem.clone();
    let all = stated_limits(problem);
    for limit in (0..all.len()).filter(|limit| all[*limit]) {
        let without = drop_limit(&reduced, limit);
        if matches!(elastic_verdict(&without, options, &mut Work::default()), ElasticVerdict::Clash)
        {
            reduced = without;
        }
    }
    let clashing = stated_limits(&reduced);
    (0..clashing.len())
        .filter(|limit| clashing[*limit])
        .filter_map(|limit| limit_need(problem, &reduced, limit, options))
        .collect()
}

/// What `limit` would have to be while the other limits of `reduced` hold.
fn limit_need(
    problem: &SizingProblem,
    reduced: &SizingProblem,
    limit: usize,
    options: &Options,
) -> Option<LimitNeed> {
    let soft: Vec<bool> = (0..limit_count(reduced)).map(|index| index == limit).collect();
    let answer = solve_program(reduced, Goal::Excess { soft: &soft }, options)?;
    let sum = tally_parts(&drop_limit(reduced, limit), &answer.copies);
    if !sum.feasible {
        return None;
    }
    if let Some(Offer { name, stock, supply, .. }) = problem.offers.get(limit) {
        return Some(LimitNeed::Supply {
            model: name.clone(),
            has: stock + supply.unwrap_or(0),
            needs: sum.used[limit],
        });
    }
    if limit == limit_index(problem, LimitPlaces::Power) {
        return problem.limits.power.map(|has| LimitNeed::Power { has, needs: sum.power });
    }
    if limit == limit_index(problem, LimitPlaces::Budget) {
        return problem.limits.budget.map(|has| LimitNeed::Budget { has, needs: sum.capex });
    }
    if limit == limit_index(problem, LimitPlaces::Tco) {
        let tco = problem.limits.tco?;
        let needs = sum.capex + tco.energy_per_watt * sum.power.get();
        return Some(LimitNeed::Ownership { has: tco.max_cost, needs });
    }
    let racks = problem.limits.racks.as_ref()?;
    Some(LimitNeed::Racks { has: racks.max_racks, needs: racks.racks_used(&sum.used) })
}

fn drop_limit(problem: &SizingProblem, limit: usize) -> SizingProblem {
    let mut without = problem.clone();
    if let Some(model) = without.offers.get_mut(limit) {
        model.supply = None;
    } else if limit == limit_index(problem, LimitPlaces::Power) {
        without.limits.power = None;
    } else if limit == limit_index(problem, LimitPlaces::Budget) {
        without.limits.budget = None;
    } else if limit == limit_index(problem, LimitPlaces::Tco) {
        without.limits.tco = None;
    } else {
        without.limits.racks = None;
    }
    without
}

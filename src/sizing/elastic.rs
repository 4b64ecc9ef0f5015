//! Finding any feasible answer, and saying which limits clash where there is none.
//!
//! A program whose limits may be exceeded at a price always has a point, so the solver is never
//! sent to prove that there is none: microlp spends its whole time on such proofs.

use super::back_end::Options;
use super::check::tally;
use super::labels::enumerate;
use super::problem::{Offer, Problem};
use super::program::run;
use super::soft::{After, limit_count, place};
use super::solution::{Infeasible, Need};
use super::variables::Goal;
use super::work::Work;

/// Whether a set of limits can be met.
enum Verdict {
    Met(Vec<Vec<u64>>),
    Clash,
    Unknown,
}

/// Copies that meet every limit.
///
/// # Errors
/// The smallest set of limits that clash, or that neither was found.
pub(super) fn feasible_point(
    problem: &Problem,
    options: &Options,
    work: &mut Work,
) -> Result<Vec<Vec<u64>>, Infeasible> {
    match verdict(problem, options, work) {
        Verdict::Met(copies) => Ok(copies),
        Verdict::Unknown => Err(Infeasible::Unknown),
        Verdict::Clash if !options.reasons => Err(Infeasible::Clash { needs: Vec::new() }),
        Verdict::Clash => Err(Infeasible::Clash { needs: clash(problem, options) }),
    }
}

/// The limits that the problem states.
fn stated(problem: &Problem) -> Vec<bool> {
    let mut stated: Vec<bool> = problem.models.iter().map(|model| model.supply.is_some()).collect();
    stated.resize(limit_count(problem), false);
    stated[place(problem, After::Power)] = problem.limits.power.is_some();
    stated[place(problem, After::Budget)] = problem.limits.budget.is_some();
    stated[place(problem, After::Tco)] = problem.limits.tco.is_some();
    stated[place(problem, After::Racks)] = problem.limits.racks.is_some();
    stated
}

fn verdict(problem: &Problem, options: &Options, work: &mut Work) -> Verdict {
    let soft = stated(problem);
    let answer = run(problem, Goal::Excess { soft: &soft }, options);
    *work = work.with_run(answer.as_ref().map_or(0, |answer| answer.nodes));
    let proven = answer.as_ref().is_some_and(|answer| answer.proven);
    if let Some(answer) = answer
        && tally(problem, &answer.copies).feasible
    {
        return Verdict::Met(answer.copies);
    }
    let tried = enumerate(problem, None, None, options.comparisons);
    match tried.best {
        Some((copies, _)) => Verdict::Met(copies),
        None if tried.finished || proven => Verdict::Clash,
        None => Verdict::Unknown,
    }
}

/// A smallest set of clashing limits, each with what it would have to be. A limit whose absence
/// changes nothing is left out, one after another (the deletion filter).
fn clash(problem: &Problem, options: &Options) -> Vec<Need> {
    let mut reduced = problem.clone();
    let all = stated(problem);
    for limit in (0..all.len()).filter(|limit| all[*limit]) {
        let without = drop_limit(&reduced, limit);
        if matches!(verdict(&without, options, &mut Work::default()), Verdict::Clash) {
            reduced = without;
        }
    }
    let clashing = stated(&reduced);
    (0..clashing.len())
        .filter(|limit| clashing[*limit])
        .filter_map(|limit| need(problem, &reduced, limit, options))
        .collect()
}

/// What `limit` would have to be while the other limits of `reduced` hold.
fn need(problem: &Problem, reduced: &Problem, limit: usize, options: &Options) -> Option<Need> {
    let soft: Vec<bool> = (0..limit_count(reduced)).map(|index| index == limit).collect();
    let answer = run(reduced, Goal::Excess { soft: &soft }, options)?;
    let sum = tally(&drop_limit(reduced, limit), &answer.copies);
    if !sum.feasible {
        return None;
    }
    if let Some(Offer { name, stock, supply, .. }) = problem.models.get(limit) {
        return Some(Need::Switches {
            model: name.clone(),
            has: stock + supply.unwrap_or(0),
            needs: sum.used[limit],
        });
    }
    if limit == place(problem, After::Power) {
        return problem.limits.power.map(|has| Need::Power { has, needs: sum.power });
    }
    if limit == place(problem, After::Budget) {
        return problem.limits.budget.map(|has| Need::Budget { has, needs: sum.capex });
    }
    if limit == place(problem, After::Tco) {
        let tco = problem.limits.tco?;
        let needs = sum.capex + tco.energy_per_watt * sum.power.get();
        return Some(Need::Ownership { has: tco.most, needs });
    }
    let racks = problem.limits.racks.as_ref()?;
    Some(Need::Racks { has: racks.most, needs: racks.taken(&sum.used) })
}

fn drop_limit(problem: &Problem, limit: usize) -> Problem {
    let mut without = problem.clone();
    if let Some(model) = without.models.get_mut(limit) {
        model.supply = None;
    } else if limit == place(problem, After::Power) {
        without.limits.power = None;
    } else if limit == place(problem, After::Budget) {
        without.limits.budget = None;
    } else if limit == place(problem, After::Tco) {
        without.limits.tco = None;
    } else {
        without.limits.racks = None;
    }
    without
}

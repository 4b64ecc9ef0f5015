//! Cost against step time: every design that nothing beats in both, each proven by a program of its
//! own. Weighs neither against the other.

use super::unmet::unmet;
use crate::design::answer::assemble::{assemble, solver_report};
use crate::design::answer::finding::Finding;
use crate::design::answer::plan::Plan;
use crate::design::answer::programs::Programs;
use crate::design::answer::rounds::Round;
use crate::design::answer::verify::corrected;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::job::Job;
use crate::design::candidate::list::{Candidate, candidates};
use crate::design::fabric::instance::{Instance, Tools};
use crate::design::fabric::sized::{Sized, preferred};
use crate::design::fabric::terms::{Demand, Terms};
use crate::design::fabric::within::within;
use crate::scenario::{Minimize, Scenario};
use crate::sizing::{Firmness, Options, Proof, Status};
use crate::units::Seconds;

/// The designs of a frontier.
#[derive(Clone, Debug, PartialEq)]
pub struct Frontier {
    /// Name of the scenario.
    pub name: String,
    /// What is weighed against the time of a step: capex, or TCO where the objective counts energy.
    pub cost: Minimize,
    /// Cheapest first: each costs more than the one before it, and its step is shorter.
    pub plans: Vec<Plan>,
    /// Candidates that were sized, each at every step time that a fabric of it can have.
    pub candidates: u64,
}

/// Steps longer than the shortest by this factor are left out: nobody buys GPUs to let them wait
/// for as long as they compute.
pub(crate) const SLOWEST: f64 = 2.0;

/// Times that differ by less than this share are one: rounding of sums.
pub(crate) const SAME: f64 = 1e-9;

/// Every design of one cluster that no other beats in both cost and step time. All limits hold but
/// that on slowdown, which the frontier replaces.
///
/// Per candidate, cost is a falling step function of the time that a step may take: the cheapest
/// fabric that is fast enough makes everything between its own time and that limit needless, so the
/// next point is the cheapest one that is faster (docs/formulation.md).
///
/// # Errors
/// As [`super::design`].
pub fn frontier(scenario: &Scenario, options: &Options) -> Result<Frontier, Infeasible> {
    if scenario.is_several() {
        return Err(Infeasible::Several);
    }
    let mut terms = Terms::of(scenario);
    terms.minimize = cost(terms.minimize);
    terms.max_slowdown = terms.max_slowdown.max(SLOWEST);
    terms.own_slowdowns = false;
    let mut tools = Tools::new(options);
    let (all, mut failed) = candidates(scenario, options);
    let mut round = Round::default();
    // What a point takes at least by times that routing refuted: cost and time of each.
    let mut refuted: Vec<(f64, Seconds)> = Vec::new();
    let found = loop {
        let mut found: Vec<(&Job<'_>, Sized)> = Vec::new();
        for Candidate { job, planes, protocol } in &all {
            let terms = Terms { protocol: *protocol, ..terms };
            match points(job, *planes, &terms, &mut tools) {
                Ok(points) => found.extend(points.into_iter().map(|sized| (job, sized))),
                Err(reason) => failed = Some(Infeasible::further(failed, reason)),
            }
        }
        if found.is_empty() {
            return Err(unmet(&all, failed, &terms, &tools));
        }
        let found = unbeaten(found);
        // What routing finds slower than the clock may be beaten then, or beat others no more.
        let mut slower = Vec::new();
        for (job, sized) in &found {
            if corrected(job, sized.level, &sized.blueprint, round) {
                slower.push((sized.value, sized.time));
            }
        }
        let Some(next) = round.next().filter(|_| !slower.is_empty()) else { break found };
        refuted.extend(slower);
        tools.cache.forget_paces();
        round = next;
    };
    let candidates = all.len() as u64;
    let plan = |(job, sized): (&Job<'_>, Sized)| {
        let firm = firmness(&sized, &refuted);
        let programs = Programs::default();
        let solver = solver_report(firm, candidates, Vec::new(), programs, options);
        let finding = Finding::alone(solver);
        let graph = sized.blueprint.graph().ok();
        assemble(job, &sized.counts, sized.level, graph.as_ref(), finding)
    };
    let plans = found.into_iter().map(plan).collect();
    Ok(Frontier { name: scenario.name.clone(), cost: terms.minimize, plans, candidates })
}

/// The cost that is weighed against step time where a quantity is minimised.
pub(crate) const fn cost(minimize: Minimize) -> Minimize {
    match minimize {
        Minimize::UsdPerToken => Minimize::Tco,
        Minimize::Power => Minimize::Capex,
        cost => cost,
    }
}

/// How firm a point is: another fabric of a level that routing refuted may still be as fast as the
/// clock says.
fn firmness(sized: &Sized, refuted: &[(f64, Seconds)]) -> Firmness {
    let own = sized.solution.firmness();
    let rivals = refuted.iter().filter(|(_, time)| *time <= sized.time);
    let least = rivals.map(|(value, _)| *value).fold(sized.value, f64::min);
    if least >= sized.value * (1.0 - SAME) {
        return own;
    }
    let gap = own.gap.max(1.0 - least / sized.value);
    Firmness { status: Status::Incumbent, proof: Proof::Check, gap }
}

/// The unbeaten designs of one candidate.
fn points(
    job: &Job<'_>,
    planes: u32,
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Result<Vec<Sized>, Infeasible> {
    let instance = Instance::new(job, planes, terms, Demand::of(job, terms));
    let mut context = instance.context(job, planes, terms);
    let mut points = vec![within(&instance, &context, context.pace, terms, tools)?];
    let quiet = Terms { silent: true, ..*terms };
    // What is slower than the last point and no cheaper is needless, so the next one is faster.
    while let Some(last) = points.last() {
        context.pace = Seconds::of(last.time.get() * (1.0 - SAME));
        match within(&instance, &context, context.pace, &quiet, tools) {
            Ok(next) => points.push(next),
            Err(_) => break,
        }
    }
    Ok(points)
}

/// Drops what another design beats: no dearer, and no longer step. Of equals the preferred stays.
fn unbeaten<'j, 'a>(mut found: Vec<(&'j Job<'a>, Sized)>) -> Vec<(&'j Job<'a>, Sized)> {
    found.sort_by(|(_, a), (_, b)| {
        let preferred = preferred(b, a).cmp(&preferred(a, b));
        a.value.total_cmp(&b.value).then(a.time.total_cmp(&b.time)).then(preferred)
    });
    let mut kept: Vec<(&Job<'_>, Sized)> = Vec::new();
    for (job, sized) in found {
        let shorter = |(_, known): &(&Job<'_>, Sized)| sized.time < known.time * (1.0 - SAME);
        if kept.last().is_none_or(shorter) {
            kept.push((job, sized));
        }
    }
    kept
}

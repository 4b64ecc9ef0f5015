//! From a scenario to a plan: every candidate is sized, the best one is written up.

use super::alternatives::alternatives;
use super::assemble::{Finding, assemble, solver_report};
use super::binding::binding;
use super::choose::{Sized, Tools, preferred, size};
use super::clash::clash;
use super::infeasible::Infeasible;
use super::job::{Job, jobs};
use super::lexicographic::{Stand, further};
use super::machine::machines;
use super::offer::protocols;
use super::plan::{Plan, Warning};
use super::running::Overflow;
use super::terms::Terms;
use super::verify::verify;
use super::warnings::no_rail_saving;
use super::yard::Yard;
use crate::hardware::Protocol;
use crate::scenario::Scenario;
use crate::sizing::Options;

/// Designs whose objective lies within this share of the best one's count as ties.
const TIE: f64 = 0.005;

/// A candidate with its answer.
pub(super) struct Entry<'a> {
    pub(super) job: Job<'a>,
    pub(super) sized: Sized,
}

/// The best design for a scenario.
///
/// Candidates are products × interfaces × planes × protocols × rank orders, each sized by the integer
/// program over every level of oversubscription that its switches can have. The best of them is
/// the best there is, as each program contains every design of its candidate
/// (docs/formulation.md).
///
/// # Errors
/// Why there is none, as far as the furthest candidate came.
pub fn design(scenario: &Scenario) -> Result<Plan, Infeasible> {
    design_with(scenario, &Options::default())
}

/// The same with another solver or time limit.
///
/// # Errors
/// As [`design`].
pub fn design_with(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    if scenario.grows() {
        return super::growth::design(scenario, options);
    }
    if scenario.is_split() {
        return super::split::design(scenario, options);
    }
    let terms = Terms::of(scenario);
    let mut tools = Tools { options, yard: Yard::default() };
    let (all, failed) = candidates(scenario);
    let (entries, failed) = entries(&all, failed, &terms, &mut tools);
    let Some(first) = best(&entries) else {
        return Err(unmet(&all, failed, &terms, &mut tools));
    };
    let (entries, best, terms, priorities) =
        further(&all, Stand { entries, best: first, terms }, &mut tools);
    let chosen = &entries[best];
    let terms = Terms { protocol: chosen.sized.protocol, ..terms };
    let value = chosen.sized.value;
    let tied = |entry: &Entry<'_>| entry.sized.value <= value * (1.0 + TIE);
    let ties = entries.iter().filter(|entry| tied(entry)).count() - 1;
    let mut warnings = Vec::new();
    if ties > 0 {
        warnings.push(Warning::Ties { count: ties });
    }
    warnings.extend(no_rail_saving(&chosen.job, &chosen.sized, &terms, &mut tools));
    let bounds = binding(chosen, &terms, &mut tools);
    let finding = Finding {
        solver: solver_report(
            chosen.sized.solution.firmness(),
            entries.len() as u64,
            bounds,
            options,
        ),
        alternatives: alternatives(&entries, best, &terms, &mut tools),
        warnings,
    };
    let (job, level) = (&chosen.job, chosen.sized.level);
    let routing = Some(verify(job, level, &chosen.sized.blueprint));
    let blueprint = Some(chosen.sized.blueprint.clone());
    Ok(Plan {
        routing,
        blueprint,
        priorities,
        ..assemble(job, &chosen.sized.counts, level, finding)
    })
}

/// Everything that is chosen before a fabric is sized.
#[derive(Clone, Debug)]
pub(super) struct Candidate<'a> {
    pub(super) job: Job<'a>,
    pub(super) planes: u32,
    pub(super) protocol: Protocol,
}

/// Every candidate of a scenario in a fixed order, and the furthest failure among those that no
/// job fits.
pub(super) fn candidates(scenario: &Scenario) -> (Vec<Candidate<'_>>, Option<Infeasible>) {
    let mut all = Vec::new();
    let mut failed: Option<Infeasible> = None;
    let mut next = 0;
    for machine in machines(&scenario.cluster) {
        let jobs = match jobs(scenario, machine, Overflow::Refused) {
            Ok(jobs) => jobs,
            Err(reason) => {
                failed = Some(Infeasible::further(failed, reason));
                continue;
            }
        };
        for job in jobs {
            let job = Job { id: next, ..job };
            next += 1;
            for planes in machine.planes(&scenario.cluster) {
                let of = |protocol| Candidate { job: job.clone(), planes, protocol };
                all.extend(protocols(scenario).into_iter().map(of));
            }
        }
    }
    (all, failed)
}

/// Every candidate that can be built, and the furthest failure among the others.
pub(super) fn entries<'a>(
    all: &[Candidate<'a>],
    mut failed: Option<Infeasible>,
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> (Vec<Entry<'a>>, Option<Infeasible>) {
    let mut entries = Vec::new();
    for Candidate { job, planes, protocol } in all {
        match size(job, *planes, &Terms { protocol: *protocol, ..*terms }, tools) {
            Ok(sized) => entries.push(Entry { job: job.clone(), sized }),
            Err(reason) => failed = Some(Infeasible::further(failed, reason)),
        }
    }
    (entries, failed)
}

/// Why no candidate has a design: the limits that clash, where limits are in the way.
pub(super) fn unmet(
    all: &[Candidate<'_>],
    failed: Option<Infeasible>,
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Infeasible {
    let failed = failed.unwrap_or(Infeasible::Unknown);
    if failed.is_of_limits() { clash(all, terms, tools, failed) } else { failed }
}

/// Place of the best entry; of equal ones the first.
pub(super) fn best(entries: &[Entry<'_>]) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (place, entry) in entries.iter().enumerate() {
        if best.is_none_or(|known| preferred(&entry.sized, &entries[known].sized)) {
            best = Some(place);
        }
    }
    best
}

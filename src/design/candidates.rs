//! What is chosen before a fabric is sized, and every such choice with its fabric. Writes nothing up.

use super::choose::{Sized, Tools, preferred, size};
use super::infeasible::Infeasible;
use super::job::{Job, jobs};
use super::machine::machines;
use super::offer::protocols;
use super::running::Overflow;
use super::terms::Terms;
use crate::hardware::Protocol;
use crate::scenario::Scenario;

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

/// A candidate with its answer.
pub(super) struct Entry<'a> {
    pub(super) job: Job<'a>,
    pub(super) sized: Sized,
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

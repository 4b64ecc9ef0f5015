//! One candidate for each part, and the order in which such choices are tried. Solves nothing.

use crate::design::choose::{Bench, Tools, size};
use crate::design::job::Job;
use crate::design::pieces::{Piece, pieces};
use crate::design::run::Candidate;
use crate::design::terms::{Demand, Terms};

/// A candidate of a part with all that its program needs.
pub(super) struct Ready<'a> {
    pub(super) candidate: Candidate<'a>,
    pub(super) bench: Bench<'a>,
    pub(super) pieces: Vec<Piece>,
    /// What it takes at least: alone it has all the stock, and every limit to itself.
    pub(super) alone: f64,
}

/// A candidate whose part has a design when all is left to it; `None` where it has none, as with
/// others beside it there is not more.
pub(super) fn ready<'a>(
    candidate: &Candidate<'a>,
    next: &mut usize,
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Option<Ready<'a>> {
    // Step times are kept by job: those of different parts are different jobs.
    let job = Job { id: *next, ..candidate.job.clone() };
    *next += 1;
    let candidate = Candidate { job, ..candidate.clone() };
    let (job, planes) = (&candidate.job, candidate.planes);
    let terms = Terms { protocol: candidate.protocol, ..*terms };
    let alone = size(job, planes, &terms, tools).ok()?.value;
    let bench = Bench::new(job, planes, &terms, Demand::of(job, &terms));
    let site = bench.site(job, planes, &terms);
    let pieces = pieces(&site, terms.fabric, &mut tools.yard);
    Some(Ready { candidate, bench, pieces, alone })
}

/// One candidate for each part.
#[derive(Clone)]
pub(super) struct Choice<'r, 'a> {
    pub(super) ready: Vec<&'r Ready<'a>>,
    /// What it takes at least.
    pub(super) least: f64,
}

impl Choice<'_, '_> {
    /// Names of the products, part by part.
    pub(super) fn products(&self) -> Vec<&str> {
        self.ready.iter().map(|ready| ready.candidate.job.machine.node.name.as_str()).collect()
    }

    /// `dense on dgx-h100, experts on gb200-nvl72`.
    pub(super) fn words(&self) -> String {
        let each = self.ready.iter().map(|ready| {
            let job = &ready.candidate.job;
            format!("{} on {}", job.lead.workload.name, job.machine.node.name)
        });
        each.collect::<Vec<String>>().join(", ")
    }
}

/// Every choice, those that take least first; of equal ones in the order of the candidates.
pub(super) fn choices<'r, 'a>(all: &'r [Vec<Ready<'a>>]) -> Vec<Choice<'r, 'a>> {
    let mut choices = vec![Choice { ready: Vec::new(), least: 0.0 }];
    for part in all {
        choices = choices
            .iter()
            .flat_map(|choice| {
                part.iter().map(|ready| Choice {
                    ready: choice.ready.iter().copied().chain([ready]).collect(),
                    least: choice.least + ready.alone,
                })
            })
            .collect();
    }
    choices.sort_by(|a, b| a.least.total_cmp(&b.least));
    choices
}

//! Candidates of which nothing is known from routing. Sizes nothing.

use std::sync::Arc;

use super::list::Candidate;
use super::run::JobRun;
use super::strain::LevelCorrections;

/// The candidates as they were before routing said anything about their steps.
pub(crate) fn without_routing_factors<'a>(all: &[Candidate<'a>]) -> Vec<Candidate<'a>> {
    let mut known: Vec<(Arc<LevelCorrections>, Arc<LevelCorrections>)> = Vec::new();
    let mut fresh = |run: &JobRun<'a>| {
        let new = known.iter().find(|(old, _)| Arc::ptr_eq(old, &run.strains));
        let new = new.map(|(_, new)| Arc::clone(new)).unwrap_or_else(|| {
            let new = Arc::default();
            known.push((Arc::clone(&run.strains), Arc::clone(&new)));
            new
        });
        JobRun { strains: new, ..run.clone() }
    };
    let mut anew = |candidate: &Candidate<'a>| {
        let job = candidate.job.with_runs(&mut fresh);
        Candidate { job, ..candidate.clone() }
    };
    all.iter().map(&mut anew).collect()
}

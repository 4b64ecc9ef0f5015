//! Candidates of which nothing is known from routing. Sizes nothing.

use std::sync::Arc;

use super::job::Job;
use super::list::Candidate;
use super::run::Run;
use super::strain::Strains;

/// The candidates as they were before routing said anything about their steps.
pub(crate) fn afresh<'a>(all: &[Candidate<'a>]) -> Vec<Candidate<'a>> {
    let mut known: Vec<(Arc<Strains>, Arc<Strains>)> = Vec::new();
    let mut fresh = |run: &Run<'a>| {
        let new = known.iter().find(|(old, _)| Arc::ptr_eq(old, &run.strains));
        let new = new.map(|(_, new)| Arc::clone(new)).unwrap_or_else(|| {
            let new = Arc::default();
            known.push((Arc::clone(&run.strains), Arc::clone(&new)));
            new
        });
        Run { strains: new, ..run.clone() }
    };
    let mut anew = |of: &Candidate<'a>| {
        let job = with_runs(&of.job, &mut fresh);
        Candidate { job, ..of.clone() }
    };
    all.iter().map(&mut anew).collect()
}

/// A job as it was before routing said anything about its steps.
pub(super) fn without_routes<'a>(job: &Job<'a>) -> Job<'a> {
    with_runs(job, &mut |run| Run { strains: Arc::default(), ..run.clone() })
}

/// A job with each of its runs made anew.
fn with_runs<'a>(job: &Job<'a>, fresh: &mut dyn FnMut(&Run<'a>) -> Run<'a>) -> Job<'a> {
    let Job { lead, others, scenarios, .. } = job;
    let lead = fresh(lead);
    let others = others.iter().map(|runs| runs.iter().map(&mut *fresh).collect()).collect();
    let mut scenarios = scenarios.clone();
    for of in &mut scenarios.all {
        of.run = fresh(&of.run);
    }
    Job { lead, others, scenarios, ..job.clone() }
}

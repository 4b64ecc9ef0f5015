//! Why a scenario has no design. Finds none.

use super::candidates::{Candidate, candidates, entries};
use super::choose::Tools;
use super::clash::clash;
use super::infeasible::Infeasible;
use super::terms::Terms;
use crate::scenario::Scenario;
use crate::sizing::Options;

/// Why no candidate has a design: the limits that are in the way, where there would be one without
/// them.
pub(super) fn unmet(
    all: &[Candidate<'_>],
    failed: Option<Infeasible>,
    terms: &Terms<'_>,
    tools: &Tools<'_>,
) -> Infeasible {
    let failed = failed.unwrap_or(Infeasible::Unknown);
    match all.first() {
        Some(any) if failed.is_of_limits() => clash(any.job.scenario, terms, tools, failed),
        _ => failed,
    }
}

/// Why a scenario of one cluster has no design; `None` where it has one.
pub(super) fn why_none(scenario: &Scenario, options: &Options) -> Option<Infeasible> {
    let (all, failed) = candidates(scenario);
    let terms = Terms::of(scenario);
    let mut tools = Tools::new(options);
    let tried = entries(&all, failed, &terms, &mut tools);
    tried.entries.is_empty().then(|| unmet(&all, tried.failed, &terms, &tools))
}

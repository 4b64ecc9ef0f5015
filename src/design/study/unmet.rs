//! Why a scenario has no design. Finds none.

use super::infeasible_subset::infeasible_subset;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::list::{Candidate, candidates};
use crate::design::fabric::entries::entries;
use crate::design::fabric::instance::Tools;
use crate::design::fabric::terms::Terms;
use crate::scenario::Scenario;
use crate::sizing::Options;

/// Why no candidate has a design: the limits that are in the way, where there would be one without
/// them.
pub(crate) fn unmet(
    all: &[Candidate<'_>],
    failed: Option<Infeasible>,
    terms: &Terms<'_>,
    tools: &Tools<'_>,
) -> Infeasible {
    let failed = failed.unwrap_or(Infeasible::Unknown);
    match all.first() {
        Some(any) if failed.is_of_limits() => {
            infeasible_subset(any.job.scenario, terms, tools, failed)
        }
        _ => failed,
    }
}

/// Why a scenario of one cluster has no design; `None` where it has one.
pub(crate) fn why_none(scenario: &Scenario, options: &Options) -> Option<Infeasible> {
    let (all, failed) = candidates(scenario, options);
    let terms = Terms::of(scenario);
    let mut tools = Tools::new(options);
    let tried = entries(&all, failed, &terms, &mut tools);
    tried.entries.is_empty().then(|| unmet(&all, tried.failed, &terms, &tools))
}

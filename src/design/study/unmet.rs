//! Why a scenario has no design. Finds none.

use super::infeasible_subset::infeasible_subset;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::list::{Candidate, list_candidates};
use crate::design::fabric::entries::size_candidates;
use crate::design::fabric::instance::SizingTools;
use crate::design::fabric::terms::Terms;
use crate::scenario::Scenario;
use crate::sizing::Options;

/// Why no candidate has a design: the limits that are in the way, where there would be one without
/// them.
pub(crate) fn explain_no_design(
    all: &[Candidate<'_>],
    failed: Option<Infeasible>,
    terms: &Terms<'_>,
    tools: &SizingTools<'_>,
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
pub(crate) fn reason_for_no_design(scenario: &Scenario, options: &Options) -> Option<Infeasible> {
    let (all, failed) = list_candidates(scenario, options);
    let terms = Terms::from_scenario(scenario);
    let mut tools = SizingTools::new(options);
    let tried = size_candidates(&all, failed, &terms, &mut tools);
    tried.entries.is_empty().then(|| explain_no_design(&all, tried.failed, &terms, &tools))
}

//! What follows a choice: the best family where goodput decides, and whether all fits the racks.

use super::objectives_in_turn::Incumbent;
use crate::design::assemble::routing_check::{RoutingRound, correct_clock_by_routing};
use crate::design::candidate::candidates::Candidate;
use crate::design::columns::terms::Terms;
use crate::design::effort;
use crate::design::job::infeasible::Infeasible;
use crate::design::job::infeasible_details::LimitMove;
use crate::design::network::candidate_sizing::SizedCandidate;
use crate::design::network::program::SizingTools;
use crate::design::network::sized_fabric::is_preferred;
use crate::design::plan::plan::{Plan, SolverReport};
use crate::design::plan::proof::SolverStatus;
use crate::scenario::{FabricChoice, Limits, Minimize, Scenario};
use crate::units::Amount;

const FAMILIES: [FabricChoice; 3] =
    [FabricChoice::RailOnly, FabricChoice::RailOptimized, FabricChoice::Clos];

/// The incumbent; where tokens are cheaper on the best network of a family that its candidate may
/// have, at the longest step that is allowed or at the shortest, that one instead. Other quantities
/// are proven least already.
pub(crate) fn best_family_by_goodput<'a, 't>(
    all: &[Candidate<'a>],
    mut incumbent: Incumbent<'a, 't>,
    tools: &mut SizingTools<'_>,
) -> Incumbent<'a, 't> {
    let terms = Terms { silent: true, ..incumbent.terms };
    let place = incumbent.best_entry().place;
    let by_tokens = terms.minimize == Minimize::UsdPerToken && terms.fabric == FabricChoice::Auto;
    let Some(candidate) = all.get(place).filter(|_| by_tokens) else { return incumbent };
    let loose = (terms.max_slowdown, terms.own_slowdowns);
    for fabric in FAMILIES {
        for (max_slowdown, own_slowdowns) in [loose, (1.0, false)] {
            if tools.is_stopped() {
                return incumbent;
            }
            let known = &incumbent.best_entry().sized;
            let asked = Terms {
                fabric,
                max_slowdown,
                own_slowdowns,
                ..terms.with_value_limit(known.value)
            };
            let Ok(sized) = candidate.size_network(&asked, tools) else { continue };
            let job = &candidate.job;
            if is_preferred(&sized, known)
                && !correct_clock_by_routing(
                    job,
                    sized.level,
                    &sized.blueprint,
                    RoutingRound::default(),
                )
            {
                incumbent.replace_best(SizedCandidate { place, job: job.clone(), sized });
            }
        }
    }
    incumbent
}

/// The best design by `design` that stands in the racks of its limits.
///
/// # Errors
/// Those of `design`, and where no answer of it stands in so few racks.
pub(crate) fn design_within_racks(
    scenario: &Scenario,
    design: impl Fn(&Scenario) -> Result<Plan, Infeasible>,
) -> Result<Plan, Infeasible> {
    let first = design(scenario)?;
    let Some(mut over) = racks_over_limit(&first) else { return Ok(first) };
    let mut needs = over.1 + over.0;
    let mut asked = scenario.clone();
    for _ in 0..effort::RACK_ROUNDS {
        let reserved = asked.limits.reserved + over.0;
        asked.limits = Limits { reserved, ..asked.limits };
        let next = match design(&asked) {
            Ok(next) => next,
            Err(Infeasible::Interrupted) => return Err(Infeasible::Interrupted),
            Err(_) => break,
        };
        match racks_over_limit(&next) {
            None => return Ok(widen_gap_to_refused(next, &first, scenario.objective.minimize)),
            Some(still) => {
                over = still;
                needs = needs.min(still.0 + still.1);
            }
        }
    }
    let (has, needs) = (Amount::from_count(over.1), Amount::from_count(needs));
    Err(Infeasible::Clash(vec![LimitMove {
        limit: "limits.racks".to_owned(),
        has,
        needs,
        one_of_several: false,
        then: None,
    }]))
}

/// Racks of a plan beyond those that there are, and these; `None` where they suffice.
fn racks_over_limit(plan: &Plan) -> Option<(u64, u64)> {
    let stages = if plan.growth.is_some() { plan.cluster_plans() } else { vec![plan] };
    let each = stages.into_iter().filter_map(|plan| {
        let racks = plan.racks?;
        let most = racks.most?;
        let over = racks.total_racks().checked_sub(most).filter(|over| *over > 0)?;
        Some((over, most))
    });
    each.max()
}

/// A plan that was found with less room than there is: designs that need none of what was left may
/// be better, but none beats the one that was refused.
fn widen_gap_to_refused(plan: Plan, refused: &Plan, minimize: Minimize) -> Plan {
    let (found, bound) = (plan.objective_value(minimize), refused.objective_value(minimize));
    let gap = if found > 0.0 { ((found - bound) / found).max(0.0) } else { 0.0 };
    if gap <= 0.0 {
        return plan;
    }
    let SolverReport { gap: known, .. } = plan.solver;
    let solver =
        SolverReport { status: SolverStatus::NodeLimit, gap: gap.max(known), ..plan.solver };
    Plan { solver, ..plan }
}

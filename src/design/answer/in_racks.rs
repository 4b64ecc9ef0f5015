//! Designs that stand in the racks that there are. The integer program counts racks of machines and switches;
//! what else takes racks follows from its answer, which is placed, and asked for again with less room where
//! it takes more than there are (docs/formulation.md).

use super::plan::{ClusterPlans, Plan, SolverReport};
use super::solver_status::SolverStatus;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::moved::LimitMove;
use crate::scenario::{Limits, Minimize, Scenario};
use crate::units::Amount;

/// Designs after which there is none in so few racks.
const ROUNDS: u64 = 16;

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
    for _ in 0..ROUNDS {
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
        then: None,
    }]))
}

/// Racks of a plan beyond those that there are, and these; `None` where they suffice.
fn racks_over_limit(plan: &Plan) -> Option<(u64, u64)> {
    let stages: Vec<&Plan> = match &plan.together {
        ClusterPlans::Stages(growth) => growth.stages.iter().map(|stage| &stage.plan).collect(),
        ClusterPlans::One | ClusterPlans::Parts(_) => vec![plan],
    };
    let each = stages.into_iter().filter_map(|plan| {
        let racks = plan.racks?;
        let most = racks.most?;
        let over = racks.total_racks().checked_sub(most).filter(|over| *over > 0)?;
        Some((over, most))
    });
    each.max()
}

/// A plan that was found with less room than there is: designs that need none of what was left may be
/// better, but none beats the one that was refused.
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

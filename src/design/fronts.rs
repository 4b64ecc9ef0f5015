//! Cost against step time of several clusters: of all together, and of each alone. Sizes none itself.

use super::answer::plan::Plan;
use super::candidate::infeasible::Infeasible;
use super::several::clusters::{ClusterName, list_clusters};
use super::solve::design_with;
use super::study::front::SAME;
use super::study::frontier::{
    Frontier, SLOWEST, find_cluster_frontier, frontier_cost_quantity, with_slowdown_limit,
};
use crate::scenario::Scenario;
use crate::sizing::Options;

/// What a shorter step costs, of every cluster of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Frontiers {
    /// Designs of all clusters together, cheapest first: each costs more than the one before it, and
    /// the cluster that is slowed most is slowed less. Empty where there is one cluster.
    pub whole: Vec<Plan>,
    /// Of each cluster alone, with all the stock and every limit to itself.
    pub each: Vec<(ClusterName, Frontier)>,
}

/// Most designs of all clusters that are made.
const MOST: usize = 64;

/// Every design of a scenario that no other beats in both cost and step time, cluster by cluster, and
/// of all clusters together: there the step is that of the cluster which is slowed most.
///
/// # Errors
/// As [`design_with`]; of the first cluster that has no design.
pub fn find_frontiers(scenario: &Scenario, options: &Options) -> Result<Frontiers, Infeasible> {
    let each = list_clusters(scenario).into_iter().map(|question| {
        let found = find_cluster_frontier(&question.scenario, options)
            .map_err(|reason| question.name.infeasible_in_cluster(reason))?;
        Ok((question.name, found))
    });
    let each = each.collect::<Result<_, Infeasible>>()?;
    let whole = if scenario.is_several() {
        frontier_of_all_clusters(scenario, options)?
    } else {
        Vec::new()
    };
    Ok(Frontiers { whole, each })
}

/// The designs of all clusters: the cheapest, then the cheapest that slows none as much as the one
/// before it, and so on.
fn frontier_of_all_clusters(
    scenario: &Scenario,
    options: &Options,
) -> Result<Vec<Plan>, Infeasible> {
    let mut plans: Vec<Plan> = Vec::new();
    let mut most = scenario.objective.max_slowdown.unwrap_or(SLOWEST).max(SLOWEST);
    while plans.len() < MOST {
        let found = match design_with(&with_slowdown_limit(scenario, most), options) {
            Ok(found) => found,
            Err(reason) if plans.is_empty() => return Err(reason),
            Err(_) => break,
        };
        let slowed =
            found.cluster_plans().into_iter().map(|plan| plan.step.slowdown).fold(1.0, f64::max);
        // What is slower and no cheaper is needless.
        let value =
            |plan: &Plan| plan.objective_value(frontier_cost_quantity(scenario.objective.minimize));
        let paid = value(&found);
        plans.retain(|known| value(known) < paid * (1.0 - SAME));
        plans.push(found);
        most = slowed * (1.0 - SAME);
        if most <= 1.0 {
            break;
        }
    }
    Ok(plans)
}

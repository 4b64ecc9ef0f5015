//! Ranges of prices in which a plan stays best, and frontiers, of one cluster or several.

use super::solve::design_with;
use crate::cost::OperatingTime;
use crate::design::effort;
use crate::design::job::infeasible::Infeasible;
use crate::design::joint::clusters::{clusters_with_plans, list_clusters};
use crate::design::plan::alternatives::PriceBand;
use crate::design::plan::plan::Plan;
use crate::design::study::frontier::{
    Frontier, SLOWEST, find_cluster_frontier, frontier_cost_quantity, with_slowdown_limit,
};

use crate::design::study::price_ranges::{
    ChosenDesign, DesignBill, PriceMarket, design_name, price_ranges_of_cluster, transceiver_prices,
};
use crate::design::study::volume_prices::{self, scenario_at_prices};
use crate::hardware::PriceBook;
use crate::scenario::{ClusterName, ClusterQuestion, Scenario};
use crate::sizing::Options;
use crate::units::ROUNDING;

/// For every part of the best design, and every switch or transceiver that it might have had, the
/// prices of today between which it stays the best. Empty where there is no design.
#[must_use]
pub fn price_bands(scenario: &Scenario, options: &Options) -> Vec<PriceBand> {
    let settled;
    let scenario =
        match volume_prices::has_volume_prices(scenario).then(|| design_with(scenario, options)) {
            None => scenario,
            Some(Err(_)) => return Vec::new(),
            Some(Ok(plan)) => {
                settled = volume_prices::scenario_at_bought_quantities(scenario, &plan);
                &settled
            }
        };
    if !scenario.is_several() {
        return price_ranges_of_cluster(scenario, options);
    }
    let mut winner = |prices: &PriceBook| {
        let changed = scenario_at_prices(scenario, prices);
        Some(chosen_design_of_clusters(&changed, &design_with(&changed, options).ok()?))
    };
    let each = list_clusters(scenario);
    let optics = each
        .iter()
        .flat_map(|question| transceiver_prices(&question.scenario, &scenario.prices))
        .collect();
    PriceMarket { scenario, winner: &mut winner, optics }.price_bands()
}

/// A design of several clusters as a sum that follows prices.
fn chosen_design_of_clusters(scenario: &Scenario, plan: &Plan) -> ChosenDesign {
    let all = clusters_with_plans(scenario, plan);
    let bill = |(cluster, plan): &(ClusterQuestion, &Plan)| DesignBill {
        lines: plan.bill.clone(),
        running: OperatingTime::from_step_time(
            &cluster.scenario,
            plan.pace,
            plan.failures.year.goodput,
        ),
        weight: scenario.objective.present_value(cluster.name.start_year()),
        price: cluster.price,
    };
    let names = all.iter().map(|(cluster, plan)| {
        format!("{}: {}", cluster.name, design_name(&plan.nodes.node.name, &plan.fabric))
    });
    let choice = all.iter().map(|(_, plan)| {
        let nodes = &plan.nodes;
        (nodes.node.name.clone(), nodes.nic.name.clone(), nodes.planes, plan.fabric.clone())
    });
    ChosenDesign {
        bills: all.iter().map(bill).collect(),
        name: names.collect::<Vec<_>>().join("; "),
        choice: choice.collect(),
    }
}

/// What a shorter step costs, of every cluster of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Frontiers {
    /// Designs of all clusters together, cheapest first: each costs more than the one before it,
    /// and the cluster that is slowed most is slowed less. Empty where there is one cluster.
    pub whole: Vec<Plan>,
    /// Of each cluster alone, with all the stock and every limit to itself.
    pub each: Vec<(ClusterName, Frontier)>,
}

/// Every design of a scenario that no other beats in both cost and step time, cluster by cluster,
/// and of all clusters together: there the step is that of the cluster which is slowed most.
///
/// # Errors
/// As [`design_with`]; of the first cluster that has no design.
pub fn find_frontiers(scenario: &Scenario, options: &Options) -> Result<Frontiers, Infeasible> {
    let each = list_clusters(scenario).into_iter().map(|question| {
        let found = find_cluster_frontier(&question.scenario, options)
            .map_err(|reason| reason.for_cluster(&question.name))?;
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
    while plans.len() < effort::FRONTIER_DESIGNS {
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
        plans.retain(|known| value(known) < paid * (1.0 - ROUNDING));
        plans.push(found);
        most = slowed * (1.0 - ROUNDING);
        if most <= 1.0 {
            break;
        }
    }
    Ok(plans)
}

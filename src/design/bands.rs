//! How far each price may move before another design is chosen, of one cluster or of several. Follows
//! no price itself: that is `study/ranging.rs`.

use super::answer::plan::{Plan, PriceBand};
use super::several::clusters::{ClusterQuestion, clusters_with_plans, list_clusters};
use super::solve::design_with;
use super::study::quantities::{self, scenario_at_prices};
use super::study::ranging::{
    ChosenDesign, DesignBill, PriceMarket, design_name, price_ranges_of_cluster, transceiver_prices,
};
use crate::cost::OperatingTime;
use crate::hardware::PriceBook;
use crate::scenario::Scenario;
use crate::sizing::Options;

/// For every part of the best design, and every switch or transceiver that it might have had, the
/// prices of today between which it stays the best. Empty where there is no design.
#[must_use]
pub fn price_bands(scenario: &Scenario, options: &Options) -> Vec<PriceBand> {
    let settled;
    let scenario =
        match quantities::has_volume_prices(scenario).then(|| design_with(scenario, options)) {
            None => scenario,
            Some(Err(_)) => return Vec::new(),
            Some(Ok(plan)) => {
                settled = quantities::scenario_at_bought_quantities(scenario, &plan);
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
    let stages = scenario.every_stage();
    let day = |place: usize| match plan.stages_report().is_some() {
        true => stages.get(place).map_or((0.0, 1.0), |stage| (stage.year, stage.price)),
        false => (0.0, 1.0),
    };
    let bill = |(place, (cluster, plan)): (usize, &(ClusterQuestion, &Plan))| {
        let (year, price) = day(place);
        DesignBill {
            lines: plan.bill.clone(),
            running: OperatingTime::from_step_time(
                &cluster.scenario,
                plan.pace,
                plan.failures.year.goodput,
            ),
            weight: scenario.objective.present_value(year),
            price,
        }
    };
    let names = all.iter().map(|(cluster, plan)| {
        format!("{}: {}", cluster.name, design_name(&plan.nodes.node.name, &plan.fabric))
    });
    let choice = all.iter().map(|(_, plan)| {
        let nodes = &plan.nodes;
        (nodes.node.name.clone(), nodes.nic.name.clone(), nodes.planes, plan.fabric.clone())
    });
    ChosenDesign {
        bills: all.iter().enumerate().map(bill).collect(),
        name: names.collect::<Vec<_>>().join("; "),
        choice: choice.collect(),
    }
}

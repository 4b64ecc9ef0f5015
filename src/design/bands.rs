//! How far each price may move before another design is chosen, of one cluster or of several. Follows
//! no price itself: that is `study/ranging.rs`.

use super::answer::plan::{Plan, PriceBand};
use super::several::clusters::{Cluster, answered, clusters};
use super::solve::design_with;
use super::study::quantities::{self, at};
use super::study::ranging::{Bill, Chosen, Market, name, of_one, optics};
use crate::cost::Running;
use crate::hardware::PriceBook;
use crate::scenario::Scenario;
use crate::sizing::Options;

/// For every part of the best design, and every switch or transceiver that it might have had, the
/// prices of today between which it stays the best. Empty where there is no design.
#[must_use]
pub fn price_bands(scenario: &Scenario, options: &Options) -> Vec<PriceBand> {
    let settled;
    let scenario = match quantities::any(scenario).then(|| design_with(scenario, options)) {
        None => scenario,
        Some(Err(_)) => return Vec::new(),
        Some(Ok(plan)) => {
            settled = quantities::at_its_pieces(scenario, &plan);
            &settled
        }
    };
    if !scenario.is_several() {
        return of_one(scenario, options);
    }
    let mut winner = |prices: &PriceBook| {
        let changed = at(scenario, prices);
        Some(chosen(&changed, &design_with(&changed, options).ok()?))
    };
    let each = clusters(scenario);
    let optics = each.iter().flat_map(|of| optics(&of.scenario, &scenario.prices)).collect();
    Market { scenario, winner: &mut winner, optics }.bands()
}

/// A design of several clusters as a sum that follows prices.
fn chosen(scenario: &Scenario, plan: &Plan) -> Chosen {
    let all = answered(scenario, plan);
    let stages = scenario.every_stage();
    let day = |place: usize| match plan.growth().is_some() {
        true => stages.get(place).map_or((0.0, 1.0), |of| (of.year, of.price)),
        false => (0.0, 1.0),
    };
    let bill = |(place, (cluster, plan)): (usize, &(Cluster, &Plan))| {
        let (year, price) = day(place);
        Bill {
            lines: plan.bill.clone(),
            running: Running::of(&cluster.scenario, plan.pace, plan.failures.year.goodput),
            weight: scenario.objective.present(year),
            price,
        }
    };
    let names = all.iter().map(|(cluster, plan)| {
        format!("{}: {}", cluster.name, name(&plan.nodes.node.name, &plan.fabric))
    });
    let choice = all.iter().map(|(_, plan)| {
        let nodes = &plan.nodes;
        (nodes.node.name.clone(), nodes.nic.name.clone(), nodes.planes, plan.fabric.clone())
    });
    Chosen {
        bills: all.iter().enumerate().map(bill).collect(),
        name: names.collect::<Vec<_>>().join("; "),
        choice: choice.collect(),
    }
}

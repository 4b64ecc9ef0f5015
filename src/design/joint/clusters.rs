//! Clusters of a scenario, stock between them, their plans added up.

use std::collections::BTreeMap;

use crate::cost::{
    BillLine, Cost, OperatingTime, SharedStock, merge_bills, merge_stage_bills, range_of_sum,
    scale_prices, sum_bill,
};
use crate::design::assemble::detect_warnings::dedup_in_order;
use crate::design::plan::plan::{ClusterPlan, Growth, IdleParts, Plan, SolverReport};
use crate::design::plan::provenance::Inputs;
use crate::scenario::{ClusterName, ClusterQuestion, ClusterShape, Minimize, Scenario};
use crate::units::{Seconds, Usd, UsdRange};

/// Names of the parts of a cluster, or numbers of its stages; none where it is one cluster.
#[must_use]
pub fn part_names(scenario: &Scenario) -> Vec<String> {
    list_clusters(scenario).iter().filter_map(|question| question.name.part_argument()).collect()
}

/// The part of that name, or the stage of that number, alone: with all the stock and every limit to
/// itself, and for a stage as if nothing had been bought before; `None` where there is no such.
#[must_use]
pub fn scenario_of_part_or_stage(scenario: &Scenario, name: &str) -> Option<Scenario> {
    let is = |question: &ClusterQuestion| {
        question.name.part_argument().is_some_and(|known| known == name)
    };
    list_clusters(scenario).into_iter().find(is).map(|question| question.scenario)
}

/// Every cluster of a scenario, each with all the stock: parts in the order of their workloads,
/// stages at the prices of their days, or the only one.
#[must_use]
pub fn list_clusters(scenario: &Scenario) -> Vec<ClusterQuestion> {
    let asked = |question: ClusterQuestion| {
        let scenario = scenario_of_day(&question);
        ClusterQuestion { scenario, ..question }
    };
    scenario.cluster_questions().into_iter().map(asked).collect()
}

/// The question of a cluster at the prices of its day.
pub(super) fn scenario_of_day(question: &ClusterQuestion) -> Scenario {
    let ClusterQuestion { name, price, scenario } = question;
    match name {
        ClusterName::Whole | ClusterName::Part(_) => scenario.clone(),
        ClusterName::Stage { .. } => {
            Scenario { prices: scale_prices(&scenario.prices, *price), ..scenario.clone() }
        }
    }
}

/// The plan of all parts or stages, each planned by `plan` from its place and its question: parts
/// leave the next ones the stock that they do not use, stages all that they bought. Of one cluster
/// its own plan.
///
/// # Errors
/// The first that `plan` has.
pub fn plan_in_sequence<E>(
    scenario: &Scenario,
    mut plan: impl FnMut(usize, &Scenario) -> Result<Plan, E>,
) -> Result<Option<Plan>, E> {
    let mut inventory = StockInHand::from_scenario(scenario);
    let mut all = Vec::new();
    for (place, ClusterQuestion { name, price, scenario }) in
        list_clusters(scenario).into_iter().enumerate()
    {
        let plan = plan(place, &inventory.scenario_with_stock(&scenario))?;
        let idle = inventory.unused_parts(&plan.bill);
        inventory.use_up(&plan.bill);
        all.push(ClusterPlan { name, price, plan, idle });
    }
    Ok(join_cluster_plans(scenario, all))
}

/// Every cluster of a scenario with its plan, its question as the plan answers it: with the stock
/// that clusters before it leave.
#[must_use]
pub fn clusters_with_plans<'p>(
    scenario: &Scenario,
    plan: &'p Plan,
) -> Vec<(ClusterQuestion, &'p Plan)> {
    let mut inventory = StockInHand::from_scenario(scenario);
    let dealt = |(cluster, plan): (ClusterQuestion, &'p Plan)| {
        let scenario = inventory.scenario_with_stock(&cluster.scenario);
        inventory.use_up(&plan.bill);
        (ClusterQuestion { scenario, ..cluster }, plan)
    };
    list_clusters(scenario).into_iter().zip(plan.cluster_plans()).map(dealt).collect()
}

/// What is there for the next cluster.
pub(super) struct StockInHand {
    stock: SharedStock,
    /// Parts that an earlier stage had in use; none of parts.
    used: BTreeMap<String, u64>,
    grows: bool,
}

impl StockInHand {
    /// What is owned before the first cluster of a scenario.
    pub(super) fn from_scenario(scenario: &Scenario) -> Self {
        let grows = scenario.cluster_shape() == ClusterShape::Stages;
        let stock = SharedStock::new(scenario.inventory.clone(), grows);
        Self { stock, used: BTreeMap::new(), grows }
    }

    /// A cluster's question with all that as its stock.
    pub(super) fn scenario_with_stock(&self, asked: &Scenario) -> Scenario {
        Scenario { inventory: self.stock.pieces_by_part().clone(), ..asked.clone() }
    }

    /// What a stage uses is there from then on; what a part takes from stock is not.
    pub(super) fn use_up(&mut self, lines: &[BillLine]) {
        for line in lines {
            if self.grows || !line.is_covered() {
                self.stock.take_pieces(&line.part, line.count);
            }
            if self.grows {
                let used = self.used.entry(line.part.clone()).or_default();
                *used = line.count.max(*used);
            }
        }
    }

    /// What an earlier stage used and these lines do not.
    fn unused_parts(&self, lines: &[BillLine]) -> Vec<IdleParts> {
        let left = |(part, used): (&String, &u64)| {
            let now = lines.iter().find(|line| line.part == *part).map_or(0, |line| line.count);
            (*used > now).then(|| IdleParts { part: part.clone(), count: used - now })
        };
        self.used.iter().filter_map(left).collect()
    }
}

/// The plan of all clusters. Bill and cost are of the whole; what is of no cluster alone is the
/// first part's, or the last stage's.
fn join_cluster_plans(scenario: &Scenario, mut clusters: Vec<ClusterPlan>) -> Option<Plan> {
    let shape = scenario.cluster_shape();
    let lead = match shape {
        ClusterShape::One => return clusters.pop().map(|cluster| cluster.plan),
        ClusterShape::Parts => clusters.first()?.plan.clone(),
        ClusterShape::Stages => clusters.last()?.plan.clone(),
    };
    let plans = || clusters.iter().map(|cluster| &cluster.plan);
    let bills = plans().map(|plan| &plan.bill[..]);
    let bill = match shape {
        ClusterShape::Stages => merge_stage_bills(bills, &scenario.inventory),
        ClusterShape::One | ClusterShape::Parts => merge_bills(bills),
    };
    let paid = sum_bill(&bill, &OperatingTime::from_step_time(scenario, Seconds::ZERO, 1.0));
    let (cost, racks, growth) = if shape == ClusterShape::Stages {
        let (cost, growth) = cost_of_stages(scenario, &clusters, paid, lead.cost.clone());
        (cost, lead.racks, Some(growth))
    } else {
        let racks = plans().map(|plan| plan.racks).reduce(|a, b| Some(a?.add_racks(&b?)));
        (paid, racks.flatten(), None)
    };
    let fixed = dedup_in_order(plans().flat_map(|plan| &plan.solver.fixed));
    let chosen_first = dedup_in_order(plans().flat_map(|plan| &plan.solver.chosen_first));
    Some(Plan {
        name: scenario.name.clone(),
        bill,
        cost,
        racks,
        solver: SolverReport { fixed, chosen_first, ..lead.solver.clone() },
        assumptions: dedup_in_order(plans().flat_map(|plan| &plan.assumptions)),
        warnings: dedup_in_order(plans().flat_map(|plan| &plan.warnings)),
        inputs: Inputs::from_scenario(scenario),
        growth,
        clusters,
        ..lead
    })
}

/// What stages cost, each at the prices of its day, where `paid` is what their bill sums up to and
/// the last one costs `last`; and what they come to.
fn cost_of_stages(
    scenario: &Scenario,
    stages: &[ClusterPlan],
    paid: Cost,
    last: Cost,
) -> (Cost, Growth) {
    let present = |money: fn(&Cost) -> Usd| -> Usd {
        let value = |stage: &ClusterPlan| {
            money(&stage.plan.cost) * scenario.objective.present_value(stage.name.start_year())
        };
        stages.iter().map(value).sum()
    };
    let range = |money: fn(&Cost) -> (Usd, Option<UsdRange>)| {
        range_of_sum(stages.iter().map(|stage| money(&stage.plan.cost)))
    };
    let tco = present(|cost| cost.tco);
    let present_value = match scenario.objective.minimize {
        Minimize::Capex => present(|cost| cost.capex),
        Minimize::Tco | Minimize::UsdPerToken | Minimize::Power => tco,
    };
    let cost = Cost {
        network_capex: paid.network_capex,
        network_capex_range: range(|cost| (cost.network_capex, cost.network_capex_range)),
        capex: paid.capex,
        capex_range: range(|cost| (cost.capex, cost.capex_range)),
        unpriced: paid.unpriced,
        lead: paid.lead,
        tco,
        years: scenario.objective.years,
        usd_per_million_tokens: None,
        run: None,
        ..last
    };
    (cost, Growth { present_value, one_by_one: None, at_once: None })
}

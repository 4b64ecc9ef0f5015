//! Clusters of a scenario, stock between them, their plans added up.

use std::collections::BTreeMap;
use std::fmt;

use crate::cost::{
    BillLine, Cost, OperatingTime, SharedStock, merge_bills, merge_stage_bills, range_of_sum,
    scale_prices, sum_bill,
};
use crate::design::assemble::detect_warnings::dedup_in_order;
use crate::design::job::infeasible::Infeasible;
use crate::design::plan::plan::{
    ClusterPlans, IdleParts, PartPlan, Plan, SolverReport, StagePlan, StagesReport,
};
use crate::design::plan::provenance::Inputs;
use crate::scenario::{ClusterShape, Minimize, Scenario, Stage};
use crate::units::{Seconds, Usd};

/// Which cluster of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub enum ClusterName {
    /// The only one.
    Whole,
    /// The part of a workload, by the workload's name: parts stand side by side.
    Part(String),
    /// A stage of a cluster that grows: stages follow one another.
    Stage {
        /// Counted from 1.
        number: usize,
        /// Years after the first one.
        year: f64,
    },
}

/// One cluster as a question of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterQuestion {
    pub name: ClusterName,
    /// What is asked of it.
    pub scenario: Scenario,
}

impl ClusterName {
    /// What `--part` takes it by; `None` for the only one.
    #[must_use]
    pub fn part_argument(&self) -> Option<String> {
        match self {
            Self::Whole => None,
            Self::Part(name) => Some(name.clone()),
            Self::Stage { number, .. } => Some(number.to_string()),
        }
    }

    /// The reason why this cluster has no design, told of all of them.
    #[must_use]
    pub fn infeasible_in_cluster(&self, reason: Infeasible) -> Infeasible {
        match self {
            Self::Whole => reason,
            Self::Part(name) => {
                Infeasible::Workload { name: name.clone(), reason: Box::new(reason) }
            }
            Self::Stage { year, .. } => Infeasible::Stage { year: *year, reason: Box::new(reason) },
        }
    }
}

impl fmt::Display for ClusterName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Part(name) => f.write_str(name),
            Self::Stage { number, year } => write!(f, "{number}, year {year}"),
        }
    }
}

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
    match scenario.cluster_shape() {
        ClusterShape::One => {
            vec![ClusterQuestion { name: ClusterName::Whole, scenario: scenario.clone() }]
        }
        ClusterShape::Parts => {
            let cluster = |scenario: Scenario| ClusterQuestion {
                name: ClusterName::Part(scenario.name.clone()),
                scenario,
            };
            scenario.split_into_parts().into_iter().map(cluster).collect()
        }
        ClusterShape::Stages => {
            let cluster = |(stage, number): (&Stage, usize)| {
                let name = ClusterName::Stage { number, year: stage.year };
                ClusterQuestion { name, scenario: scenario_of_stage(stage) }
            };
            scenario.every_stage().iter().zip(1..).map(cluster).collect()
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
    for (place, cluster) in list_clusters(scenario).iter().enumerate() {
        let plan = plan(place, &inventory.scenario_with_stock(&cluster.scenario))?;
        let idle = inventory.unused_parts(&plan.bill);
        inventory.use_up(&plan.bill);
        all.push((plan, idle));
    }
    Ok(match scenario.cluster_shape() {
        ClusterShape::One => all.pop().map(|(plan, _)| plan),
        ClusterShape::Parts => {
            plan_of_parts(scenario, all.into_iter().map(|(plan, _)| plan).collect())
        }
        ClusterShape::Stages => plan_of_stages(scenario, all),
    })
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

impl Plan {
    /// The plans of the parts or stages of a cluster; none where it is one.
    #[must_use]
    pub fn part_or_stage_plans(&self) -> Vec<&Self> {
        match &self.together {
            ClusterPlans::One => Vec::new(),
            ClusterPlans::Parts(parts) => parts.iter().map(|part| &part.plan).collect(),
            ClusterPlans::Stages(growth) => growth.stages.iter().map(|plan| &plan.plan).collect(),
        }
    }

    /// The plans of all clusters: parts or stages, or this one.
    #[must_use]
    pub fn cluster_plans(&self) -> Vec<&Self> {
        let several = self.part_or_stage_plans();
        if several.is_empty() { vec![self] } else { several }
    }
}

/// The question of a stage at the prices of its day.
pub(super) fn scenario_of_stage(stage: &Stage) -> Scenario {
    let prices = scale_prices(&stage.scenario.prices, stage.price);
    Scenario { prices, ..stage.scenario.clone() }
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

    /// A cluster's question with all that as its stock; a stage's as it is
    /// [asked](scenario_of_stage).
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

/// The plan of all parts. Its own fields are those of the first workload's part; bill and cost are
/// of the whole.
fn plan_of_parts(scenario: &Scenario, plans: Vec<Plan>) -> Option<Plan> {
    let lead = plans.first()?.clone();
    let bill = merge_bills(plans.iter().map(|plan| &plan.bill[..]));
    let cost = sum_bill(&bill, &OperatingTime::from_step_time(scenario, Seconds::ZERO, 1.0));
    let warnings = dedup_in_order(plans.iter().flat_map(|plan| &plan.warnings));
    let assumptions = dedup_in_order(plans.iter().flat_map(|plan| &plan.assumptions));
    let racks =
        plans.iter().map(|plan| plan.racks).reduce(|a, b| Some(a?.add_racks(&b?))).flatten();
    let fixed = dedup_in_order(plans.iter().flat_map(|plan| &plan.solver.fixed));
    let chosen_first = dedup_in_order(plans.iter().flat_map(|plan| &plan.solver.chosen_first));
    let solver = SolverReport { fixed, chosen_first, ..lead.solver.clone() };
    let names = scenario.workloads.iter().map(|workload| workload.name.clone());
    let parts = names.zip(plans).map(|(name, plan)| PartPlan { name, plan }).collect();
    let together = ClusterPlans::Parts(parts);
    let (name, inputs) = (scenario.name.clone(), Inputs::from_scenario(scenario));
    Some(Plan { name, bill, cost, racks, solver, assumptions, warnings, inputs, together, ..lead })
}

/// The plan of all stages, each with what lies idle then. Its own fields are those of the last
/// stage; bill and cost are of the whole.
fn plan_of_stages(scenario: &Scenario, plans: Vec<(Plan, Vec<IdleParts>)>) -> Option<Plan> {
    let last = plans.last()?.0.clone();
    let stages: Vec<StagePlan> = scenario
        .every_stage()
        .into_iter()
        .zip(plans)
        .map(|(stage, (plan, idle))| StagePlan { year: stage.year, price: stage.price, plan, idle })
        .collect();
    let plans = || stages.iter().map(|stage| &stage.plan);
    let present = |money: fn(&Cost) -> Usd| -> Usd {
        let each = stages.iter().map(|stage| (stage.year, money(&stage.plan.cost)));
        each.map(|(year, money)| money * scenario.objective.present_value(year)).sum()
    };
    let tco = present(|cost| cost.tco);
    let present_value = match scenario.objective.minimize {
        Minimize::Capex => present(|cost| cost.capex),
        Minimize::Tco | Minimize::UsdPerToken | Minimize::Power => tco,
    };
    let bill = merge_stage_bills(plans().map(|plan| &plan.bill[..]), &scenario.inventory);
    let all = sum_bill(&bill, &OperatingTime::from_step_time(scenario, Seconds::ZERO, 1.0));
    let assumptions = dedup_in_order(plans().flat_map(|plan| &plan.assumptions));
    let warnings = dedup_in_order(plans().flat_map(|plan| &plan.warnings));
    // Each stage at the prices of its day.
    let costs = || plans().map(|plan| &plan.cost);
    let cost = Cost {
        network_capex: all.network_capex,
        network_capex_range: range_of_sum(
            costs().map(|this_cost| (this_cost.network_capex, this_cost.network_capex_range)),
        ),
        capex: all.capex,
        capex_range: range_of_sum(
            costs().map(|this_cost| (this_cost.capex, this_cost.capex_range)),
        ),
        unpriced: all.unpriced,
        lead: all.lead,
        tco,
        years: scenario.objective.years,
        usd_per_million_tokens: None,
        run: None,
        ..last.cost
    };
    let fixed = dedup_in_order(plans().flat_map(|plan| &plan.solver.fixed));
    let chosen_first = dedup_in_order(plans().flat_map(|plan| &plan.solver.chosen_first));
    let solver = SolverReport { fixed, chosen_first, ..last.solver.clone() };
    let growth = StagesReport { present_value, one_by_one: None, at_once: None, stages };
    Some(Plan {
        name: scenario.name.clone(),
        cost,
        bill,
        solver,
        assumptions,
        warnings,
        inputs: Inputs::from_scenario(scenario),
        together: ClusterPlans::Stages(growth),
        ..last
    })
}

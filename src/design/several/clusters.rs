//! The clusters that a scenario asks for, each as a question of its own, and one after another on
//! one stock. Designs nothing.

use std::fmt;

use super::stock::{StockInHand, scenario_of_stage};
use super::together::{plan_of_parts, plan_of_stages};
use crate::design::answer::plan::{ClusterPlans, Plan};
use crate::design::candidate::infeasible::Infeasible;
use crate::scenario::{ClusterShape, Scenario, Stage};

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
    /// Which one.
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

//! What figures are read from: a design, or as much of one as a command has. It computes nothing.

use crate::cost::Cost;
use crate::design::{
    AllToAllThroughput, FailureReport, Headroom, NodeChoice, Oversubscription, Plan, RackReport,
    Regular, Robustness, RoutingReport, SolverReport, StagesReport, StepPlan, StepReport,
    WorkloadPlan,
};
use crate::fabric::{Counts, Regularity};
use crate::hardware::DomainInside;
use crate::memory::Memory;
use crate::parallel::Layout;
use crate::timing::{Interval, StepTime};
use crate::traffic::TrafficSummary;
use crate::units::Bytes;

/// The parts of an answer, each `None` where there is none.
#[derive(Clone, Copy, Debug, Default)]
pub struct FigureSource<'a> {
    /// Machines.
    pub nodes: Option<&'a NodeChoice>,
    /// How the model is spread.
    pub layout: Option<&'a Layout>,
    /// Micro-batches of one pipeline.
    pub micro_batches: Option<u64>,
    /// Time of a step by part.
    pub time: Option<&'a StepTime>,
    /// One step.
    pub step: Option<&'a StepReport>,
    /// Between which shares of their values lie what follows from the step time of one workload.
    pub interval: Option<&'a Interval>,
    /// Memory of the fullest GPU.
    pub memory: Option<&'a Memory>,
    /// Memory that a GPU has.
    pub memory_capacity: Option<Bytes>,
    /// Traffic of a step.
    pub traffic: Option<&'a TrafficSummary>,
    /// Switches and links.
    pub fabric: Option<&'a Counts>,
    /// The bill summed up.
    pub cost: Option<&'a Cost>,
    /// Racks.
    pub racks: Option<&'a RackReport>,
    /// How far the cluster can grow.
    pub headroom: Option<Headroom>,
    /// What a uniform exchange between all GPUs would reach.
    pub all_to_all: Option<AllToAllThroughput>,
    /// A year of failures.
    pub failures: Option<&'a FailureReport>,
    /// How far the cheapest network is oversubscribed.
    pub oversubscription: Option<&'a Oversubscription>,
    /// Units of machines, and leaf switches that rails share.
    pub regularity: Option<&'a Regularity>,
    /// What a regular network takes more.
    pub regular: Option<&'a Regular>,
    /// What routing the step found.
    pub routing: Option<&'a RoutingReport>,
    /// What the fabric carries beside the workloads.
    pub robust: Option<&'a Robustness>,
    /// How the answer came about.
    pub solver: Option<&'a SolverReport>,
    /// What stages come to.
    pub growth: Option<&'a StagesReport>,
}

impl<'a> FigureSource<'a> {
    /// The parts of a design.
    #[must_use]
    pub fn from_plan(plan: &'a Plan) -> Self {
        let run = (&plan.layout, &plan.step, &plan.memory, &plan.traffic);
        Self {
            interval: (plan.workloads.is_empty() && plan.parts().is_empty())
                .then_some(&plan.step.interval),
            fabric: Some(&plan.fabric),
            cost: Some(&plan.cost),
            racks: plan.racks.as_ref(),
            headroom: plan.headroom,
            all_to_all: Some(plan.all_to_all),
            failures: Some(&plan.failures),
            oversubscription: plan.oversubscription.as_ref(),
            regularity: plan.regularity.as_ref(),
            regular: plan.regular.as_ref(),
            routing: plan.routing.as_ref(),
            robust: plan.robust.as_ref(),
            solver: Some(&plan.solver),
            growth: plan.stages_report(),
            ..Self::from_run(&plan.nodes, plan.memory_capacity, run)
        }
    }

    /// What `planner step` has: a step on its machines, and no network.
    #[must_use]
    pub fn from_step_plan(plan: &'a StepPlan) -> Self {
        let run = (&plan.layout, &plan.step, &plan.memory, &plan.traffic);
        Self::from_run(&plan.nodes, plan.memory_capacity, run)
    }

    /// What one of several workloads has on the machines of a design.
    #[must_use]
    pub fn from_workload(workload_plan: &'a WorkloadPlan, plan: &'a Plan) -> Self {
        let run = (
            &workload_plan.layout,
            &workload_plan.step,
            &workload_plan.memory,
            &workload_plan.traffic,
        );
        Self::from_run(&plan.nodes, plan.memory_capacity, run)
    }

    /// A run of a workload on machines whose GPUs have so much memory.
    fn from_run(
        nodes: &'a NodeChoice,
        memory_capacity: Bytes,
        (layout, step, memory, traffic): (
            &'a Layout,
            &'a StepReport,
            &'a Memory,
            &'a TrafficSummary,
        ),
    ) -> Self {
        Self {
            nodes: Some(nodes),
            layout: Some(layout),
            micro_batches: Some(step.micro_batches),
            time: Some(&step.time),
            step: Some(step),
            memory: Some(memory),
            memory_capacity: Some(memory_capacity),
            traffic: Some(traffic),
            ..Self::default()
        }
    }

    /// Switch chips and links inside the HB domains; `None` where nobody stated them.
    pub(super) fn hb_domain_insides(&self) -> Option<DomainInside> {
        let nodes = self.nodes?;
        nodes.node.inside_of_domains(nodes.domains.into())
    }
}

//! The step of a spec without a network sized for it, or on the network of its design.

use super::solve::design_with_default_rules;
use crate::design::assemble::workload_plans::step_report;
use crate::design::candidate::candidates::{list_candidates, list_jobs};
use crate::design::candidate::layouts::Overflow;
use crate::design::choose::objectives_in_turn::{ObjectiveResult, choose_routed};
use crate::design::choose::other_layouts::choose_layout_and_network;
use crate::design::columns::terms::Terms;
use crate::design::job::infeasible::Infeasible;
use crate::design::job::job::{Job, NodeChoice};
use crate::design::job::machine::{Level, list_machines};
use crate::design::job::run::{PhaseReport, phase_reports};
use crate::design::network::program::SizingTools;
use crate::design::plan::plan::{Plan, StepReport};
use crate::memory::Memory;
use crate::parallel::Layout;
use crate::scenario::{Assumption, Scenario};
use crate::sizing::Options;
use crate::step::Step;
use crate::technique::technique_assumptions;
use crate::traffic::{TrafficMatrix, TrafficSummary};
use crate::units::Bytes;

/// One step of a layout on its machines.
#[derive(Clone, Debug, PartialEq)]
pub struct StepPlan {
    pub nodes: NodeChoice,
    /// How the model is spread.
    pub layout: Layout,
    /// One step on a network that never blocks.
    pub step: StepReport,
    /// Parts of the run with other steps; empty where all steps are alike.
    pub phases: Vec<PhaseReport>,
    /// Memory of the fullest GPU.
    pub memory: Memory,
    /// Memory that a GPU has.
    pub memory_capacity: Bytes,
    pub traffic: TrafficSummary,
    /// What was taken for granted.
    pub assumptions: Vec<Assumption>,
}

/// One step of the scenario's layout, or of the fastest one that fits where it is left open, on
/// the product, interface and rank order that a design takes where several are offered; on what is
/// fastest where there is no design. A layout that is given need not fit: the memory beside it says
/// by how much it does not.
///
/// # Errors
/// Why there is none, as far as the furthest product came.
pub fn plan_step(scenario: &Scenario) -> Result<StepPlan, Infeasible> {
    step_and_traffic(scenario).map(|(plan, _)| plan)
}

/// What the best design of a scenario runs.
fn best_design_job(scenario: &Scenario) -> Option<Job<'_>> {
    let options = Options::default();
    let (all, _) = list_candidates(scenario, &options);
    let mut tools = SizingTools::new(&options);
    let terms = Terms { silent: true, ..Terms::from_scenario(scenario) };
    let first = choose_routed(&all, None, terms, &mut tools).ok()?;
    let (_, ObjectiveResult { mut incumbent, .. }, _) =
        choose_layout_and_network(scenario, all, first, terms, &mut tools);
    Some(incumbent.entries.swap_remove(incumbent.best).job)
}

/// [`plan_step`] with the whole traffic matrix of the step.
///
/// # Errors
/// As [`plan_step`].
pub fn step_and_traffic(scenario: &Scenario) -> Result<(StepPlan, TrafficMatrix), Infeasible> {
    step_as_data(scenario).map(|(plan, matrix, _)| (plan, matrix))
}

/// [`step_and_traffic`] with the step itself, from which the matrix was made.
///
/// # Errors
/// As [`plan_step`].
pub fn step_as_data(scenario: &Scenario) -> Result<(StepPlan, TrafficMatrix, Step), Infeasible> {
    if scenario.is_several() {
        return Err(Infeasible::Several);
    }
    let mut failed: Option<Infeasible> = None;
    let mut fitting = Vec::new();
    for machine in list_machines(&scenario.cluster) {
        match list_jobs(scenario, machine, Overflow::Reported, &[]) {
            Ok(jobs) => fitting.extend(jobs),
            Err(reason) => failed = Some(Infeasible::pick_further(failed, reason)),
        }
    }
    let overflows =
        |job: &Job<'_>| job.lead_run().memory.total_on_gpu() > job.machine.node.gpu.memory;
    let fastest_that_fits = |a: &Job<'_>, b: &Job<'_>| {
        overflows(a).cmp(&overflows(b)).then(a.lead_run().full.total_cmp(&b.lead_run().full))
    };
    let offered = fitting.len();
    let designed = if offered > 1 { best_design_job(scenario) } else { None };
    let chosen = (list_machines(&scenario.cluster).len() > 1).then(|| {
        let text = match &designed {
            Some(job) => format!("{}: what a design takes", job.machine.node.name),
            None if offered > 1 => "the fastest that fits: no design meets the limits".to_owned(),
            None => "the only one that runs the layout".to_owned(),
        };
        Assumption { topic: "cluster.node".into(), text, default: false }
    });
    let fastest = || fitting.into_iter().min_by(fastest_that_fits);
    let Some(job) = designed.or_else(fastest) else {
        return Err(failed.unwrap_or(Infeasible::Unknown));
    };
    let mut assumptions = scenario.assumed_on(job.machine.node).to_vec();
    assumptions.extend(chosen);
    assumptions.extend(
        job.lead_run()
            .faster_unused_layout(scenario)
            .map(|unused_layout| unused_layout.unused_layout_assumption()),
    );
    assumptions.push(Assumption {
        topic: "cluster.fabric".into(),
        text: "on a network that never blocks; `planner design` has the real one".into(),
        default: false,
    });
    let lead = job.lead_run();
    if scenario.workloads.len() > 1 {
        let (name, all) = (&scenario.lead_workload().name, scenario.workloads.len());
        let text =
            format!("of `{name}`, the first of {all} workloads; `planner design` weighs them all");
        assumptions.push(Assumption { topic: "workload".into(), text, default: false });
    }
    assumptions.extend(technique_assumptions(&lead.workload));
    let matrix = TrafficMatrix::new(&lead.step, lead.placement());
    let plan = StepPlan {
        nodes: NodeChoice::from_job(&job, 1),
        layout: lead.layout().clone(),
        step: step_report(scenario, lead, Level::FULL, lead.step_time(Level::FULL)),
        phases: phase_reports(lead, Level::FULL),
        memory: lead.memory.clone(),
        memory_capacity: job.machine.node.gpu.memory,
        traffic: matrix.summary(),
        assumptions,
    };
    let step = lead.step.clone();
    Ok((plan, matrix, step))
}

/// A step of the layout that a design has, which may be another one than the fastest, and whether its
/// network leaves rails apart. Nothing is designed where the layout is stated whole and nobody asks
/// for the network; where there is no design, the layout is the fastest.
///
/// # Errors
/// As [`step_as_data`].
pub fn step_of_design(
    scenario: &Scenario,
    asks_for_network: bool,
) -> Result<(StepPlan, Step, bool), Infeasible> {
    let request = &scenario.lead_workload().layout;
    let is_open = request.is_open() || request.order.is_none();
    let designs = !scenario.is_several() && (is_open || asks_for_network);
    let designed = || design_with_default_rules(scenario, &Options::default()).ok();
    let plan = designs.then(designed).flatten();
    let asked = plan.as_ref().map(|plan| scenario_with_plan_layout(scenario, plan));
    let (found, _, step) = step_as_data(asked.as_ref().unwrap_or(scenario))?;
    Ok((found, step, plan.is_some_and(|plan| plan.fabric.keeps_rails_apart())))
}

/// One step of the layout of a plan on its machines, on a network that never blocks.
///
/// # Errors
/// As [`step_as_data`].
pub fn step_of_plan(scenario: &Scenario, plan: &Plan) -> Result<StepPlan, Infeasible> {
    plan_step(&scenario_with_plan_layout(scenario, plan))
}

/// A scenario that states the machines and the layout of a plan.
fn scenario_with_plan_layout(scenario: &Scenario, plan: &Plan) -> Scenario {
    let mut asked = scenario.clone();
    asked.cluster.nodes = vec![plan.nodes.node.clone()];
    asked.cluster.nics = vec![plan.nodes.nic.clone()];
    asked.workloads[0] = asked.lead_workload().map_products(|mut workload| {
        workload.layout = workload.layout.from_layout(&plan.layout);
        workload
    });
    asked
}

//! `planner step`: the layout as given, no sizing.

use super::args::{Options, SpecArgs};
use super::failure::Failure;
use super::input;
use crate::design::{self, ClusterQuestion, StepPlan};
use crate::report::{self, ClusterSheets, StepSheet};

/// The steps of a spec as text.
pub(super) fn run_step(args: &SpecArgs, options: &Options) -> Result<String, Failure> {
    let scenario = input::load_scenario(&args.spec, options)?;
    let clusters = design::list_clusters(&scenario);
    let step = |question: &ClusterQuestion| {
        design::plan_step(&question.scenario)
            .map_err(|reason| question.name.infeasible_in_cluster(reason))
    };
    let plans: Vec<StepPlan> = clusters.iter().map(step).collect::<Result<_, _>>()?;
    let each = clusters
        .iter()
        .zip(&plans)
        .map(|(question, plan)| (&question.name, step_sheet(question, plan)));
    let sheets = ClusterSheets { name: &scenario.name, each: each.collect() };
    options.render_report(|look| report::render_step(&sheets, look))
}

fn step_sheet<'a>(question: &'a ClusterQuestion, plan: &'a StepPlan) -> StepSheet<'a> {
    let framework = &question.scenario.workload.for_product(&plan.nodes.node).framework;
    StepSheet { name: &question.scenario.name, step: plan, framework }
}

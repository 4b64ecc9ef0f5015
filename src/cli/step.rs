//! `planner step`: the layout as given, no sizing.

use super::args::{Options, SpecArgs};
use super::failure::Failure;
use super::input;
use crate::design;
use crate::report::{self, StepSheet};

/// The step of a spec as text.
pub(super) fn run(args: &SpecArgs, options: &Options) -> Result<String, Failure> {
    let scenario = input::whole(&args.spec, options)?;
    let plan = design::step(&scenario)?;
    let sheet = StepSheet {
        name: &scenario.name,
        nodes: &plan.nodes,
        layout: &plan.layout,
        step: &plan.step,
        framework: &scenario.workload.on(&plan.nodes.node).framework,
        phases: &plan.phases,
        memory: &plan.memory,
        memory_capacity: plan.memory_capacity,
        assumptions: &plan.assumptions,
    };
    options.report(|look| report::step(&sheet, look))
}

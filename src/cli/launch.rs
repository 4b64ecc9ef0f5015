//! `planner launch`: the chosen layout as what a training stack is started with.

use anyhow::anyhow;
use clap::{Args, ValueEnum};

use super::args::{Options, SpecArgs};
use super::failure::Failure;
use super::{input, output};
use crate::design::step_of_design;
use crate::launch::{LaunchJob, Stack, launch_script};
use crate::step::PipelineStage;

/// Arguments of `planner launch`.
#[derive(Args, Debug)]
pub(super) struct LaunchArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// The training stack
    #[arg(long = "for", value_name = "STACK")]
    stack: StackName,
}

/// Training stacks by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum StackName {
    /// Megatron-LM: a shell script with flags
    Megatron,
    /// Megatron-Bridge: overrides of a recipe
    Bridge,
    /// torchtitan up to 0.2: a TOML file
    Torchtitan,
    /// torchtitan from 0.3: a function in Python that sets its fields
    TorchtitanPython,
    /// DeepSpeed: its JSON file
    Deepspeed,
}

impl StackName {
    const fn to_stack(self) -> Stack {
        match self {
            Self::Megatron => Stack::Megatron,
            Self::Bridge => Stack::Bridge,
            Self::Torchtitan => Stack::Torchtitan,
            Self::TorchtitanPython => Stack::TorchtitanPython,
            Self::Deepspeed => Stack::Deepspeed,
        }
    }
}

/// The file as text; what it does not set goes to standard error too.
pub(super) fn run_launch(args: &LaunchArgs, options: &Options) -> Result<String, Failure> {
    let scenario = input::load_scenario(&args.spec.spec, options)?;
    if scenario.is_several() {
        let error = anyhow!("a launch file is of one job, and the cluster has several");
        return Err(input::single_cluster_error(error, &scenario));
    }
    if let [_, ..] = scenario.others.as_slice() {
        let (name, all) = (&scenario.workload.name, scenario.others.len() + 1);
        let text = format!("the file is for `{name}`, the first of {all} workloads");
        output::print_warning(options, &text);
    }
    let (plan, _, step) = step_of_design(&scenario)?;
    let workload = scenario.workload.for_product(&plan.nodes.node);
    let layers = step.stages.iter().map(PipelineStage::layer_count);
    let mut stages: Vec<u32> = layers.collect();
    // A last stage without an LM head has no layers for further tokens beside it.
    if let Some(last) = stages.last_mut().filter(|_| workload.framework.embedding) {
        *last -= workload.model.mtp_layers;
    }
    let job = LaunchJob {
        name: &scenario.name,
        model: &workload.model,
        training: &workload.training,
        layout: &plan.layout,
        framework: &workload.framework,
        techniques: &workload.techniques.on,
        stages: &stages,
        per_node: plan.nodes.used,
    };
    let script = launch_script(args.stack.to_stack(), &job).map_err(|problems| {
        let all: Vec<String> = problems.iter().map(ToString::to_string).collect();
        let hints: Vec<&str> = problems.iter().map(|unable| unable.hint.as_str()).collect();
        Failure::usage_error(anyhow!("{}", all.join("; ")), hints.join("; "))
    })?;
    for unset in &script.unset {
        output::print_warning(options, &format!("not set: {unset}"));
    }
    Ok(script.text)
}

//! The commands `planner calibrate` and `planner validate`.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;

use super::calibrate_network::{run_calibrate_network, steps_failure};
use crate::cli::args::{Options, no_spec};
use crate::cli::errors::Failure;
use crate::cli::input;
use crate::recording::steps::{self, MeasuredRun};
use crate::recording::{LONGEST_BYTES, RecordingFile as Recorded};
use crate::scenario::Scenario;
use crate::spec::{Override, Problem, SpecText, presets};
use crate::timing::NetworkModel;
use crate::validate::{
    MeasuredStep, NoCalibration, SETS, ValidationBench, calibrate_gpu, fit_calibration_constants,
    predict_collectives, validate_sets,
};
use crate::{design, report};

/// What to do where no layout, or one that does not run, is stated.
const LAYOUT: &str = "a step that was measured had one layout: state it";

/// Arguments of `planner calibrate`.
#[derive(Args, Debug)]
pub(in crate::cli) struct CalibrateArgs {
    /// A table with a column `seconds`, a log of Megatron-LM, torchtitan or MLPerf Training, or the
    /// output of nccl-tests or rccl-tests
    measured: PathBuf,
    /// Model, machine and what else the steps don't say: a file, or a ready spec
    spec: Option<PathBuf>,
    /// More of the same kind; repeats
    #[arg(long, value_name = "FILE")]
    also: Vec<PathBuf>,
}

/// The constants as text.
pub(in crate::cli) fn run_calibrate(
    args: &CalibrateArgs,
    options: &Options,
) -> Result<String, Failure> {
    let spec = args.spec.as_ref().map(|path| input::load_spec(path, options)).transpose()?;
    let mut files = Vec::new();
    for path in [&args.measured].into_iter().chain(&args.also) {
        let (name, bytes) = input::read_input(path, LONGEST_BYTES, options)?;
        files.push(Recorded { name, bytes });
    }
    let is_test = |file: &&Recorded| steps::is_nccl_tests_log(file);
    if let Some(tests) = files.iter().find(is_test) {
        if let Some(other) = files.iter().find(|file| !is_test(file)) {
            let error = anyhow!("`{}` has collectives, and `{}` has none", tests.name, other.name);
            let hint = "calibrate by collectives and by steps one after the other";
            return Err(Failure::usage_error(error, hint));
        }
        return run_calibrate_network(&files, spec.as_ref(), options);
    }
    let base = spec.unwrap_or_else(|| SpecText::new("no spec", ""));
    let has_model = base.has_section("model");
    let mut measured = Vec::new();
    for file in &files {
        for run in steps::read_runs(file).map_err(steps_failure)? {
            measured.push(measured_step(&run, &file.name, &base, has_model, options)?);
        }
    }
    let nodes = presets::preset_nodes();
    let shares_of = measured.first().and_then(|step| {
        let name = step.gpu.calibration.shares_of.as_ref()?;
        nodes.values().map(|node| &node.gpu).find(|gpu| gpu.name == *name)
    });
    let found = calibrate_gpu(&measured, shares_of).map_err(calibration_failure)?;
    options.render_report(|look| report::render_calibration(&found, look))
}

/// A run as the clock wants it: what the spec says, and over it what the run says itself.
fn measured_step(
    run: &MeasuredRun,
    file: &str,
    base: &SpecText,
    has_model: bool,
    options: &Options,
) -> Result<MeasuredStep, Failure> {
    // The model of a log is of one kind of layer: that of a spec says more.
    let own = |key: &str| !(has_model && key.starts_with("model.") && key != "model.sequence");
    let own = run.settings.iter().filter(|(key, _)| own(key));
    let mut all: Vec<Override> =
        own.map(|(key, value)| Override::from_key_value(key, value)).collect();
    all.extend(options.overrides());
    let name = Some(&run.name).filter(|name| **name != run.place);
    let name = name.map(|name| format!(" ({name})")).unwrap_or_default();
    let text = format!("`{file}`, {}{name}", run.place);
    let scenario: Scenario =
        input::load_overridden_scenario(base, &all, options).map_err(|failure| match failure {
            // What the run states: its place says more than the text of an override.
            Failure::Spec(problems) if problems.lie_in_overrides() => {
                let all: Vec<String> = problems.list.iter().map(ToString::to_string).collect();
                let hint = problems.list.first().map(Problem::hint).unwrap_or_default();
                Failure::usage_error(anyhow!("{text}: {}", all.join("; ")), hint)
            }
            other => other,
        })?;
    let left_open = scenario.lead_workload().layout.open_keys();
    if let [_, ..] = left_open[..] {
        let keys = left_open.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        let error = anyhow!("{text}: {keys} left to the planner");
        return Err(Failure::usage_error(error, LAYOUT));
    }
    let (plan, _, step) = design::step_as_data(&scenario).map_err(|reason| {
        let error = anyhow!("{text}: {reason}");
        if scenario.is_several() {
            return input::single_cluster_error(error, &scenario);
        }
        Failure::usage_error(error, LAYOUT)
    })?;
    let workload = scenario.lead_workload().for_product(&plan.nodes.node);
    Ok(MeasuredStep {
        name: run.name.clone(),
        gpu: plan.nodes.node.gpu.clone(),
        stack: workload.framework.clone(),
        step,
        network: NetworkModel::non_blocking(&plan.nodes.node, &plan.nodes.nic),
        time: run.time,
    })
}

fn calibration_failure(reason: NoCalibration) -> Failure {
    match reason {
        NoCalibration::TooFew(runs) => {
            let error = match runs {
                0 => anyhow!("no run at all, and a calibration takes two"),
                _ => anyhow!("all steps are of one run, and a calibration takes two that differ"),
            };
            let hint = "one step says nothing of what made it fast or slow: measure another batch, \
                        layout or number of GPUs too, and name its file with `--also`";
            Failure::usage_error(error, hint)
        }
        NoCalibration::TwoGpus(one, other) => {
            let error = anyhow!("runs on `{one}` and on `{other}`: a calibration is of one GPU");
            Failure::usage_error(error, "give the runs of each GPU in a file of their own")
        }
    }
}

/// Arguments of `planner validate`.
#[derive(Args, Debug)]
pub(in crate::cli) struct ValidateArgs {
    /// Steps of your own: a table with a column `seconds`, or a log of Megatron-LM, torchtitan or
    /// MLPerf Training; or collectives: the output of nccl-tests or rccl-tests
    measured: Option<PathBuf>,
    /// Model, machine and what else the steps don't say: a file, or a ready spec
    #[arg(requires = "measured")]
    spec: Option<PathBuf>,
    /// More of the same kind; repeats
    #[arg(long, value_name = "FILE", requires = "measured")]
    also: Vec<PathBuf>,
    /// Fit the constants anew, on all fitted rows and without each source (minutes)
    #[arg(long, conflicts_with = "measured")]
    refit: bool,
}

/// The errors, or the constants as they fit best or fit steps of one's own, as text.
pub(in crate::cli) fn run_validate(
    args: &ValidateArgs,
    options: &Options,
) -> Result<String, Failure> {
    if let Some(measured) = args.measured.clone() {
        let own = CalibrateArgs { measured, spec: args.spec.clone(), also: args.also.clone() };
        return run_calibrate(&own, options);
    }
    if options.changes_the_spec() {
        return Err(no_spec());
    }
    let (nodes, frameworks) = (presets::preset_nodes(), presets::preset_frameworks());
    let bench = ValidationBench { nodes: &nodes, frameworks: &frameworks };
    let refused = |problem| Failure::usage_error(problem, "");
    if args.refit {
        let fitted = fit_calibration_constants(&bench, &SETS).map_err(refused)?;
        return options.render_report(|look| report::render_refit(&fitted, look));
    }
    let sets = validate_sets(&bench).map_err(refused)?;
    let calls = predict_collectives(&bench).map_err(refused)?;
    options.render_report(|look| report::render_validation(&sets, &calls, look))
}

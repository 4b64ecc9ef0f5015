//! The commands `planner import`, `planner init` and `planner launch`.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::{Args, ValueEnum};

use crate::cli::args::{Options, SpecArgs};
use crate::cli::errors::Failure;
use crate::cli::{input, output};
use crate::design::step_of_design;
use crate::import::{Draft, UserChoices};
use crate::launch::{LaunchJob, Stack, launch_script};
use crate::spec::{self, SpecText, library};
use crate::step::PipelineStage;

/// Arguments of `planner import`.
#[derive(Args, Debug)]
pub(in crate::cli) struct ImportArgs {
    /// A `config.json` of Hugging Face, a script or log of Megatron-LM, overrides of
    /// Megatron-Bridge, a TOML of torchtitan, a JSON of DeepSpeed, or `-`
    file: PathBuf,
    /// Files that a script sources from elsewhere, found by their names
    beside: Vec<PathBuf>,
    /// A name that a script has from its environment
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_name_and_value)]
    env: Vec<(String, String)>,
    /// An argument of the script, in order: `$1`, `$2`, …
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    arg: Vec<String>,
    /// The line of the command that is meant, in a script with several jobs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    line: Option<u64>,
    /// Tokens of the vocabulary, for a tokenizer that is not known by name
    #[arg(long, value_name = "SIZE", value_parser = clap::value_parser!(u64).range(1..))]
    vocab: Option<u64>,
    /// The model, where the file names none: one of `planner presets list`
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Write a model that a spec describes but for some parts, and say what is lost
    #[arg(long)]
    approximate: bool,
    #[command(flatten)]
    wanted: WantedArgs,
}

/// What the file does not say.
#[derive(Args, Debug)]
pub(in crate::cli) struct WantedArgs {
    /// Length of training sequences in tokens
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(1..))]
    sequence: Option<u64>,
    /// Sequences in one step
    #[arg(long, value_name = "SEQUENCES", value_parser = clap::value_parser!(u64).range(1..))]
    global_batch: Option<u64>,
    /// GPUs of the cluster
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    gpus: Option<u64>,
    /// The machine: one of `planner presets list`
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
}

impl WantedArgs {
    /// The choices, of which the name is the file's own.
    fn user_choices(&self, file: &Path) -> UserChoices {
        UserChoices {
            name: input::name_from_path(file),
            sequence: self.sequence,
            global_batch: self.global_batch,
            gpus: self.gpus,
            node: self.node.clone(),
            ..UserChoices::default()
        }
    }

    /// Whether anything is said.
    fn is_stated(&self) -> bool {
        let counts = [self.sequence, self.global_batch, self.gpus];
        counts.iter().any(Option::is_some) || self.node.is_some()
    }
}

/// The spec as text; what is assumed or lost goes to standard error too.
pub(in crate::cli) fn run_import(args: &ImportArgs, options: &Options) -> Result<String, Failure> {
    let wanted = UserChoices {
        preset: args.preset.clone(),
        layers: args.preset.as_deref().map(model_layers).transpose()?,
        vocab: args.vocab,
        environment: args.env.iter().cloned().collect(),
        arguments: args.arg.clone(),
        line: args.line,
        approximate: args.approximate,
        ..args.wanted.user_choices(&args.file)
    };
    import_draft(&args.file, &args.beside, &wanted, options)
}

/// A name with its value.
fn parse_name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match plain && !name.is_empty() {
        true => Ok((name.to_owned(), value.to_owned())),
        false => Err("the name has letters, digits and `_`".to_owned()),
    }
}

/// The spec that a file makes.
fn import_draft(
    file: &Path,
    beside: &[PathBuf],
    wanted: &UserChoices,
    options: &Options,
) -> Result<String, Failure> {
    let source = input::source(file, options)?;
    let draft = input::draft_from_source(file, &source, beside, wanted)?;
    report_draft(&draft, options);
    Ok(draft.spec_text())
}

/// Layers of a model that ships.
fn model_layers(preset: &str) -> Result<u64, Failure> {
    let Some(text) = spec::starter_spec(preset) else {
        let error = anyhow!("there is no model `{preset}`");
        return Err(Failure::usage_error(error, "see `planner presets list`"));
    };
    let scenario = spec::read_scenario(&SpecText::new(preset, text), &[])?;
    Ok(scenario.lead_workload().model.layers.into())
}

/// Says what is assumed and what is lost.
fn report_draft(draft: &Draft, options: &Options) {
    for lost in &draft.lost {
        output::print_warning(options, &format!("not in the spec: {lost}"));
    }
    for assumed in &draft.assumed {
        output::print_warning(options, &format!("assumed: {assumed}"));
    }
}

/// Arguments of `planner init`.
#[derive(Args, Debug)]
pub(in crate::cli) struct InitArgs {
    /// A model or a ready spec of `planner presets list`
    #[arg(long, value_name = "NAME", default_value = "llama3-70b")]
    preset: String,
    /// A `config.json` of Hugging Face instead
    #[arg(long, value_name = "FILE", conflicts_with = "preset")]
    model: Option<PathBuf>,
    #[command(flatten)]
    wanted: WantedArgs,
    /// File to write; `-` for standard output
    #[arg(default_value = "model.toml")]
    path: PathBuf,
    /// Replace a file that exists
    #[arg(long)]
    force: bool,
}

/// Writes the spec; the text is a result only where it goes to standard output.
pub(in crate::cli) fn run_init(
    args: &InitArgs,
    options: &Options,
) -> Result<Option<String>, Failure> {
    let text = match &args.model {
        Some(model) => import_draft(model, &[], &args.wanted.user_choices(model), options)?,
        None => preset_spec(args)?,
    };
    let path = options.output.as_ref().unwrap_or(&args.path);
    if path.as_os_str() == "-" {
        return Ok(Some(text));
    }
    if path.exists() && !args.force {
        let error = anyhow::anyhow!("`{}` exists already", path.display());
        return Err(Failure::usage_error(error, "name another file, or replace it with `--force`"));
    }
    output::write_file(path, &text)?;
    output::print_note(options, &format!("wrote {}", path.display()));
    Ok(None)
}

/// The spec of a model that ships, or a ready one.
fn preset_spec(args: &InitArgs) -> Result<String, Failure> {
    if args.wanted.is_stated() {
        let error = anyhow::anyhow!("without `--model` a spec is written as it ships");
        return Err(Failure::usage_error(error, "change the keys in the file"));
    }
    let ready = || library::ready_spec(&args.preset).map(|source| source.text);
    spec::starter_spec(&args.preset).or_else(ready).ok_or_else(|| {
        let error = anyhow::anyhow!("there is no model and no ready spec `{}`", args.preset);
        Failure::usage_error(error, "see `planner presets list`")
    })
}

/// Arguments of `planner launch`.
#[derive(Args, Debug)]
pub(in crate::cli) struct LaunchArgs {
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
pub(in crate::cli) fn run_launch(args: &LaunchArgs, options: &Options) -> Result<String, Failure> {
    let scenario = input::load_scenario(&args.spec.spec, options)?;
    if scenario.is_several() {
        let error = anyhow!("a launch file is of one job, and the cluster has several");
        return Err(input::single_cluster_error(error, &scenario));
    }
    if scenario.workloads.len() > 1 {
        let (name, all) = (&scenario.lead_workload().name, scenario.workloads.len());
        let text = format!("the file is for `{name}`, the first of {all} workloads");
        output::print_warning(options, &text);
    }
    let stack = args.stack.to_stack();
    let (plan, step, rails_apart) = step_of_design(&scenario, stack == Stack::Megatron)?;
    let workload = scenario.lead_workload().for_product(&plan.nodes.node);
    let layers = step.stages.iter().map(PipelineStage::layer_count);
    let mut stages: Vec<u32> = layers.collect();
    // A last stage without an LM head has no layers for further tokens beside it.
    if let Some(last) = stages.last_mut().filter(|_| workload.framework.embedding) {
        *last -= workload.model.mtp_layers;
    }
    // A rack is many hosts: its trays.
    let used = plan.nodes.used;
    let host = plan.nodes.node.tray.filter(|tray| used.is_multiple_of(*tray)).unwrap_or(used);
    let job = LaunchJob {
        name: &scenario.name,
        model: &workload.model,
        training: &workload.training,
        layout: &plan.layout,
        framework: &workload.framework,
        techniques: &workload.techniques.on,
        stages: &stages,
        per_node: host,
        rails_apart,
    };
    let script = launch_script(stack, &job).map_err(|problems| {
        let all: Vec<String> = problems.iter().map(ToString::to_string).collect();
        let hints: Vec<&str> = problems.iter().map(|unable| unable.hint.as_str()).collect();
        Failure::usage_error(anyhow!("{}", all.join("; ")), hints.join("; "))
    })?;
    for assumption in scenario.assumptions.iter().filter(|said| said.topic == "model") {
        output::print_warning(options, &format!("model: {}", assumption.text));
    }
    for unset in &script.unset {
        output::print_warning(options, &format!("not set: {unset}"));
    }
    Ok(script.text)
}

//! `planner import`: a file of another tool as a spec.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use super::args::Options;
use super::failure::Failure;
use super::{foreign, input, output};
use crate::import::{Draft, UserChoices};
use crate::spec::{self, SpecText};

/// Arguments of `planner import`.
#[derive(Args, Debug)]
pub(super) struct ImportArgs {
    /// The file: a `config.json` of Hugging Face transformers, arguments of Megatron-LM (a script, or
    /// the start of a log), overrides of Megatron-Bridge, a TOML of torchtitan, a JSON of DeepSpeed; `-`
    /// for standard input
    file: PathBuf,
    /// The model, where the file names none, as in `planner presets list`
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    #[command(flatten)]
    wanted: WantedArgs,
}

/// What the file does not say.
#[derive(Args, Debug)]
pub(super) struct WantedArgs {
    /// Length of training sequences in tokens
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(1..))]
    sequence: Option<u64>,
    /// Sequences in one step
    #[arg(long, value_name = "SEQUENCES", value_parser = clap::value_parser!(u64).range(1..))]
    global_batch: Option<u64>,
    /// GPUs of the cluster
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    gpus: Option<u64>,
    /// The machine, as in `planner presets list`
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
}

impl WantedArgs {
    /// Whether anything is said.
    pub(super) fn is_stated(&self) -> bool {
        let counts = [self.sequence, self.global_batch, self.gpus];
        counts.iter().any(Option::is_some) || self.node.is_some()
    }
}

/// The spec as text; what is assumed or lost goes to standard error too.
pub(super) fn run_import(args: &ImportArgs, options: &Options) -> Result<String, Failure> {
    import_draft(&args.file, args.preset.as_deref(), &args.wanted, options)
}

/// The spec that a file makes.
pub(super) fn import_draft(
    file: &Path,
    preset: Option<&str>,
    wanted: &WantedArgs,
    options: &Options,
) -> Result<String, Failure> {
    let source = input::source(file, options)?;
    let wanted = UserChoices {
        name: foreign::name_from_path(file),
        preset: preset.map(str::to_owned),
        layers: preset.map(model_layers).transpose()?,
        sequence: wanted.sequence,
        global_batch: wanted.global_batch,
        gpus: wanted.gpus,
        node: wanted.node.clone(),
    };
    let draft = foreign::draft_from_source(&source, &wanted)?;
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
    Ok(scenario.workload.model.layers.into())
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

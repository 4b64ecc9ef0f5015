//! `planner init`: a first spec.

use std::path::PathBuf;

use clap::Args;

use super::args::Options;
use super::failure::Failure;
use super::import::{self, WantedArgs};
use super::output;
use crate::spec::{self, library};

/// Arguments of `planner init`.
#[derive(Args, Debug)]
pub(super) struct InitArgs {
    /// Model to train, or a ready spec to start from (see `planner presets list`)
    #[arg(long, value_name = "NAME", default_value = "llama3-70b")]
    preset: String,
    /// A `config.json` of Hugging Face transformers: the spec is of its model
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
pub(super) fn run_init(args: &InitArgs, options: &Options) -> Result<Option<String>, Failure> {
    let text = match &args.model {
        Some(model) => import::import_draft(model, None, &args.wanted, options)?,
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

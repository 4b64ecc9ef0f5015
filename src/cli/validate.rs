//! `planner validate`: predicted against published.

use clap::Args;

use super::args::Options;
use super::failure::Failure;
use crate::report;
use crate::spec::presets;
use crate::validate::{SETS, ValidationBench, refit, validate};

/// Arguments of `planner validate`.
#[derive(Args, Debug)]
pub(super) struct ValidateArgs {
    /// Fit the constants anew, on all fitted rows and without each source (minutes)
    #[arg(long)]
    refit: bool,
}

/// The errors, or the constants as they fit best, as text.
pub(super) fn run_validate(args: &ValidateArgs, options: &Options) -> Result<String, Failure> {
    let (nodes, frameworks) = (presets::nodes(), presets::frameworks());
    let bench = ValidationBench { nodes: &nodes, frameworks: &frameworks };
    let refused = |problem| Failure::usage_error(problem, "");
    if args.refit {
        let fitted = refit(&bench, &SETS).map_err(refused)?;
        return options.report(|look| report::refit(&fitted, look));
    }
    let sets = validate(&bench).map_err(refused)?;
    options.report(|look| report::validation(&sets, look))
}

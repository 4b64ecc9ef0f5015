//! `planner validate`: predicted against published.

use clap::Args;

use super::args::Options;
use super::failure::Failure;
use crate::report;
use crate::spec::presets;
use crate::validate::{SETS, ValidationBench, fit_calibration_constants, validate_sets};

/// Arguments of `planner validate`.
#[derive(Args, Debug)]
pub(super) struct ValidateArgs {
    /// Fit the constants anew, on all fitted rows and without each source (minutes)
    #[arg(long)]
    refit: bool,
}

/// The errors, or the constants as they fit best, as text.
pub(super) fn run_validate(args: &ValidateArgs, options: &Options) -> Result<String, Failure> {
    let (nodes, frameworks) = (presets::preset_nodes(), presets::preset_frameworks());
    let bench = ValidationBench { nodes: &nodes, frameworks: &frameworks };
    let refused = |problem| Failure::usage_error(problem, "");
    if args.refit {
        let fitted = fit_calibration_constants(&bench, &SETS).map_err(refused)?;
        return options.render_report(|look| report::render_refit(&fitted, look));
    }
    let sets = validate_sets(&bench).map_err(refused)?;
    options.render_report(|look| report::render_validation(&sets, look))
}

//! `planner compare`: the design beside baselines.

use clap::Args;

use super::args::{Options, SpecArgs};
use super::failure::Failure;
use super::input;
use crate::compare::{self, Baseline};
use crate::report;

/// What a design is held against where nothing is named: the textbook, and what people build.
pub(super) const USUAL: [&str; 2] = ["clos", "rail-optimized@7:1"];

/// Arguments of `planner compare`.
#[derive(Args, Debug)]
pub(super) struct CompareArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// What to compare with; repeats. `clos` gives two: the design's switch in one plane, and the
    /// best model with planes free. Others: multi-plane, rail-only, rail-optimized@7:1,
    /// dragonfly, slim-fly, hyperx, zcube, torus, hamming-mesh
    #[arg(long, value_name = "NAME", default_values = USUAL)]
    baseline: Vec<Baseline>,
}

/// The comparison as text.
pub(super) fn run(args: &CompareArgs, options: &Options) -> Result<String, Failure> {
    let scenario = input::scenario(&args.spec.spec, options)?;
    let comparison = compare::compare_with(&scenario, &args.baseline, &options.solver())?;
    Ok(report::compare(&comparison, options.look()))
}

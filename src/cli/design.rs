//! `planner design`: the main job.

use super::args::{Options, SpecArgs};
use super::failure::Failure;
use super::input;
use crate::{design, report};

/// The design of a spec as text.
pub(super) fn run(args: &SpecArgs, options: &Options) -> Result<String, Failure> {
    let scenario = input::scenario(&args.spec, options)?;
    let plan = design::design_with(&scenario, &options.solver())?;
    Ok(report::design(&plan, options.look()))
}

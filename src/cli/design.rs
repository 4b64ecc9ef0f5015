//! `planner design`: the main job.

use super::args::{Options, SpecArgs};
use super::failure::Failure;
use super::{compare, input, presets};
use crate::compare::{Baseline, compare_with};
use crate::design::{Infeasible, design_with, traffic_matrix};
use crate::report::{self, Format, PageSheet};
use crate::scenario::Scenario;

/// The design of a spec as text.
pub(super) fn run(args: &SpecArgs, options: &Options) -> Result<String, Failure> {
    let scenario = input::scenario(&args.spec, options)?;
    if options.look().format == Format::Html {
        return page(&scenario, options);
    }
    let plan = design_with(&scenario, &options.solver())?;
    Ok(report::design(&plan, options.look()))
}

/// The design with all that a board asks for next.
fn page(scenario: &Scenario, options: &Options) -> Result<String, Failure> {
    let usual: Vec<Baseline> = compare::USUAL.iter().filter_map(|of| of.parse().ok()).collect();
    let comparison = compare_with(scenario, &usual, &options.solver())?;
    let plan = &comparison.design;
    let matrix = traffic_matrix(scenario, plan).map_err(Infeasible::Layout)?;
    let sheet = PageSheet {
        plan,
        comparison: Some(&comparison),
        matrix: Some(&matrix),
        presets: &presets::known(),
    };
    Ok(report::page(&sheet, options.look()))
}

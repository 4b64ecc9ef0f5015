//! Runs the design and its baselines through clock and bill.

use super::baseline::Baseline;
use super::comparison::Comparison;
use super::field::BaselineField;
use super::several;
use crate::design::{self, Infeasible, Plan};
use crate::scenario::Scenario;
use crate::sizing::Options;

/// Designs for a scenario and compares the design with `baselines`.
///
/// # Errors
/// Why there is no design.
pub fn compare_baselines(
    scenario: &Scenario,
    baselines: &[Baseline],
) -> Result<Comparison, Infeasible> {
    compare_with(scenario, baselines, &Options::default())
}

/// [`compare_baselines`] with other options of the solver.
///
/// # Errors
/// As [`compare_baselines`].
pub fn compare_with(
    scenario: &Scenario,
    baselines: &[Baseline],
    options: &Options,
) -> Result<Comparison, Infeasible> {
    let design = design::design_with_house_rule(scenario, options)?;
    if design.is_interrupted() {
        return Ok(Comparison::design_only(design));
    }
    match compare_design(scenario, &design, baselines, options) {
        // What was held against it until then is not all of it.
        _ if options.watch.is_stopped() => {
            Ok(Comparison::design_only(design.mark_interrupted(None)))
        }
        found => found,
    }
}

/// The design beside baselines.
fn compare_design(
    scenario: &Scenario,
    design: &Plan,
    baselines: &[Baseline],
    options: &Options,
) -> Result<Comparison, Infeasible> {
    if scenario.is_several() {
        return several::compare_clusters(scenario, design, baselines, options);
    }
    let scenario = design::question_of_plan(scenario, design);
    let field = BaselineField::new(&scenario, design, options);
    let mut contenders = Vec::new();
    let mut missing = Vec::new();
    for baseline in baselines {
        let built = contenders.len();
        for variant in baseline.variants() {
            contenders.extend(field.best_contender(*baseline, *variant)?);
        }
        if contenders.len() == built {
            missing.push(*baseline);
        }
    }
    let attribution = field.attribution()?;
    let design = design.clone();
    Ok(Comparison { contenders, missing, attribution, design, each: Vec::new() })
}

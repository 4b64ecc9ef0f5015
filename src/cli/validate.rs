//! `planner validate`: predicted against published.

use super::args::Options;
use super::failure::Failure;
use crate::report;
use crate::spec::presets;
use crate::validate::{Bench, validate};

/// The errors as text.
pub(super) fn run(options: &Options) -> Result<String, Failure> {
    let (nodes, frameworks) = (presets::nodes(), presets::frameworks());
    let sets = validate(&Bench { nodes: &nodes, frameworks: &frameworks })
        .map_err(|problem| Failure::refused(problem, ""))?;
    options.report(|look| report::validation(&sets, look))
}

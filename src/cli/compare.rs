//! `planner compare`: the design beside baselines.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use super::args::{Options, SpecArgs};
use super::failure::Failure;
use super::watch::DesignWatch;
use super::{check, fewer, input, output};
use crate::compare::{self, Baseline, Refused};
use crate::report;
use crate::sizing;
use crate::workload::Technique;

/// What a design is held against where nothing is named: the textbook, and what people build.
pub(super) const USUAL: [&str; 2] = ["clos", "rail-optimized@7:1"];

/// Arguments of `planner compare`.
#[derive(Args, Debug)]
pub(super) struct CompareArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// More specs, or the JSON of designs: all of them side by side, without baselines; `--set`
    /// changes each spec
    #[arg(value_name = "MORE", conflicts_with_all = ["baseline", "with"])]
    more: Vec<PathBuf>,
    /// What to compare with; repeats. `clos` gives two: the design's switch in one plane, and the
    /// best model with planes free. Others: clos@7:1, multi-plane, rail-only, rail-optimized@7:1,
    /// tapered-clos, dragonfly, slim-fly, hyperx, zcube, torus, hamming-mesh
    #[arg(long, value_name = "NAME", default_values = USUAL)]
    baseline: Vec<Baseline>,
    /// Compare the spec with a training technique on and off, the network sized again for each;
    /// repeats. demo, offload, swap, message-driven, sil, multilevel, fused-tensor, narrow-pipeline
    #[arg(long, value_name = "TECHNIQUE", value_parser = parse_technique, conflicts_with = "baseline")]
    with: Vec<Technique>,
}

/// The technique of a name.
fn parse_technique(name: &str) -> Result<Technique, String> {
    Technique::parse(name).ok_or_else(|| {
        format!("no technique is called `{name}`: use {}", report::technique_names().join(", "))
    })
}

/// The comparison as text.
pub(super) fn run_compare(
    args: &CompareArgs,
    options: &Options,
) -> Result<Option<String>, Failure> {
    if !args.more.is_empty() {
        let more = args.more.iter().map(PathBuf::as_path);
        let files: Vec<&Path> = [args.spec.spec.as_path()].into_iter().chain(more).collect();
        return check::side_by_side(&files, options).map(Some);
    }
    if !args.with.is_empty() {
        let scenario = input::load_scenario(&args.spec.spec, options)?;
        let found = compare::study_techniques(&scenario, &args.with, &options.solver_options())
            .map_err(refuse_compare)?;
        let text = options
            .render_report(|look| report::render_techniques(&scenario.name, &found, look))?;
        output::write_result(&text, options)?;
        // The table says of each case why; a script sees it by the status.
        return match found.whole.iter().find_map(|case| case.plan.as_ref().err()) {
            Some(reason) if found.whole.iter().all(|case| case.plan.is_err()) => {
                Err(Failure::Infeasible(reason.clone()))
            }
            _ => Ok(None),
        };
    }
    let scenario = input::load_scenario(&args.spec.spec, options)?;
    let watching = DesignWatch::with_progress_line(options);
    let solver = sizing::Options { watch: watching.handle(), ..options.solver_options() };
    let comparison = compare::compare_with(&scenario, &args.baseline, &solver);
    watching.end_watch(options);
    let comparison = comparison.map_err(|reason| {
        fewer::infeasible_with_size_hint(reason, &scenario, &args.spec.spec, options)
    })?;
    options.render_report(|look| report::render_comparison(&comparison, look)).map(Some)
}

/// A technique that the stated layout rules out.
fn refuse_compare(problems: Refused) -> Failure {
    let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
    Failure::usage_error(anyhow!("{}", texts.join("; ")), "")
}

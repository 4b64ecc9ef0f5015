//! The command `planner compare`.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use super::check_side::CheckSide;
use crate::cli::args::{Options, SpecArgs};
use crate::cli::errors::Failure;
use crate::cli::progress::watched_options;
use crate::cli::{input, output};
use crate::compare::{self, Baseline, Refused};
use crate::gate::Snapshot;
use crate::report::{self, SideBySide};
use crate::workload::Technique;

/// What a design is held against where nothing is named.
pub(super) const USUAL: [&str; 1] = ["clos"];

/// Arguments of `planner compare`.
#[derive(Args, Debug)]
pub(in crate::cli) struct CompareArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// More specs, or JSON of designs: all side by side, without baselines
    #[arg(value_name = "MORE", conflicts_with_all = ["baseline", "with"])]
    more: Vec<PathBuf>,
    /// clos, clos@7:1, rail-only, rail-optimized@7:1, tapered-clos, multi-plane, dragonfly,
    /// slim-fly, hyperx, zcube, torus, hamming-mesh; repeats
    #[arg(long, value_name = "NAME", default_values = USUAL)]
    baseline: Vec<Baseline>,
    /// A training technique on and off, the network sized for each: demo, offload, swap,
    /// message-driven, sil, multilevel, fused-tensor, narrow-pipeline; repeats
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
pub(in crate::cli) fn run_compare(
    args: &CompareArgs,
    options: &Options,
) -> Result<Option<String>, Failure> {
    if !args.more.is_empty() {
        let more = args.more.iter().map(PathBuf::as_path);
        let files: Vec<&Path> = [args.spec.spec.as_path()].into_iter().chain(more).collect();
        return side_by_side(&files, options).map(Some);
    }
    if !args.with.is_empty() {
        let scenario = input::load_scenario(&args.spec.spec, options)?;
        let found = compare::study_techniques(&scenario, &args.with, &watched_options(options))
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
    let comparison = compare::compare_with(&scenario, &args.baseline, &watched_options(options))
        .map_err(|reason| {
            input::infeasible_with_size_hint(reason, &scenario, &args.spec.spec, options)
        })?;
    options.render_report(|look| report::render_comparison(&comparison, look)).map(Some)
}

/// A technique that the stated layout rules out.
fn refuse_compare(problems: Refused) -> Failure {
    let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
    Failure::usage_error(anyhow!("{}", texts.join("; ")), "")
}

/// What several files have beside one another: specs are designed, results are read.
fn side_by_side(files: &[&Path], options: &Options) -> Result<String, Failure> {
    let sides: Vec<CheckSide> =
        files.iter().map(|file| CheckSide::load_side(file, options)).collect::<Result<_, _>>()?;
    let found: Vec<Snapshot> = sides
        .iter()
        .map(|side| side.to_snapshot(options, true).map(|(found, _)| found))
        .collect::<Result<_, _>>()?;
    let named = sides.iter().map(|side| side.name.as_str()).zip(&found);
    let sheet = SideBySide { all: named.collect() };
    options.render_report(|look| report::side_by_side(&sheet, look))
}

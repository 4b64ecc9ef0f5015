//! `planner traffic`: the traffic matrix of one step, in a few numbers, in part, or as a file.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use anyhow::anyhow;
use clap::{Args, ValueEnum};

use super::call_export;
use crate::cli::args::{ExportFormat, Options, SpecArgs, no_sections};
use crate::cli::errors::Failure;
use crate::cli::{input, output};
use crate::design::{self, Infeasible, StepPlan};
use crate::parallel::Rank;
use crate::report::{self, ClusterSheets, Format, TrafficSheet, matrix};
use crate::scenario::{Assumption, ClusterQuestion, Scenario};
use crate::technique;
use crate::traffic::{
    BlockAxis, Distribution, TrafficMatrix, Uncounted, a_step, uncounted_traffic,
};
use crate::units::Bytes;

/// Columns of a heat map in text.
const MAP_COLUMNS: u32 = 96;

/// Most blocks a side that are exported.
const MOST_BLOCKS: u32 = 1024;

/// Arguments of `planner traffic`.
#[derive(Args, Debug)]
pub(in crate::cli) struct TrafficArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// What two GPUs send to each other
    #[arg(long, num_args = 2, value_names = ["I", "J"], conflicts_with_all = ["gpu", "by"])]
    pair: Option<Vec<u32>>,
    /// All that one GPU sends
    #[arg(long, value_name = "I", conflicts_with = "by")]
    gpu: Option<u32>,
    /// The matrix: every pair of GPUs, or sums
    #[arg(long, value_name = "WHAT")]
    by: Option<ByName>,
    /// What a real job sent: ledger, PyTorch profiler, Chakra, NCCL log
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["pair", "gpu", "by"])]
    against: Vec<PathBuf>,
    /// Steps in the recording [default: what it says, or 1]
    #[arg(long, value_name = "N", requires = "against", value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    /// Status 1 where a kind or pair differs by more
    #[arg(long, value_name = "PERCENT", requires = "against", value_parser = parse_percent)]
    within: Option<f64>,
    /// The call for htsim, by its id in the ledger
    #[arg(long, value_name = "ID", conflicts_with_all = ["pair", "gpu", "by", "against"])]
    call: Option<String>,
}

/// A share in percent.
fn parse_percent(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').trim().parse::<f64>().ok();
    let sound = number.filter(|value| value.is_finite() && *value >= 0.0);
    sound.ok_or_else(|| "a number of percent such as `0.5`".to_owned())
}

/// What sums are by.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ByName {
    /// Each GPU for itself
    Gpu,
    /// HB domains
    Domain,
    /// Rails
    Rail,
    /// Pipeline stages
    Stage,
}

impl ByName {
    const fn to_axis(self) -> BlockAxis {
        match self {
            Self::Gpu => BlockAxis::Gpu,
            Self::Domain => BlockAxis::Domain,
            Self::Rail => BlockAxis::Rail,
            Self::Stage => BlockAxis::Stage,
        }
    }
}

/// The traffic as text; nothing where it went to a file or a pipe as bytes.
pub(in crate::cli) fn run_traffic(
    args: &TrafficArgs,
    options: &Options,
) -> Result<Option<String>, Failure> {
    let scenario = input::load_scenario(&args.spec.spec, options)?;
    let clusters = design::list_clusters(&scenario);
    let of_one = options.export_format().is_some()
        || options.call_format().is_some()
        || !args.against.is_empty()
        || args.call.is_some()
        || args.pair.is_some()
        || args.gpu.is_some()
        || args.by.is_some();
    if let [only] = clusters.as_slice()
        && of_one
    {
        return matrix_of(&only.scenario, args, options);
    }
    if of_one {
        let error = anyhow!("each part or stage has a matrix of its own, and this shows one");
        return Err(input::single_cluster_error(error, &scenario));
    }
    let step = |question: &ClusterQuestion| {
        let step = design::step_and_traffic(&question.scenario)
            .map_err(|reason| reason.for_cluster(&question.name))?;
        let distribution = step.1.volume_distribution();
        let mut notes = technique::technique_assumptions(question.scenario.lead_workload());
        let of_collectives = |assumption: &&Assumption| assumption.topic.starts_with("collectives");
        notes.extend(step.0.assumptions.iter().filter(of_collectives).cloned());
        let workload = question.scenario.lead_workload();
        let (model, training) = (&workload.model, &workload.training);
        let left_out = uncounted_traffic(
            model,
            training,
            &workload.framework,
            &step.0.layout,
            &step.0.traffic,
        );
        let between = question.scenario.failures.checkpoint_interval();
        let each = |left_out_part: Uncounted| {
            (left_out_part, a_step(&left_out_part, step.0.step.time.total_time(), between))
        };
        let uncounted = left_out.into_iter().map(each).collect();
        Ok(Traffic { step, distribution, notes, uncounted })
    };
    let found: Vec<Traffic> = clusters.iter().map(step).collect::<Result<_, Infeasible>>()?;
    let each = clusters
        .iter()
        .zip(&found)
        .map(|(question, found)| (&question.name, found.traffic_sheet(question)));
    let sheets = ClusterSheets { name: &scenario.name, each: each.collect() };
    options.render_report(|look| report::render_traffic(&sheets, look)).map(Some)
}

/// The traffic of a cluster and what its report says of it.
struct Traffic {
    step: (StepPlan, TrafficMatrix),
    distribution: Distribution,
    notes: Vec<Assumption>,
    uncounted: Vec<(Uncounted, Option<Bytes>)>,
}

impl Traffic {
    fn traffic_sheet<'a>(&'a self, question: &'a ClusterQuestion) -> TrafficSheet<'a> {
        let (plan, traffic) = &self.step;
        TrafficSheet {
            name: &question.scenario.name,
            step: plan,
            distribution: &self.distribution,
            matrix: Some(traffic),
            notes: &self.notes,
            uncounted: &self.uncounted,
        }
    }
}

/// The matrix of one cluster, or a part of it.
fn matrix_of(
    scenario: &Scenario,
    args: &TrafficArgs,
    options: &Options,
) -> Result<Option<String>, Failure> {
    if let Some(calls) = options.call_format() {
        if args.pair.is_some() || args.by.is_some() || !args.against.is_empty() {
            let error = anyhow!("this format lists calls, and neither pairs nor sums");
            return Err(Failure::usage_error(error, "leave out `--pair`, `--by` and `--against`"));
        }
        call_export::write(scenario, calls, args.gpu, args.call.as_deref(), options)?;
        return Ok(None);
    }
    if args.call.is_some() {
        return Err(call_export::no_call());
    }
    if !args.against.is_empty() {
        if options.export_format().is_some() {
            let error = anyhow!("a difference is no picture and no array");
            return Err(Failure::usage_error(error, "use table, json, csv, markdown or html"));
        }
        let (files, steps, within) = (args.against.as_slice(), args.steps, args.within);
        call_export::compare_recording(
            scenario,
            &call_export::RecordingArgs { files, steps, within },
            options,
        )?;
        return Ok(None);
    }
    let (plan, traffic) = design::step_and_traffic(scenario)?;
    let name = scenario.name.as_str();
    if let Some(export) = options.export_format() {
        export_bytes(export, &plan, name, &traffic, args, options)?;
        return Ok(None);
    }
    if let [from, to] = args.pair.as_deref().unwrap_or_default() {
        let (from, to) = (check_rank(*from, &traffic)?, check_rank(*to, &traffic)?);
        return options
            .render_report(|look| matrix::render_gpu_pair(name, &traffic, from, to, look))
            .map(Some);
    }
    if let Some(from) = args.gpu {
        let from = check_rank(from, &traffic)?;
        return options
            .render_report(|look| matrix::render_gpu_row(name, &traffic, from, look))
            .map(Some);
    }
    let by = args.by.unwrap_or(ByName::Gpu);
    if !options.section.is_empty() {
        return Err(no_sections());
    }
    let look = options.render_options();
    if look.format == Format::Html {
        let error = anyhow!("`--by` has no page: the one of `planner traffic` shows the map");
        return Err(Failure::usage_error(error, "leave out `--by`, or `--format html`"));
    }
    let blocks = || traffic.sum_by_blocks(by.to_axis(), MOST_BLOCKS);
    match (look.format, by) {
        (Format::Csv, ByName::Gpu) => {
            output::write_stream(options, |mut out| {
                Ok(matrix::write_matrix_csv(&traffic, &mut out)?)
            })?;
        }
        (Format::Csv, _) => {
            output::write_stream(options, |mut out| Ok(matrix::csv_blocks(&blocks(), &mut out)?))?;
        }
        (Format::Json, _) => {
            let write = |mut out: &mut dyn Write| {
                Ok(matrix::blocks_json(&blocks(), by.to_axis(), &mut out)?)
            };
            output::write_stream(options, write)?;
        }
        (Format::Markdown | Format::Table | Format::Narrow(_) | Format::Html, _) => {
            let columns =
                options.table_columns().map_or(MAP_COLUMNS, |count| MAP_COLUMNS.min(count.into()));
            return Ok(Some(matrix::heat_map(&traffic, by.to_axis(), columns, look.colour)));
        }
    }
    Ok(None)
}

/// Formats that are no text.
fn export_bytes(
    export: ExportFormat,
    plan: &StepPlan,
    name: &str,
    traffic: &TrafficMatrix,
    args: &TrafficArgs,
    options: &Options,
) -> Result<(), Failure> {
    if args.pair.is_some() || args.gpu.is_some() {
        return Err(format_failure());
    }
    if export != ExportFormat::Svg && options.output.is_none() && std::io::stdout().is_terminal() {
        let error = anyhow!("the result is no text, and standard output is a terminal");
        return Err(Failure::usage_error(error, "write it to a file with `-o FILE`"));
    }
    let shown = |by: Option<ByName>| by.map_or(BlockAxis::Gpu, ByName::to_axis);
    let title = report::traffic_title(name, &plan.nodes, &plan.layout);
    let write = |out: &mut dyn Write| -> anyhow::Result<()> {
        let mut out = out;
        match (export, args.by) {
            (ExportFormat::Npy, None | Some(ByName::Gpu)) => {
                matrix::write_matrix_npy(traffic, &mut out)?
            }
            (ExportFormat::Npy, Some(by)) => {
                matrix::npy_blocks(&traffic.sum_by_blocks(by.to_axis(), MOST_BLOCKS), &mut out)?;
            }
            (ExportFormat::Svg, by) => matrix::svg_blocks(&title, traffic, shown(by), &mut out)?,
            (ExportFormat::Png, by) => matrix::png_blocks(&title, traffic, shown(by), &mut out)?,
        }
        Ok(())
    };
    output::write_stream(options, write)
}

fn format_failure() -> Failure {
    let error = anyhow!("`--pair` and `--gpu` are written as table, json, csv or markdown");
    Failure::usage_error(error, "leave out `--format`, or the pair")
}

fn check_rank(rank: u32, traffic: &TrafficMatrix) -> Result<Rank, Failure> {
    if rank < traffic.rank_count() {
        return Ok(Rank(rank));
    }
    Err(call_export::no_such_gpu(rank, traffic))
}

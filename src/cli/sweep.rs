//! `planner sweep`: a grid over keys of the spec, on all cores, in shards if need be. Each point is
//! designed by itself, so neither the number of threads nor their pace can change a byte.

use std::io::IsTerminal as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use clap::Args;

use super::args::{Options, SpecArgs};
use super::check::designed;
use super::failure::Failure;
use super::progress::Progress;
use super::{input, output};
use crate::design::Fingerprint;
use crate::gate::{Snapshot, meant};
use crate::report;
use crate::results;
use crate::spec::{self, Book, Override, ProblemKind, Problems, Source};
use crate::sweep::{Axis, Column, Grid, GridError, Outcome, Row, Shard, Sweep, merge};

/// What is shown of a point unless `--show` says otherwise.
const SHOWN: [&str; 6] = [
    "fabric.kind",
    "cost.network_capex_usd",
    "cost.capex_usd",
    "cost.power_w",
    "step.time_s",
    "step.mfu",
];

/// Objectives of the front unless `--pareto` says otherwise.
const OBJECTIVES: &str = "cost.capex_usd,step.time_s";

/// Arguments of `planner sweep`.
#[derive(Args, Debug)]
pub(super) struct SweepArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// A key of the spec and its values, as in `--vary cluster.gpus=1024,2048`; repeats, and all
    /// combinations are done
    #[arg(long, value_name = "KEY=A,B,C", required_unless_present = "merge", value_parser = axis)]
    vary: Vec<Axis>,
    /// Figures to show: keys of a design's JSON, or their ends [default: cost, power, time]
    #[arg(long, value_name = "KEY,…", value_delimiter = ',')]
    show: Vec<String>,
    /// The two figures of the Pareto front
    #[arg(long, value_name = "A,B", value_parser = pair, default_value = OBJECTIVES)]
    pareto: Pair,
    /// Do only part I of N, counted from 1, for job arrays; write it with `--format json -o FILE`
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    shard: Option<Shard>,
    /// Put the JSON of all shards together instead
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["vary", "show", "pareto", "shard"])]
    merge: Vec<PathBuf>,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// Two names.
type Pair = [String; 2];

fn pair(text: &str) -> Result<Pair, String> {
    match text.split_once(',') {
        Some((first, second)) if !second.contains(',') => Ok([first, second].map(str::to_owned)),
        _ => Err("two figures are needed, such as capex,step.time".to_owned()),
    }
}

fn axis(text: &str) -> Result<Axis, String> {
    Axis::parse(text).map_err(|error| format!("{error}: {}", error.hint()))
}

/// The sweep as text.
pub(super) fn run(args: &SweepArgs, options: &Options) -> Result<String, Failure> {
    let sweep = if args.merge.is_empty() { swept(args, options)? } else { merged(&args.merge)? };
    Ok(report::sweep(&sweep, options.look()))
}

fn merged(files: &[PathBuf]) -> Result<Sweep, Failure> {
    let mut parts = Vec::new();
    for file in files {
        let (name, bytes) = input::bytes(file, results::LONGEST_BYTES)?;
        parts.push(results::read_sweep(&bytes).map_err(|problem| {
            let hint = problem.hint();
            let error = anyhow::Error::new(problem).context(format!("can't merge `{name}`"));
            Failure::refused(error, hint)
        })?);
    }
    merge(&parts).map_err(|error| Failure::refused(error.clone(), error.hint()))
}

fn swept(args: &SweepArgs, options: &Options) -> Result<Sweep, Failure> {
    let source = input::source(&args.spec.spec)?;
    let grid = Grid::new(args.vary.clone()).map_err(|error: GridError| {
        let hint = error.hint();
        Failure::refused(error, hint)
    })?;
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    let places: Vec<usize> = shard.places(grid.points()).collect();
    let book = input::prices(options)?;
    let work = |place| point(&source, &grid, place, book.as_ref(), options);
    let tried = each(&places, args.jobs, options, work);
    let mut points = Vec::new();
    for (place, tried) in places.into_iter().zip(tried) {
        points.push((place, tried?));
    }
    let designs: Vec<&Snapshot> = points.iter().filter_map(|(_, of)| of.as_ref().ok()).collect();
    let whole = designs.is_empty() && shard == Shard::WHOLE;
    if let Some((_, Err(reason))) = points.first().filter(|_| whole) {
        let error = anyhow::anyhow!("no point of the grid has a design: {reason}");
        return Err(Failure::NoPoint(error));
    }
    let (columns, objectives) = columns(args, &designs)?;
    let name = designs.first().map_or_else(|| source.name.clone(), |_| spec_name(&source, options));
    let rows = points
        .iter()
        .map(|(place, of)| {
            let outcome = match of {
                Ok(result) => Outcome::of(result, &columns),
                Err(reason) => Outcome::Impossible(reason.clone()),
            };
            Row { place: *place, outcome }
        })
        .collect();
    let prices = book.as_ref().map(|book| &book.prices);
    let origin = Fingerprint::of(&(&source.text, &options.set, &prices)).to_string();
    Ok(Sweep { name, origin, grid, shard, columns, objectives, rows })
}

/// Name of the spec itself: without what varies it may have no design, but it has a name.
fn spec_name(source: &Source, options: &Options) -> String {
    spec::read(source, &options.overrides())
        .map_or_else(|_| source.name.clone(), |scenario| scenario.name)
}

/// What came of a point: a design, or why there is none.
///
/// # Errors
/// Where the spec is wrong whatever the values of the point.
fn point(
    source: &Source,
    grid: &Grid,
    place: usize,
    book: Option<&Book>,
    options: &Options,
) -> Result<Result<Snapshot, String>, Failure> {
    let mut overrides = options.overrides();
    let values = grid.axes().iter().zip(grid.point(place));
    overrides.extend(values.map(|(axis, value)| Override::of(&axis.key, value)));
    let scenario = match spec::read_with(source, &overrides, book) {
        Ok(scenario) => scenario,
        Err(problems) if does_not_fit(&problems) => {
            let reasons = problems.list.iter().map(ToString::to_string).collect::<Vec<_>>();
            return Ok(Err(reasons.join("; ")));
        }
        Err(problems) => return Err(problems.into()),
    };
    match designed(&scenario, options) {
        Ok(result) => Ok(Ok(result)),
        Err(Failure::Infeasible(reason)) => Ok(Err(reason.to_string())),
        Err(failure) => Err(failure),
    }
}

/// Whether values are each right, but don't go together: that is a point without a design, as
/// every grid has some, and no slip.
fn does_not_fit(problems: &Problems) -> bool {
    problems
        .list
        .iter()
        .all(|of| matches!(of.kind, ProblemKind::Layout { .. } | ProblemKind::Contradiction { .. }))
}

/// Columns and the places of the objectives among them.
fn columns(args: &SweepArgs, designs: &[&Snapshot]) -> Result<(Vec<Column>, [usize; 2]), Failure> {
    let keys: Vec<&str> = designs
        .iter()
        .flat_map(|of| of.figures.keys().chain(&of.absent).chain(of.words.keys()))
        .map(String::as_str)
        .collect();
    let key = |name: &str| {
        if designs.is_empty() {
            return Ok(name.to_owned());
        }
        meant(name.trim(), keys.clone()).map_err(|error| {
            Failure::refused(error, "`planner design --format json` shows the names")
        })
    };
    let shown: Vec<&str> = match args.show.as_slice() {
        [] => SHOWN.to_vec(),
        given => given.iter().map(String::as_str).collect(),
    };
    let mut columns: Vec<Column> = Vec::new();
    for name in shown {
        let column = Column { key: key(name)? };
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    let mut objectives = [0; 2];
    for (place, name) in objectives.iter_mut().zip(&args.pareto) {
        let column = Column { key: key(name)? };
        *place = columns.iter().position(|known| *known == column).unwrap_or_else(|| {
            columns.push(column);
            columns.len() - 1
        });
    }
    Ok((columns, objectives))
}

/// What `work` makes of each item, in their order, whatever thread did it.
fn each<T: Send>(
    items: &[usize],
    jobs: Option<NonZeroUsize>,
    options: &Options,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = jobs.map_or_else(cores, NonZeroUsize::get).min(items.len()).max(1);
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<T>>> = Mutex::new(items.iter().map(|_| None).collect());
    let shown = !options.quiet && std::io::stderr().is_terminal();
    let progress = Mutex::new(Progress::new(items.len(), "points", shown));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((place, item)) = {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    items.get(place).map(|item| (place, *item))
                } {
                    let result = work(item);
                    if let Ok(mut done) = done.lock() {
                        done[place] = Some(result);
                    }
                    if let Ok(mut progress) = progress.lock() {
                        output::progress(progress.step());
                    }
                }
            });
        }
    });
    if let Ok(progress) = progress.lock() {
        output::progress(progress.end());
    }
    // A thread that panics ends the scope with its panic, so every place is filled here.
    done.into_inner().map_or_else(|_| Vec::new(), |done| done.into_iter().flatten().collect())
}

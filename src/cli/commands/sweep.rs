//! `planner sweep`: a grid over keys of the spec, on all cores, in shards if need be. Each point is
//! designed by itself, so neither the number of threads nor their pace can change a byte.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use clap::Args;

use super::check_side::design_snapshot;
use crate::cli::args::{ExportFormat, Options, SpecArgs};
use crate::cli::errors::Failure;
use crate::cli::progress::{Progress, is_watched};
use crate::cli::{input, output};
use crate::design::{self, Fingerprint};
use crate::gate::{Snapshot, resolve_figure_name};
use crate::quantity::all_quantities;
use crate::spec::{self, Book, Override, ProblemKind, Problems, SpecText, presets};
use crate::sweep::{
    BetterDirection, FrontRequest, Grid, GridError, Outcome, PlotError, PlotRequest, Plotted,
    Shard, Sweep, SweepAxis, SweepColumn, SweepObjective, SweepOrigin, SweepPart, SweepRow,
    WishError, merge_sweeps,
};
use crate::{report, results};

/// What is shown of a point unless `--show` says otherwise.
const SHOWN: [&str; 8] = [
    "fabric.kind",
    "cost.network_capex_usd",
    "cost.capex_usd",
    "cost.power_w",
    "step.time_s",
    "step.mfu",
    "solver.status",
    "solver.gap",
];

/// Objectives of the front unless `--pareto` says otherwise.
const OBJECTIVES: &str = "cost.capex_usd,step.time_s";

/// Arguments of `planner sweep`.
#[derive(Args, Debug)]
pub(in crate::cli) struct SweepArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// A key and its values, as `cluster.gpus=1024,2048`, or keys that go together, as
    /// `a:b=1:x,2:y`; repeats, for all combinations
    #[arg(long, value_name = "KEY=A,B,C", required_unless_present = "merge", value_parser = parse_axis)]
    vary: Vec<SweepAxis>,
    /// Figures by key of the JSON, or its end [default: cost, power, time]
    #[arg(long, value_name = "KEY,…", value_delimiter = ',')]
    show: Vec<String>,
    /// The two figures to trade; `:min` or `:max` says which way is better
    #[arg(long, value_name = "A,B", value_parser = parse_front, default_value = OBJECTIVES)]
    pareto: Pair,
    /// Draw `x=KEY,y=FIGURE`, or a line for each value: `…,series=KEY`
    #[arg(long, value_name = "x=…,y=…", value_parser = parse_plot)]
    plot: Vec<PlotRequest>,
    /// Part I of N, from 1, for job arrays; with `--format json -o FILE`
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    shard: Option<Shard>,
    /// Put the JSON of all shards together
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["vary", "show", "pareto", "shard"])]
    merge: Vec<PathBuf>,
    /// Threads; the result is the same on any number [default: all cores]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// Two objectives.
type Pair = [FrontRequest; 2];

fn parse_front(text: &str) -> Result<Pair, String> {
    let wish =
        |text| FrontRequest::parse(text).map_err(|error| format!("{error}: {}", error.hint()));
    match text.split_once(',') {
        Some((first, second)) if !second.contains(',') => Ok([wish(first)?, wish(second)?]),
        _ => Err("two figures are needed, such as capex,step.time".to_owned()),
    }
}

fn parse_plot(text: &str) -> Result<PlotRequest, String> {
    PlotRequest::parse(text).map_err(|error| format!("{error}: {}", error.hint()))
}

fn parse_axis(text: &str) -> Result<SweepAxis, String> {
    SweepAxis::parse(text).map_err(|error| format!("{error}: {}", error.hint()))
}

/// The sweep as text.
pub(in crate::cli) fn run_sweep(args: &SweepArgs, options: &Options) -> Result<String, Failure> {
    let sweep = if args.merge.is_empty() {
        sweep_grid(args, options)?
    } else {
        merge_results(args, options)?
    };
    let plots: Vec<Plotted> =
        args.plot.iter().map(|wish| wish.plot_sweep(&sweep)).collect::<Result<_, _>>().map_err(
            |error: PlotError| {
                let hint = error.hint();
                Failure::usage_error(error, hint)
            },
        )?;
    if options.export_format() == Some(ExportFormat::Svg) {
        if plots.is_empty() {
            let error = anyhow::anyhow!("a sweep has a drawing only where `--plot` says of what");
            return Err(Failure::usage_error(error, PlotError::Shape.hint()));
        }
        return Ok(report::sweep_drawing(&sweep, &plots));
    }
    options.render_report(|look| report::sweep_plotted(&sweep, &plots, look))
}

fn merge_results(args: &SweepArgs, options: &Options) -> Result<Sweep, Failure> {
    if options.changes_the_spec() {
        let error = anyhow::anyhow!("`--merge` puts results together, and reads no spec to change");
        return Err(Failure::usage_error(error, "leave out `--set`, `--part` and `--prices`"));
    }
    let mut parts = Vec::new();
    for path in &args.merge {
        let (file, bytes) = input::read_input(path, results::LONGEST_BYTES, options)?;
        let sweep = results::read_sweep(&bytes).map_err(|problem| {
            let hint = problem.hint();
            let error = anyhow::Error::new(problem).context(format!("can't merge `{file}`"));
            Failure::usage_error(error, hint)
        })?;
        parts.push(SweepPart { file, sweep });
    }
    let whole =
        merge_sweeps(&parts).map_err(|error| Failure::usage_error(error.clone(), error.hint()))?;
    if whole.no_design_reason().is_none() {
        return Ok(whole);
    }
    let reason = |row: &SweepRow| match &row.outcome {
        Outcome::Impossible(reason) => Some((row.place, reason.clone())),
        Outcome::Design(_) => None,
    };
    Err(Failure::NoPoint(no_point(&whole.grid, whole.rows.iter().filter_map(reason))))
}

/// Most reasons that are told.
const REASONS: usize = 3;

/// Why no point has a design: the one reason of all of them, or each of the first few with its
/// point.
fn no_point(grid: &Grid, reasons: impl Iterator<Item = (usize, String)>) -> anyhow::Error {
    let mut known: Vec<(usize, String)> = Vec::new();
    for (place, reason) in reasons {
        if known.iter().all(|(_, other)| *other != reason) {
            known.push((place, reason));
        }
    }
    let told: Vec<String> = match known.as_slice() {
        [(_, only)] => vec![only.clone()],
        all => {
            let one = |(place, reason): &(usize, String)| {
                let keys = grid.axes().iter().map(|axis| axis.key.as_str());
                let values = keys.zip(grid.point_values(*place));
                let point: Vec<String> =
                    values.map(|(key, value)| format!("{key}={value}")).collect();
                format!("{}: {reason}", point.join(" "))
            };
            all.iter().take(REASONS).map(one).collect()
        }
    };
    let more = match known.len().saturating_sub(REASONS) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    anyhow::anyhow!("no point of the grid has a design: {}{more}", told.join("; "))
}

fn sweep_grid(args: &SweepArgs, options: &Options) -> Result<Sweep, Failure> {
    let source = input::load_spec(&args.spec.spec, options)?;
    let grid = Grid::new(args.vary.clone()).map_err(|error: GridError| {
        let hint = error.hint();
        Failure::usage_error(error, hint)
    })?;
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    let places: Vec<usize> = shard.point_indices(grid.point_count()).collect();
    let book = input::load_price_book(options)?;
    let work = |place| run_point(&source, &grid, place, book.as_ref(), options);
    let tried = map_in_parallel(&places, args.jobs, work);
    let mut points = Vec::new();
    for (place, tried) in places.into_iter().zip(tried) {
        points.push((place, tried?));
    }
    let designs: Vec<&Snapshot> =
        points.iter().filter_map(|(_, snapshot)| snapshot.as_ref().ok()).collect();
    let whole = designs.is_empty() && shard == Shard::WHOLE;
    if whole && !points.is_empty() {
        let reason = |(place, snapshot): &(usize, Result<Snapshot, NoPoint>)| {
            snapshot.as_ref().err().map(|nothing| (*place, nothing.reason.clone()))
        };
        let error = no_point(&grid, points.iter().filter_map(reason));
        // Where no value mends it, it is the spec that is wrong.
        return Err(
            if points
                .iter()
                .all(|(_, snapshot)| snapshot.as_ref().is_err_and(|point| point.is_of_spec))
            {
                Failure::usage_error(error, "mend the spec, or vary what is wrong with it")
            } else {
                Failure::NoPoint(error)
            },
        );
    }
    let (columns, objectives) = sweep_columns(args, &designs)?;
    let rows = points
        .iter()
        .map(|(place, snapshot)| {
            let outcome = match snapshot {
                Ok(result) => Outcome::from_snapshot(result, &columns),
                Err(nothing) => Outcome::Impossible(nothing.reason.clone()),
            };
            SweepRow { place: *place, outcome }
        })
        .collect();
    let name = spec_name(&source, options);
    let origin = sweep_origin(&source, book.as_ref(), options);
    Ok(Sweep { name, origin, grid, shard, columns, objectives, rows })
}

/// What parts of one sweep have in common.
fn sweep_origin(source: &SpecText, book: Option<&Book>, options: &Options) -> SweepOrigin {
    let prices = book.map(|book| &book.prices);
    let question = (&source.text, &options.set, &options.part, prices, options.solver_options());
    let shipped: Vec<_> =
        presets::list_presets().into_iter().map(|entry| (entry.name, entry.text)).collect();
    SweepOrigin {
        planner: env!("CARGO_PKG_VERSION").to_owned(),
        build: env!("PLANNER_BUILD").to_owned(),
        catalogue: Fingerprint::hash_debug_text(&shipped).to_string(),
        question: Fingerprint::hash_debug_text(&question).to_string(),
    }
}

/// Name of the spec itself: without what varies it may have no design, but it has a name.
fn spec_name(source: &SpecText, options: &Options) -> String {
    let scenario = spec::read_scenario(source, &options.overrides());
    let named = scenario.map(|scenario| match &options.part {
        Some(part) => design::scenario_of_part_or_stage(&scenario, part).unwrap_or(scenario).name,
        None => scenario.name,
    });
    named.unwrap_or_else(|_| source.name.clone())
}

/// Why a point has no design.
struct NoPoint {
    reason: String,
    /// Whether its spec is wrong; else it can't be met.
    is_of_spec: bool,
}

/// What came of a point: a design, or why there is none.
///
/// # Errors
/// Where the spec is wrong whatever the values of the point.
fn run_point(
    source: &SpecText,
    grid: &Grid,
    place: usize,
    book: Option<&Book>,
    options: &Options,
) -> Result<Result<Snapshot, NoPoint>, Failure> {
    let mut overrides = options.overrides();
    for (axis, value) in grid.axes().iter().zip(grid.point_values(place)) {
        let both = axis.keys().into_iter().zip(axis.split_value(value));
        overrides.extend(both.map(|(key, value)| Override::from_key_value(key, value)));
    }
    let scenario = match spec::read_with(source, &overrides, book) {
        Ok(scenario) => input::part_of(scenario, options)?,
        Err(problems) if does_not_fit(&problems) => {
            let reasons = problems.list.iter().map(ToString::to_string).collect::<Vec<_>>();
            return Ok(Err(NoPoint { reason: reasons.join("; "), is_of_spec: true }));
        }
        Err(problems) => return Err(problems.into()),
    };
    match design_snapshot(&scenario, &options.solver_options()) {
        Ok(result) => Ok(Ok(result)),
        Err(failure @ Failure::Infeasible(_)) => {
            let is_of_spec = failure.is_of_spec();
            let Failure::Infeasible(reason) = failure else { return Err(failure) };
            Ok(Err(NoPoint { reason: reason.to_string(), is_of_spec }))
        }
        Err(failure) => Err(failure),
    }
}

/// Whether values are each right, but don't go together: that is a point without a design, as
/// every grid has some, and no slip.
fn does_not_fit(problems: &Problems) -> bool {
    problems.list.iter().all(|problem| {
        matches!(problem.kind, ProblemKind::Layout { .. } | ProblemKind::Contradiction { .. })
    })
}

/// Columns and the places of the objectives among them.
fn sweep_columns(
    args: &SweepArgs,
    designs: &[&Snapshot],
) -> Result<(Vec<SweepColumn>, [SweepObjective; 2]), Failure> {
    let keys: Vec<&str> = designs
        .iter()
        .flat_map(|snapshot| {
            snapshot.figures.keys().chain(&snapshot.absent).chain(snapshot.words.keys())
        })
        .map(String::as_str)
        .collect();
    let key = |name: &str| {
        if designs.is_empty() {
            let known = all_quantities().map(|quantity| quantity.key).collect();
            return Ok(
                resolve_figure_name(name.trim(), known).unwrap_or_else(|_| name.trim().to_owned())
            );
        }
        resolve_figure_name(name.trim(), keys.clone()).map_err(|error| {
            Failure::usage_error(error, "`planner design --format json` shows the names")
        })
    };
    let shown: Vec<&str> = match args.show.as_slice() {
        [] => SHOWN.to_vec(),
        given => given.iter().map(String::as_str).collect(),
    };
    let varies = |name: &str| args.vary.iter().any(|axis| axis.keys().contains(&name));
    let drawn = args.plot.iter().flat_map(PlotRequest::figure_names).filter(|name| !varies(name));
    let shown: Vec<&str> = shown.into_iter().chain(drawn).collect();
    let mut columns: Vec<SweepColumn> = Vec::new();
    for name in shown {
        let column = SweepColumn { key: key(name)? };
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    let mut objective = |wish: &FrontRequest| {
        let column = SweepColumn { key: key(&wish.name)? };
        let sense = match wish.sense_of(&column.key) {
            // Which figure is meant, a shard without a design can't know.
            Err(WishError::Unstated { .. }) if designs.is_empty() => {
                BetterDirection::SmallerIsBetter
            }
            sense => sense.map_err(|error| Failure::usage_error(error.clone(), error.hint()))?,
        };
        let column = columns.iter().position(|known| *known == column).unwrap_or_else(|| {
            columns.push(column);
            columns.len() - 1
        });
        Ok::<_, Failure>(SweepObjective { column, sense })
    };
    let [first, second] = &args.pareto;
    let objectives = [objective(first)?, objective(second)?];
    Ok((columns, objectives))
}

/// What `work` makes of each item, in their order, whatever thread did it.
pub(super) fn map_in_parallel<T: Send>(
    items: &[usize],
    jobs: Option<NonZeroUsize>,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = jobs.map_or_else(cores, NonZeroUsize::get).min(items.len()).max(1);
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<T>>> = Mutex::new(items.iter().map(|_| None).collect());
    let progress = Mutex::new(Progress::new(items.len(), "points", is_watched()));
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
                        output::print_progress(progress.advance_step());
                    }
                }
            });
        }
    });
    if let Ok(mut progress) = progress.lock() {
        output::print_progress(progress.wipe_line());
    }
    // A thread that panics ends the scope with its panic, so every place is filled here.
    done.into_inner().map_or_else(|_| Vec::new(), |done| done.into_iter().flatten().collect())
}

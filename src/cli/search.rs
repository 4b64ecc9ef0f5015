//! `planner search`: the best parallel layouts, ranked.

use std::io::IsTerminal as _;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::thread;

use clap::{Args, ValueEnum};

use super::args::{Options, SpecArgs};
use super::failure::Failure;
use super::progress::Progress;
use super::{input, output};
use crate::design::{self, ClusterQuestion, Infeasible};
use crate::report::{self, ClusterSheets, LayoutSheet};
use crate::search::{
    self, Breadth, Effort, Filter, Layouts, RankBy, RankingRequest, SearchQuery, best_layouts,
};

/// Arguments of `planner search`.
#[derive(Args, Debug)]
pub(super) struct SearchArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// How many layouts to show
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u32).range(1..))]
    top: u32,
    /// Search every layout, also what the spec states; left out, only what it leaves open
    #[arg(long)]
    all: bool,
    /// Search only layouts like this, as in `--where 'tensor<=8'`,
    /// `--where recompute=none,selective`; repeats
    #[arg(long = "where", value_name = "CONDITION")]
    conditions: Vec<Filter>,
    /// What to rank by
    #[arg(long, value_name = "QUANTITY", default_value = "step-time")]
    by: RankQuantity,
    /// Threads to search on; all cores where left out. The result is the same on any number
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// What layouts can be ranked by.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum RankQuantity {
    /// Time of a step
    StepTime,
    /// Cost of the machines over the tokens that they train, without any network
    UsdPerToken,
}

/// The ranking as text.
pub(super) fn run_search(args: &SearchArgs, options: &Options) -> Result<String, Failure> {
    let scenario = input::load_scenario(&args.spec.spec, options)?;
    let clusters = design::list_clusters(&scenario);
    let by = match args.by {
        RankQuantity::StepTime => RankBy::StepTime,
        RankQuantity::UsdPerToken => RankBy::UsdPerToken,
    };
    let query = SearchQuery {
        breadth: if args.all { Breadth::Whole } else { Breadth::Open },
        filters: &args.conditions,
        wanted: RankingRequest { top: args.top as usize, by },
    };
    let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let shown = !options.quiet && std::io::stderr().is_terminal();
    let line = Mutex::new(Progress::new(0, "parts of the space", shown));
    let effort = Effort {
        threads: args.jobs.unwrap_or_else(cores),
        progress: &|search::SearchProgress { done, total }| {
            if let Ok(mut line) = line.lock() {
                output::print_progress(line.reach_step(done as usize, total as usize));
            }
        },
    };
    let search = |question: &ClusterQuestion| {
        best_layouts(&question.scenario, &query, &effort)
            .map_err(|reason| question.name.infeasible_in_cluster(reason.into()))
    };
    let found: Result<Vec<Layouts>, Infeasible> = clusters.iter().map(search).collect();
    if let Ok(line) = line.lock() {
        output::print_progress(line.wipe_line());
    }
    let found = found?;
    let sheet = |(question, found)| {
        let ClusterQuestion { name, scenario }: &ClusterQuestion = question;
        let (gpus, asked) = (scenario.cluster.gpus, query.breadth);
        (name, LayoutSheet { name: &scenario.name, gpus, found, asked })
    };
    let each = clusters.iter().zip(&found).map(sheet).collect();
    let sheets = ClusterSheets { name: &scenario.name, each };
    options.render_report(|look| report::render_layouts(&sheets, look))
}

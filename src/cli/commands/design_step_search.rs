//! The commands `planner design`, `planner step` and `planner search`.

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;

use clap::{Args, ValueEnum};

use super::{compare, explain};
use crate::cli::args::{Options, ShownProgress as _, SpecArgs};
use crate::cli::errors::Failure;
use crate::cli::progress::{DesignWatch, Progress, is_watched};
use crate::cli::{input, output};
use crate::compare::{Baseline, compare_with};
use crate::design::{
    self, Infeasible, Plan, QuestionFacts, StepPlan, design_with_default_rules, find_frontiers,
    price_bands, question_of_plan, traffic_matrix,
};
use crate::report::{
    self, ClusterSheets, Detail, Format, LayoutSheet, NoDesignSheet, PageSheet, ProgramFormat,
    StepSheet,
};
use crate::scenario::{ClusterQuestion, FabricChoice, Scenario};
use crate::search::{
    self, Breadth, Effort, Filter, Layouts, RankBy, RankingRequest, SearchQuery, best_layouts,
};
use crate::sizing::{self, WatchHandle};

/// Arguments of `planner design`.
#[derive(Args, Debug)]
pub(in crate::cli) struct DesignArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// Every design that none beats in both cost and step time
    #[arg(long)]
    pareto: bool,
    /// The integer program, for other solvers: MPS if it ends in `.mps`, else LP
    #[arg(long, value_name = "FILE", conflicts_with = "pareto")]
    program: Option<PathBuf>,
    /// How far each price may move before another design wins
    #[arg(long)]
    sensitivity: bool,
    /// Threads; the result is the same on any number [default: all cores]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

impl DesignArgs {
    /// How the design is found.
    fn design_options(&self, options: &Options, watch: WatchHandle) -> sizing::Options {
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        sizing::Options {
            threads: self.jobs.unwrap_or_else(cores),
            watch,
            ..options.solver_options()
        }
    }
}

/// The design of a spec as text.
pub(in crate::cli) fn run_design(args: &DesignArgs, options: &Options) -> Result<String, Failure> {
    let page_wanted = options.render_options().format == Format::Html;
    let scenario = input::load_scenario(&args.spec.spec, options)?;
    if page_wanted {
        return design_page(&scenario, args, options);
    }
    if args.pareto && args.sensitivity {
        return Err(Failure::usage_error(
            anyhow::anyhow!("`--pareto` shows many designs, and `--sensitivity` is of one"),
            "ask for one of them, or for `--format html`: a page has room for both",
        ));
    }
    if args.pareto && scenario.cluster.fabric == FabricChoice::Any {
        return Err(Failure::usage_error(
            anyhow::anyhow!(
                "`--pareto` ranges over the families that `fabric = \"auto\"` means, not over any"
            ),
            "add `--set cluster.fabric=auto`, or name one family",
        ));
    }
    if args.pareto {
        let solver = args.design_options(options, WatchHandle::default());
        let found = find_frontiers(&scenario_with_default_rules(&scenario, &solver), &solver)?;
        return options.render_report(|look| report::render_frontier(&scenario.name, &found, look));
    }
    let watching = DesignWatch::with_signals(options);
    let solver = args.design_options(options, Arc::clone(&watching).watch_handle());
    let plan = design_with_default_rules(&scenario, &solver).map(|mut plan| {
        if args.sensitivity && !plan.is_interrupted() {
            plan.price_bands = price_bands(&question_of_plan(&scenario, &plan), &solver);
        }
        plan
    });
    let plan = match (plan, watching.end_watch(options)) {
        (Ok(plan), false) => plan,
        (Ok(plan), true) => plan.mark_interrupted(None),
        (Err(_), true) => return Err(Failure::Interrupted),
        (Err(reason), false) => {
            let failure =
                input::infeasible_with_size_hint(reason, &scenario, &args.spec.spec, options);
            return Err(tell_no_design(failure, &scenario, options)?);
        }
    };
    write_program(&plan, args)?;
    options.render_report(|look| report::render_design(&plan, look))
}

/// Prints the screen of a question that no design meets, where people read it and limits are in the
/// way: what is left to say on standard error. Any other failure as it is.
fn tell_no_design(
    failure: Failure,
    scenario: &Scenario,
    options: &Options,
) -> Result<Failure, Failure> {
    let (reason, hint) = match &failure {
        Failure::Infeasible(reason) => (reason, ""),
        Failure::TooLarge { reason, hint } => (&**reason, hint.as_str()),
        _ => return Ok(failure),
    };
    let (moves, together) = match reason {
        Infeasible::Clash(moves) => (moves, false),
        Infeasible::Together(moves) => (moves, true),
        _ => return Ok(failure),
    };
    let look = options.render_options();
    let read = matches!(look.format, Format::Table | Format::Narrow(_) | Format::Markdown);
    if moves.is_empty() || !read || !matches!(look.detail, Detail::Usual | Detail::Full) {
        return Ok(failure);
    }
    let gpu = match scenario.cluster.nodes.as_slice() {
        [only] => Some(only.gpu.name.as_str()),
        _ => None,
    };
    let facts = QuestionFacts::from_scenario(scenario);
    let (name, gpus) = (scenario.name.as_str(), scenario.cluster.gpus);
    let sheet = NoDesignSheet { name, facts, gpus, gpu, moves, together, hint };
    output::write_result(&report::render_no_design(&sheet, look), options)?;
    Ok(Failure::NoDesign(report::no_design_sentence(moves, together)))
}

/// The question of a frontier: what the defaults on oversubscription and losses make the design
/// keep, its other points keep too. Where there is no design, a looser limit on the step may still
/// have some.
fn scenario_with_default_rules<'s>(
    scenario: &'s Scenario,
    solver: &sizing::Options,
) -> Cow<'s, Scenario> {
    design_with_default_rules(scenario, solver)
        .map_or(Cow::Borrowed(scenario), |plan| question_of_plan(scenario, &plan))
}

/// Writes the integer program of a plan to the file that was named.
fn write_program(plan: &Plan, args: &DesignArgs) -> Result<(), Failure> {
    let Some(path) = &args.program else { return Ok(()) };
    let format = ProgramFormat::from_file_name(&path.to_string_lossy());
    let text = report::program_text(plan, format).unwrap_or_default();
    output::write_file(path, &text)
}

/// The design with all that a board asks for next.
fn design_page(
    scenario: &Scenario,
    args: &DesignArgs,
    options: &Options,
) -> Result<String, Failure> {
    let usual: Vec<Baseline> = compare::USUAL.iter().filter_map(|text| text.parse().ok()).collect();
    let watching = DesignWatch::with_signals(options);
    let solver = args.design_options(options, Arc::clone(&watching).watch_handle());
    let found = compare_with(scenario, &usual, &solver).map(|mut comparison| {
        let goes_on = !comparison.design.is_interrupted();
        let scenario = &*question_of_plan(scenario, &comparison.design);
        if args.sensitivity && goes_on {
            comparison.design.price_bands = price_bands(scenario, &solver);
        }
        let frontier = (args.pareto && goes_on).then(|| find_frontiers(scenario, &solver));
        (comparison, frontier)
    });
    let (mut comparison, frontier, stopped) = match (found, watching.end_watch(options)) {
        (Ok((comparison, frontier)), false) => (comparison, frontier.transpose()?, false),
        (Ok((comparison, _)), true) => (comparison, None, true),
        (Err(_), true) => return Err(Failure::Interrupted),
        (Err(reason), false) => {
            return Err(input::infeasible_with_size_hint(
                reason,
                scenario,
                &args.spec.spec,
                options,
            ));
        }
    };
    if stopped {
        comparison.design = comparison.design.mark_interrupted(None);
    }
    let scenario = &*question_of_plan(scenario, &comparison.design);
    let plan = &comparison.design;
    write_program(plan, args)?;
    // Several clusters have a matrix each, and the page shows none.
    let matrix = if scenario.is_several() {
        None
    } else {
        Some(traffic_matrix(scenario, plan).map_err(Infeasible::Layout)?)
    };
    let sheet = PageSheet {
        plan,
        comparison: Some(&comparison).filter(|_| !stopped),
        matrix: matrix.as_ref(),
        frontier: frontier.as_ref(),
        presets: &explain::shipped_presets(),
    };
    options.render_report(|look| report::render_page(&sheet, look))
}

/// The steps of a spec as text.
pub(in crate::cli) fn run_step(args: &SpecArgs, options: &Options) -> Result<String, Failure> {
    let scenario = input::load_scenario(&args.spec, options)?;
    let clusters = design::list_clusters(&scenario);
    let step = |question: &ClusterQuestion| {
        design::plan_step(&question.scenario).map_err(|reason| reason.for_cluster(&question.name))
    };
    let plans: Vec<StepPlan> = clusters.iter().map(step).collect::<Result<_, _>>()?;
    let each = clusters
        .iter()
        .zip(&plans)
        .map(|(question, plan)| (&question.name, step_sheet(question, plan)));
    let sheets = ClusterSheets { name: &scenario.name, each: each.collect() };
    options.render_report(|look| report::render_step(&sheets, look))
}

fn step_sheet<'a>(question: &'a ClusterQuestion, plan: &'a StepPlan) -> StepSheet<'a> {
    let framework = &question.scenario.lead_workload().for_product(&plan.nodes.node).framework;
    StepSheet { name: &question.scenario.name, step: plan, framework }
}

/// Arguments of `planner search`.
#[derive(Args, Debug)]
pub(in crate::cli) struct SearchArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// How many layouts to show
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u32).range(1..))]
    top: u32,
    /// Search every layout, also what the spec states
    #[arg(long)]
    ignore_stated: bool,
    /// Every section; and, as it was, every layout
    #[arg(long)]
    all: bool,
    /// Only such layouts, as `tensor<=8` or `recompute=none,selective`; repeats
    #[arg(long = "where", value_name = "CONDITION")]
    conditions: Vec<Filter>,
    /// What to rank by
    #[arg(long, value_name = "QUANTITY", default_value = "step-time")]
    by: RankQuantity,
    /// Threads; the result is the same on any number [default: all cores]
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

/// Layouts that are ranked for each that is listed: those that differ in interleave, schedule or
/// order of ranks alone are listed once.
const ALIKE: usize = 12;

/// The ranking as text.
pub(in crate::cli) fn run_search(args: &SearchArgs, options: &Options) -> Result<String, Failure> {
    let scenario = input::load_scenario(&args.spec.spec, options)?;
    let clusters = design::list_clusters(&scenario);
    let by = match args.by {
        RankQuantity::StepTime => RankBy::StepTime,
        RankQuantity::UsdPerToken => RankBy::UsdPerToken,
    };
    let query = SearchQuery {
        breadth: if args.ignore_stated || args.all { Breadth::Whole } else { Breadth::Open },
        filters: &args.conditions,
        wanted: RankingRequest { top: (args.top as usize).saturating_mul(ALIKE), by },
    };
    let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let line = Mutex::new(Progress::new(0, "groups of layouts", is_watched()));
    let effort = Effort {
        threads: args.jobs.unwrap_or_else(cores),
        progress: &|search::SearchProgress { done, total }| {
            if let Ok(mut line) = line.lock() {
                output::print_progress(line.reach_step(done as usize, total as usize));
            }
        },
    };
    let search = |question: &ClusterQuestion| {
        let found = best_layouts(&question.scenario, &query, &effort);
        found
            .map(|mut found| {
                found.keep_distinct(args.top as usize);
                found
            })
            .map_err(|reason| Infeasible::from(reason).for_cluster(&question.name))
    };
    let found: Result<Vec<Layouts>, Infeasible> = clusters.iter().map(search).collect();
    if let Ok(mut line) = line.lock() {
        output::print_progress(line.wipe_line());
    }
    let found = found?;
    let sheet = |(question, found)| {
        let ClusterQuestion { name, scenario, .. }: &ClusterQuestion = question;
        let (gpus, asked) = (scenario.cluster.gpus, query.breadth);
        (name, LayoutSheet { name: &scenario.name, gpus, found, asked })
    };
    let each = clusters.iter().zip(&found).map(sheet).collect();
    let sheets = ClusterSheets { name: &scenario.name, each };
    options.render_report(|look| report::render_layouts(&sheets, look))
}

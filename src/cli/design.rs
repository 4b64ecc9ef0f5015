//! `planner design`: the main job.

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use clap::Args;

use super::args::{Options, SpecArgs};
use super::failure::Failure;
use super::watch::DesignWatch;
use super::{compare, fewer, input, output, presets};
use crate::compare::{Baseline, compare_with};
use crate::design::{
    Infeasible, Plan, design_with_house_rule, find_frontiers, price_bands, question_of_plan,
    traffic_matrix,
};
use crate::report::{self, Format, PageSheet, ProgramFormat};
use crate::scenario::{FabricChoice, Scenario};
use crate::sizing::{self, WatchHandle};

/// Arguments of `planner design`.
#[derive(Args, Debug)]
pub(super) struct DesignArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// Instead of the one best design, every design that no other beats in both cost and step
    /// time; replaces the limit on slowdown. A page shows both
    #[arg(long)]
    pareto: bool,
    /// Also write the integer program of the answer to a file that other solvers read: MPS where its
    /// name ends in `.mps`, else LP
    #[arg(long, value_name = "FILE", conflicts_with = "pareto")]
    program: Option<PathBuf>,
    /// Also find how far the price of each part may move before another design is chosen
    #[arg(long)]
    sensitivity: bool,
    /// Threads that look for layouts, a machine each; all cores where left out. The design is the same
    /// on any number
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
pub(super) fn run_design(args: &DesignArgs, options: &Options) -> Result<String, Failure> {
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
    let solver = args.design_options(options, watching.handle());
    let plan = design_with_house_rule(&scenario, &solver).map(|mut plan| {
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
            return Err(fewer::infeasible_with_size_hint(
                reason,
                &scenario,
                &args.spec.spec,
                options,
            ));
        }
    };
    write_program(&plan, args)?;
    options.render_report(|look| report::render_design(&plan, look))
}

/// The question of a frontier: what the defaults on oversubscription and losses make the design keep, its other
/// points keep too. Where there is no design, a looser limit on the step may still have some.
fn scenario_with_default_rules<'s>(
    scenario: &'s Scenario,
    solver: &sizing::Options,
) -> Cow<'s, Scenario> {
    design_with_house_rule(scenario, solver)
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
    let solver = args.design_options(options, watching.handle());
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
            return Err(fewer::infeasible_with_size_hint(
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
    let matrix = match scenario.is_several() {
        true => None,
        false => Some(traffic_matrix(scenario, plan).map_err(Infeasible::Layout)?),
    };
    let sheet = PageSheet {
        plan,
        comparison: Some(&comparison).filter(|_| !stopped),
        matrix: matrix.as_ref(),
        frontier: frontier.as_ref(),
        presets: &presets::shipped_presets(),
    };
    options.render_report(|look| report::render_page(&sheet, look))
}

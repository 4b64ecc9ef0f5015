//! `planner design`: the main job.

use clap::Args;

use super::args::{Options, SpecArgs};
use super::failure::Failure;
use super::{compare, fewer, input, presets};
use crate::compare::{Baseline, compare_with};
use crate::design::{Infeasible, asked, decided, frontiers, price_bands, traffic_matrix};
use crate::report::{self, Format, PageSheet};
use crate::scenario::Scenario;

/// Arguments of `planner design`.
#[derive(Args, Debug)]
pub(super) struct DesignArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// Instead of the one best design, every design that no other beats in both cost and step
    /// time; replaces the limit on slowdown. A page shows both
    #[arg(long)]
    pareto: bool,
    /// Also find how far the price of each part may move before another design is chosen
    #[arg(long)]
    sensitivity: bool,
}

/// The design of a spec as text.
pub(super) fn run(args: &DesignArgs, options: &Options) -> Result<String, Failure> {
    let page_wanted = options.look().format == Format::Html;
    let scenario = input::scenario(&args.spec.spec, options)?;
    if page_wanted {
        return page(&scenario, args, options);
    }
    if args.pareto && args.sensitivity {
        return Err(Failure::refused(
            anyhow::anyhow!("`--pareto` shows many designs, and `--sensitivity` is of one"),
            "ask for one of them, or for `--format html`: a page has room for both",
        ));
    }
    if args.pareto {
        let found = frontiers(&scenario, &options.solver())?;
        return options.report(|look| report::frontier(&scenario.name, &found, look));
    }
    let mut plan = decided(&scenario, &options.solver())
        .map_err(|reason| fewer::told(reason, &scenario, &args.spec.spec, options))?;
    if args.sensitivity {
        plan.price_bands = price_bands(&asked(&scenario, &plan), &options.solver());
    }
    options.report(|look| report::design(&plan, look))
}

/// The design with all that a board asks for next.
fn page(scenario: &Scenario, args: &DesignArgs, options: &Options) -> Result<String, Failure> {
    let usual: Vec<Baseline> = compare::USUAL.iter().filter_map(|of| of.parse().ok()).collect();
    let mut comparison = compare_with(scenario, &usual, &options.solver())
        .map_err(|reason| fewer::told(reason, scenario, &args.spec.spec, options))?;
    let scenario = &*asked(scenario, &comparison.design);
    if args.sensitivity {
        comparison.design.price_bands = price_bands(scenario, &options.solver());
    }
    let frontier = match args.pareto {
        true => Some(frontiers(scenario, &options.solver())?),
        false => None,
    };
    let plan = &comparison.design;
    // Several clusters have a matrix each, and the page shows none.
    let matrix = match scenario.is_several() {
        true => None,
        false => Some(traffic_matrix(scenario, plan).map_err(Infeasible::Layout)?),
    };
    let sheet = PageSheet {
        plan,
        comparison: Some(&comparison),
        matrix: matrix.as_ref(),
        frontier: frontier.as_ref(),
        presets: &presets::known(),
    };
    options.report(|look| report::page(&sheet, look))
}

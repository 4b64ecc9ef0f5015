//! `planner search`: the best parallel layouts, ranked.

use clap::Args;

use super::args::{Options, SpecArgs};
use super::failure::Failure;
use super::input;
use crate::report::{self, LayoutSheet};
use crate::search::{Breadth, layouts};

/// Arguments of `planner search`.
#[derive(Args, Debug)]
pub(super) struct SearchArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// How many layouts to show
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u32).range(1..))]
    top: u32,
    /// Search the whole layout, also what the spec states, but for context parallelism, which
    /// `--set parallelism.context=auto` opens; left out, only what the spec leaves open
    #[arg(long)]
    all: bool,
}

/// The ranking as text.
pub(super) fn run(args: &SearchArgs, options: &Options) -> Result<String, Failure> {
    let scenario = input::scenario(&args.spec.spec, options)?;
    let breadth = if args.all { Breadth::Whole } else { Breadth::Open };
    let found = layouts(&scenario, breadth, args.top as usize)?;
    Ok(report::search(
        &LayoutSheet {
            name: &scenario.name,
            gpus: scenario.cluster.gpus,
            found: &found,
            asked: breadth,
        },
        options.look(),
    ))
}

//! `planner topology`: the designed fabric as a graph, its link loads, and failures.

use clap::Args;

use super::args::{Export, Options, SpecArgs};
use super::failure::Failure;
use super::input;
use crate::design;
use crate::fabric;
use crate::report::topology::{TopologySheet, drawing, summary, topology};
use crate::routing::{self, Demand};
use crate::traffic::{Locality, Summary};
use crate::units::Bytes;

/// Arguments of `planner topology`.
#[derive(Args, Debug)]
pub(super) struct TopologyArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// What fails: `switch:leaf-3`, or `link:leaf-3/spine-1`; repeats, and all fail at once
    #[arg(long, value_name = "WHAT", value_parser = fabric::Failure::parse)]
    fail: Vec<fabric::Failure>,
}

/// The graph or its summary as text.
pub(super) fn run(args: &TopologyArgs, options: &Options) -> Result<String, Failure> {
    let scenario = input::scenario(&args.spec.spec, options)?;
    let plan = design::design_with(&scenario, &options.solver())?;
    let refused = |error: anyhow::Error| Failure::refused(error, "");
    let wired = design::wiring(&plan);
    if options.export() == Some(Export::Svg) && args.fail.is_empty() {
        // What can't be wired one by one can still be drawn folded together.
        return Ok(drawing(&plan.name, &plan.fabric, wired.as_ref().ok()));
    }
    let graph = wired.map_err(|of| refused(of.into()))?;
    let aftermath = if args.fail.is_empty() {
        None
    } else {
        Some(graph.after(&args.fail).map_err(|of| refused(of.into()))?)
    };
    if aftermath.is_some() && options.belongs_to().is_some() {
        let error = anyhow::anyhow!("a drawing of the graph does not show failures");
        return Err(Failure::refused(error, "leave out `--fail`, or use table or json"));
    }
    if let Some(format) = options.graph().filter(|_| aftermath.is_none()) {
        return Ok(topology(&graph, format));
    }
    let loads = routing::loads(&demand(&plan.traffic), &plan.fabric, plan.nodes.node.gpus)
        .map_err(|of| refused(of.into()))?;
    let sheet = TopologySheet {
        name: &plan.name,
        counts: &plan.fabric,
        graph: &graph,
        loads: &loads,
        routing: plan.routing.as_ref(),
        aftermath,
    };
    Ok(summary(&sheet, options.look()))
}

/// The traffic of a step; all of it can be forwarded, as one job owns whole domains.
fn demand(traffic: &Summary) -> Demand {
    Demand {
        inside: traffic.locality(Locality::InsideDomain),
        along_rail: traffic.locality(Locality::AlongRail),
        across_rails: traffic.locality(Locality::AcrossRails),
        unforwardable: Bytes::ZERO,
    }
}

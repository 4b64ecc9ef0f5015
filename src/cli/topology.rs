//! `planner topology`: the designed fabric as a graph, its link loads, and failures.

use clap::Args;

use super::args::{Export, Options, SpecArgs};
use super::failure::Failure;
use super::input;
use crate::design::{self, Failing};
use crate::fabric::{self, Chances};
use crate::parallel::Placement;
use crate::reliability::Rates;
use crate::report::topology::{FailureSheet, TopologySheet, drawing, summary, topology};
use crate::routing::{self, Demand};
use crate::traffic::{Locality, Summary};
use crate::units::{Bytes, Seconds};

/// Arguments of `planner topology`.
#[derive(Args, Debug)]
pub(super) struct TopologyArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// What fails: `switch:leaf-3`, `link:leaf-3/spine-1`, `cable:leaf-3/spine-1` (one of several),
    /// `gpu:3.1` (domain, rail), `domain:3`, `plane:1`, `rail:2`; repeats, and all fail at once
    #[arg(long, value_name = "WHAT", value_parser = fabric::Failure::parse)]
    fail: Vec<fabric::Failure>,
    /// Let fail at random what published rates let fail in so many days, all at once
    #[arg(long, value_name = "DAYS", value_parser = days)]
    fail_days: Option<f64>,
    /// Which draw of random failures
    #[arg(long, value_name = "N", default_value_t = 1, requires = "fail_days")]
    seed: u64,
}

/// The graph or its summary as text.
pub(super) fn run(args: &TopologyArgs, options: &Options) -> Result<String, Failure> {
    let scenario = input::whole(&args.spec.spec, options)?;
    let plan = design::design_with(&scenario, &options.solver())?;
    let wired = design::wiring(&plan);
    let failing = !args.fail.is_empty() || args.fail_days.is_some();
    let svg = options.export() == Some(Export::Svg);
    if svg && !failing {
        // What can't be wired one by one can still be drawn folded together.
        return Ok(drawing(&plan.name, &plan.fabric, wired.as_ref().ok(), &[]));
    }
    let graph = wired.map_err(refused)?;
    if failing && options.belongs_to().is_some() {
        let failures = args.failing().on(&graph);
        let broken = graph.broken(&failures).map_err(refused)?;
        return Ok(match options.graph() {
            Some(format) => topology(&graph.without(&broken), format),
            None => drawing(&plan.name, &plan.fabric, Some(&graph), &failures),
        });
    }
    if let Some(format) = options.graph().filter(|_| !failing) {
        return Ok(topology(&graph, format));
    }
    let fallen = match failing {
        true => {
            design::after_failures(&scenario, &plan, &graph, &args.failing()).map_err(refused)?
        }
        false => Vec::new(),
    };
    let node = &plan.nodes.node;
    let machine = Placement::packed(node.gpus, node.nics);
    let loads = routing::loads(&demand(&plan.traffic), &plan.fabric, machine).map_err(refused)?;
    let sheet = TopologySheet {
        name: &plan.name,
        counts: &plan.fabric,
        graph: &graph,
        loads: &loads,
        routing: plan.routing.as_ref(),
        failures: failing
            .then(|| FailureSheet { domains: u64::from(plan.nodes.domains), fabrics: &fallen }),
        inside: plan.nodes.node.inside(plan.nodes.domains.into()),
        reliability: &design::reliability(&plan),
    };
    options.report(|look| summary(&sheet, look))
}

impl TopologyArgs {
    /// What fails: by name, and by a draw at published rates.
    fn failing(&self) -> Failing {
        let drawn = self.fail_days.map(|days| {
            let (rates, time) = (Rates::published(), Seconds::days(days));
            let chances = Chances {
                gpu: rates.gpu.chance(time),
                link: rates.link.chance(time),
                switch: rates.switch.chance(time),
            };
            (chances, self.seed)
        });
        Failing { named: self.fail.clone(), drawn }
    }
}

fn refused(error: impl std::error::Error + Send + Sync + 'static) -> Failure {
    Failure::refused(error, "")
}

/// A number of days above zero and no longer than a century.
fn days(text: &str) -> Result<f64, String> {
    const MOST: f64 = 36_525.0;
    let days: f64 = text.trim().parse().map_err(|_| "write a number of days".to_owned())?;
    if days > 0.0 && days <= MOST { Ok(days) } else { Err(format!("give 0 to {MOST} days")) }
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

//! `planner topology`: the designed fabric as a graph, its link loads, and failures.

use anyhow::anyhow;
use clap::Args;

use super::args::{ExportFormat, Options, SpecArgs};
use super::failure::Failure;
use super::input;
use crate::design::{self, AftermathReport, ClusterQuestion, FailureRequest, Plan, Reliability};
use crate::fabric::{self, FabricGraph, FailureChances};
use crate::parallel::Placement;
use crate::reliability::PerYear;
use crate::report::ClusterSheets;
use crate::report::topology::{
    Drawn, FailureSheet, TopologySheet, drawings, summaries, topologies,
};
use crate::routing::{self, RailDemand, RailLoads};
use crate::scenario::Scenario;
use crate::traffic::{Locality, TrafficSummary};
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

/// The graphs or their summary as text.
pub(super) fn run(args: &TopologyArgs, options: &Options) -> Result<String, Failure> {
    let scenario = input::scenario(&args.spec.spec, options)?;
    if design::clusters(&scenario).len() > 1 && !args.fail.is_empty() {
        let error =
            anyhow!("each part or stage has a fabric of its own, and `--fail` names parts of one");
        return Err(input::single_cluster_error(error, &scenario));
    }
    let plan = design::design_with_house_rule(&scenario, &options.solver())?;
    let scenario = design::asked(&scenario, &plan);
    let clusters = design::clusters_with_plans(&scenario, &plan);
    let failing = !args.fail.is_empty() || args.fail_days.is_some();
    let graphs = || clusters.iter().map(|(_, plan)| design::wiring(plan));
    if options.export() == Some(ExportFormat::Svg) && !failing {
        // What can't be wired one by one can still be drawn folded together.
        let graphs: Vec<Option<FabricGraph>> = graphs().map(Result::ok).collect();
        let drawn = clusters.iter().zip(&graphs);
        let drawn = drawn.map(|((_, of), graph)| (&*of.name, &of.fabric, graph.as_ref(), &[][..]));
        return Ok(drawings(&drawn.collect::<Vec<Drawn<'_>>>()));
    }
    let graphs: Vec<FabricGraph> = graphs().collect::<Result<_, _>>().map_err(refused)?;
    let sheets = |graphs| {
        let names = clusters.iter().map(|(cluster, _)| &cluster.name);
        ClusterSheets { name: &scenario.name, each: names.zip(graphs).collect() }
    };
    if failing && options.belongs_to().is_some() {
        return broken(args, options, &clusters, &graphs);
    }
    if let Some(format) = options.graph().filter(|_| !failing) {
        return Ok(topologies(&sheets(graphs.iter().collect::<Vec<_>>()), format));
    }
    let found = clusters.iter().zip(&graphs).map(|((cluster, plan), graph)| {
        let scenario = &cluster.scenario;
        FabricFindings::of(scenario, plan, graph, failing.then(|| args.failing(scenario)))
    });
    let found: Vec<FabricFindings> = found.collect::<Result<_, _>>()?;
    let each = clusters.iter().zip(&graphs).zip(&found);
    let each =
        each.map(|(((cluster, plan), graph), found)| (&cluster.name, found.sheet(plan, graph)));
    let sheets = ClusterSheets { name: &scenario.name, each: each.collect() };
    options.report(|look| summaries(&sheets, look))
}

/// The graphs without what fails, or drawings with it.
fn broken(
    args: &TopologyArgs,
    options: &Options,
    clusters: &[(ClusterQuestion, &Plan)],
    graphs: &[FabricGraph],
) -> Result<String, Failure> {
    let failures: Vec<Vec<fabric::Failure>> = clusters
        .iter()
        .zip(graphs)
        .map(|((of, _), graph)| args.failing(&of.scenario).failures_on_graph(graph))
        .collect();
    let Some(format) = options.graph() else {
        let drawn =
            clusters.iter().zip(graphs).zip(&failures).map(|(((_, of), graph), failures)| {
                (&*of.name, &of.fabric, Some(graph), &failures[..])
            });
        return Ok(drawings(&drawn.collect::<Vec<Drawn<'_>>>()));
    };
    let left = graphs.iter().zip(&failures).map(|(graph, failures)| {
        graph
            .parts_out_of_service(failures)
            .map(|broken| graph.remove_broken(&broken))
            .map_err(refused)
    });
    let left: Vec<FabricGraph> = left.collect::<Result<_, _>>()?;
    let names = clusters.iter().map(|(cluster, _)| &cluster.name);
    let sheets = ClusterSheets { name: "", each: names.zip(&left).collect() };
    Ok(topologies(&sheets, format))
}

/// What is known of the fabric of a cluster beside its graph.
struct FabricFindings {
    fallen: Option<Vec<AftermathReport>>,
    loads: RailLoads,
    reliability: Reliability,
}

impl FabricFindings {
    fn of(
        scenario: &Scenario,
        plan: &Plan,
        graph: &FabricGraph,
        failing: Option<FailureRequest>,
    ) -> Result<Self, Failure> {
        let node = &plan.nodes.node;
        let machine = Placement::packed(node.gpus, node.nics);
        let fallen = failing.map(|failing| design::after_failures(scenario, plan, graph, &failing));
        Ok(Self {
            fallen: fallen.transpose().map_err(refused)?,
            loads: routing::loads(&demand(&plan.traffic), &plan.fabric, machine)
                .map_err(refused)?,
            reliability: design::reliability(scenario, plan).map_err(refused)?,
        })
    }

    fn sheet<'a>(&'a self, plan: &'a Plan, graph: &'a FabricGraph) -> TopologySheet<'a> {
        let domains = plan.nodes.domains.into();
        TopologySheet {
            name: &plan.name,
            counts: &plan.fabric,
            graph,
            loads: &self.loads,
            routing: plan.routing.as_ref(),
            failures: self.fallen.as_ref().map(|fabrics| FailureSheet {
                domains,
                spare_trays: plan.failures.spare_trays,
                fabrics,
            }),
            inside: plan.nodes.node.inside_of_domains(domains),
            reliability: &self.reliability,
        }
    }
}

impl TopologyArgs {
    /// What fails: by name, and by a draw at the rates of `[failures]`.
    fn failing(&self, scenario: &Scenario) -> FailureRequest {
        let drawn = self.fail_days.map(|days| {
            let (rates, time) = (&scenario.failures, Seconds::days(days));
            let chances = FailureChances {
                gpu: rates.gpu_failure_rate().chance(time),
                link: PerYear::from_events(rates.link).chance(time),
                switch: PerYear::from_events(rates.switch).chance(time),
            };
            (chances, self.seed)
        });
        FailureRequest { named: self.fail.clone(), drawn }
    }
}

fn refused(error: impl std::error::Error + Send + Sync + 'static) -> Failure {
    Failure::usage_error(error, "")
}

/// A number of days above zero and no longer than a century.
fn days(text: &str) -> Result<f64, String> {
    const MOST: f64 = 36_525.0;
    let days: f64 = text.trim().parse().map_err(|_| "write a number of days".to_owned())?;
    if days > 0.0 && days <= MOST { Ok(days) } else { Err(format!("give 0 to {MOST} days")) }
}

/// The traffic of a step; all of it can be forwarded, as one job owns whole domains.
fn demand(traffic: &TrafficSummary) -> RailDemand {
    RailDemand {
        inside: traffic.locality(Locality::InsideDomain),
        along_rail: traffic.locality(Locality::AlongRail),
        across_rails: traffic.locality(Locality::AcrossRails),
        unforwardable: Bytes::ZERO,
    }
}

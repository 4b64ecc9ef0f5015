//! `planner network SPEC`: the designed fabric as a graph, its link loads, and failures.

use anyhow::anyhow;
use clap::Args;

use crate::cli::args::{ExportFormat, Options, SpecArgs};
use crate::cli::errors::Failure;
use crate::cli::input;
use crate::cli::progress::watched_options;
use crate::design::{self, AftermathReport, FailureRequest, Plan, Reliability};
use crate::fabric::{self, FabricGraph, FailureChances};
use crate::parallel::Placement;
use crate::parallel::placement::Locality;
use crate::reliability::PerYear;
use crate::report::ClusterSheets;
use crate::report::topology::{
    Drawn, FailureSheet, TopologySheet, draw_fabrics, render_topologies, topologies_text,
};
use crate::routing::{self, RailDemand, RailLoads};
use crate::scenario::{ClusterQuestion, Scenario};
use crate::traffic::TrafficSummary;
use crate::units::{Bytes, Seconds};

/// Arguments of `planner network SPEC`.
#[derive(Args, Debug)]
pub(in crate::cli) struct TopologyArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// `switch:leaf-3`, `link:leaf-3/spine-1`, `cable:leaf-3/spine-1` (one of a link), `gpu:3.1`
    /// (domain, rail), `domain:3`, `plane:1`, `rail:2`; repeats: all at once
    #[arg(long, value_name = "WHAT", value_parser = fabric::Failure::parse)]
    fail: Vec<fabric::Failure>,
    /// What fails in so many days by published rates, at random, all at once
    #[arg(long, value_name = "DAYS", value_parser = parse_days)]
    fail_days: Option<f64>,
    /// Which draw
    #[arg(long, value_name = "N", default_value_t = 1, requires = "fail_days")]
    seed: u64,
}

/// The graphs or their summary as text.
pub(in crate::cli) fn run_topology(
    args: &TopologyArgs,
    options: &Options,
) -> Result<String, Failure> {
    let scenario = input::load_scenario(&args.spec.spec, options)?;
    if design::list_clusters(&scenario).len() > 1 && !args.fail.is_empty() {
        let error =
            anyhow!("each part or stage has a fabric of its own, and `--fail` names parts of one");
        return Err(input::single_cluster_error(error, &scenario));
    }
    let plan = design::design_with_default_rules(&scenario, &watched_options(options))?;
    let scenario = design::question_of_plan(&scenario, &plan);
    let clusters = design::clusters_with_plans(&scenario, &plan);
    let failing = !args.fail.is_empty() || args.fail_days.is_some();
    let graphs = || clusters.iter().map(|(_, plan)| design::wiring(plan));
    if options.export_format() == Some(ExportFormat::Svg) && !failing {
        // What can't be wired one by one can still be drawn folded together.
        let graphs: Vec<Option<FabricGraph>> = graphs().map(Result::ok).collect();
        let drawn = clusters.iter().zip(&graphs);
        let drawn = drawn.map(|((_, cluster_plan), graph)| {
            (&*cluster_plan.name, &cluster_plan.fabric, graph.as_ref(), &[][..])
        });
        return Ok(draw_fabrics(&drawn.collect::<Vec<Drawn<'_>>>()));
    }
    let graphs: Vec<FabricGraph> = graphs().collect::<Result<_, _>>().map_err(topology_failure)?;
    let sheets = |graphs| {
        let names = clusters.iter().map(|(cluster, _)| &cluster.name);
        ClusterSheets { name: &scenario.name, each: names.zip(graphs).collect() }
    };
    if failing && options.is_special_format() {
        return broken_graphs(args, options, &clusters, &graphs);
    }
    if let Some(format) = options.graph_format().filter(|_| !failing) {
        return Ok(topologies_text(&sheets(graphs.iter().collect::<Vec<_>>()), format));
    }
    let found = clusters.iter().zip(&graphs).map(|((cluster, plan), graph)| {
        let scenario = &cluster.scenario;
        FabricFindings::for_plan(
            scenario,
            plan,
            graph,
            failing.then(|| args.failure_request(scenario)),
        )
    });
    let found: Vec<FabricFindings> = found.collect::<Result<_, _>>()?;
    let each = clusters.iter().zip(&graphs).zip(&found);
    let each = each.map(|(((cluster, plan), graph), found)| {
        (&cluster.name, found.topology_sheet(plan, graph))
    });
    let sheets = ClusterSheets { name: &scenario.name, each: each.collect() };
    options.render_report(|look| render_topologies(&sheets, look))
}

/// The graphs without what fails, or drawings with it.
fn broken_graphs(
    args: &TopologyArgs,
    options: &Options,
    clusters: &[(ClusterQuestion, &Plan)],
    graphs: &[FabricGraph],
) -> Result<String, Failure> {
    let failures: Vec<Vec<fabric::Failure>> = clusters
        .iter()
        .zip(graphs)
        .map(|((question, _), graph)| {
            args.failure_request(&question.scenario).failures_on_graph(graph)
        })
        .collect();
    let Some(format) = options.graph_format() else {
        let drawn =
            clusters.iter().zip(graphs).zip(&failures).map(|(((_, plan), graph), failures)| {
                (&*plan.name, &plan.fabric, Some(graph), &failures[..])
            });
        return Ok(draw_fabrics(&drawn.collect::<Vec<Drawn<'_>>>()));
    };
    let left = graphs.iter().zip(&failures).map(|(graph, failures)| {
        graph
            .parts_out_of_service(failures)
            .map(|broken| graph.remove_broken(&broken))
            .map_err(topology_failure)
    });
    let left: Vec<FabricGraph> = left.collect::<Result<_, _>>()?;
    let names = clusters.iter().map(|(cluster, _)| &cluster.name);
    let sheets = ClusterSheets { name: "", each: names.zip(&left).collect() };
    Ok(topologies_text(&sheets, format))
}

/// What is known of the fabric of a cluster beside its graph.
struct FabricFindings {
    fallen: Option<Vec<AftermathReport>>,
    loads: RailLoads,
    reliability: Reliability,
}

impl FabricFindings {
    fn for_plan(
        scenario: &Scenario,
        plan: &Plan,
        graph: &FabricGraph,
        failing: Option<FailureRequest>,
    ) -> Result<Self, Failure> {
        let node = &plan.nodes.node;
        let machine = Placement::with_packed_domains(node.gpus, node.nics);
        let fallen = failing.map(|failing| design::after_failures(scenario, plan, graph, &failing));
        Ok(Self {
            fallen: fallen.transpose().map_err(topology_failure)?,
            loads: routing::loads(&rail_demand(&plan.traffic), &plan.fabric, machine)
                .map_err(topology_failure)?,
            reliability: design::compare_reliability(scenario, plan).map_err(topology_failure)?,
        })
    }

    fn topology_sheet<'a>(&'a self, plan: &'a Plan, graph: &'a FabricGraph) -> TopologySheet<'a> {
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
    fn failure_request(&self, scenario: &Scenario) -> FailureRequest {
        let drawn = self.fail_days.map(|days| {
            let (rates, time) = (&scenario.failures, Seconds::from_days(days));
            let chances = FailureChances {
                gpu: rates.gpu_failure_rate().event_probability(time),
                link: PerYear::from_events(rates.link).event_probability(time),
                switch: PerYear::from_events(rates.switch).event_probability(time),
            };
            (chances, self.seed)
        });
        FailureRequest { named: self.fail.clone(), drawn }
    }
}

fn topology_failure(error: impl std::error::Error + Send + Sync + 'static) -> Failure {
    Failure::usage_error(error, "")
}

/// A number of days above zero and no longer than a century.
fn parse_days(text: &str) -> Result<f64, String> {
    const MOST: f64 = 36_525.0;
    let days: f64 = text.trim().parse().map_err(|_| "write a number of days".to_owned())?;
    if days > 0.0 && days <= MOST { Ok(days) } else { Err(format!("give 0 to {MOST} days")) }
}

/// The traffic of a step; all of it can be forwarded, as one job owns whole domains.
fn rail_demand(traffic: &TrafficSummary) -> RailDemand {
    RailDemand {
        inside: traffic.bytes_of_locality(Locality::InsideDomain),
        along_rail: traffic.bytes_of_locality(Locality::AlongRail),
        across_rails: traffic.bytes_of_locality(Locality::AcrossRails),
        unforwardable: Bytes::ZERO,
    }
}

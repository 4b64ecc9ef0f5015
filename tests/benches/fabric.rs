//! What counting a fabric costs (it must not grow with its size), and what wiring it costs.

use std::hint::black_box;

use divan::{AllocProfiler, Bencher};
use planner::design::{design, wiring};
use planner::fabric::{
    FabricGraph, FabricKind, RailRequest, Ratio, Request, SwitchChoice, SwitchModel, rail_builds,
    tree_counts,
};
use planner::parallel::{Placed, Placement};
use planner::routing::{AssumedCall, Paths, RoutingManner, route_step};
use planner::scenario::Workload;
use planner::spec::presets;
use planner::spec::read_scenario;
use planner::step::Step;
use planner::timing::{Clock, NetworkModel};
use planner::units::Bandwidth;

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

fn clos(endpoints: u64, radix: u32) -> Request<'static> {
    let link = Bandwidth::from_gigabits(400.0);
    Request::new(FabricKind::Clos, endpoints, 8, SwitchChoice::Radix(radix), link)
}

#[divan::bench(args = [1024, 16_384, 131_072, 1_048_576])]
fn count(bencher: Bencher<'_, '_>, gpus: u64) {
    bencher.bench(|| tree_counts(black_box(&clos(gpus, 128))).map(|counts| counts.switch_count()));
}

/// Three tiers of 128-port switches: 5,120 switches and 393,216 links.
#[divan::bench(args = [1024, 16_384, 131_072], sample_count = 10)]
fn wire(bencher: Bencher<'_, '_>, gpus: u64) {
    bencher.bench(|| {
        FabricGraph::new(black_box(&clos(gpus, 128))).map(|graph| graph.connected_part_count())
    });
}

/// Every message of a step of a trillion parameters on 32,768 GPUs, by three rules of routing.
#[divan::bench(sample_count = 10)]
fn route_a_step(bencher: Bencher<'_, '_>) {
    let source = presets::ready_spec("gpt-1t-h100-32768").expect("the spec ships");
    let scenario = read_scenario(&source, &[]).expect("ready specs are sound");
    let plan = design(&scenario).expect("ready specs have designs");
    let node = &plan.nodes.node;
    let Workload { model, training, framework, .. } = scenario.lead_workload();
    let step = Step::new(model, training, framework, &plan.layout).expect("the plan's own layout");
    let network = NetworkModel {
        leaf_domains: plan.fabric.leaf_domains,
        within_rail: plan.fabric.within_rail,
        across_rails: plan.fabric.across_rails,
        ..NetworkModel::non_blocking(node, &plan.nodes.nic)
    };
    let graph = wiring(&plan).expect("a design can be wired");
    let clock = Clock::new(&node.gpu, &network, framework);
    let granted = clock.assumed_call_times(&step).into_iter();
    let granted: Vec<AssumedCall> = granted
        .map(|call| AssumedCall { policy: call.policy, time: call.time, straight: call.straight })
        .collect();
    let placed =
        Placed::new(&step.grid, Placement::with_aligned_domains(&step.grid, node.gpus, node.nics));
    bencher.bench(|| {
        let paths = Paths::new(black_box(&graph));
        route_step(&step, &placed, &paths, RoutingManner::default(), &granted)
            .map(|routed| routed.is_within_clock_time())
    });
}

/// Rails of 8-GPU nodes, three models, seven to one.
#[divan::bench(args = [128, 2048, 16_384, 131_072], sample_count = 10)]
fn builds(bencher: Bencher<'_, '_>, endpoints: u64) {
    let sku = |radix: u32| SwitchModel { name: format!("k{radix}"), radix };
    let skus = [64, 128, 40].map(sku);
    let within = Ratio::new(1, 7).expect("not over zero");
    let request =
        RailRequest { endpoints, skus: &skus, within, across: Ratio::ZERO, models_per_rail: None };
    bencher.bench(|| rail_builds(black_box(&request)).len());
}

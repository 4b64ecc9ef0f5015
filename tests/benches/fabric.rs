//! What counting a fabric costs (it must not grow with its size), and what wiring it costs.

use std::hint::black_box;

use divan::{AllocProfiler, Bencher};
use planner::fabric::{
    FabricGraph, FabricKind, RailRequest, Ratio, Request, Sku, SwitchChoice, rail_builds, tree,
};
use planner::units::Bandwidth;

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

fn clos(endpoints: u64, radix: u32) -> Request<'static> {
    let link = Bandwidth::gigabits(400.0);
    Request::new(FabricKind::Clos, endpoints, 8, SwitchChoice::Radix(radix), link)
}

#[divan::bench(args = [1024, 16_384, 131_072, 1_048_576])]
fn count(bencher: Bencher<'_, '_>, gpus: u64) {
    bencher.bench(|| tree(black_box(&clos(gpus, 128))).map(|counts| counts.switches()));
}

/// Three tiers of 128-port switches: 5,120 switches and 393,216 links.
#[divan::bench(args = [1024, 16_384, 131_072], sample_count = 10)]
fn wire(bencher: Bencher<'_, '_>, gpus: u64) {
    bencher.bench(|| FabricGraph::new(black_box(&clos(gpus, 128))).map(|graph| graph.parts()));
}

/// Rails of 8-GPU nodes, three models, seven to one.
#[divan::bench(args = [128, 2048, 16_384, 131_072], sample_count = 10)]
fn builds(bencher: Bencher<'_, '_>, endpoints: u64) {
    let sku = |radix: u32| Sku { name: format!("k{radix}"), radix };
    let skus = [64, 128, 40].map(sku);
    let within = Ratio::new(1, 7).expect("not over zero");
    let request =
        RailRequest { endpoints, skus: &skus, within, across: Ratio::ZERO, models_per_rail: None };
    bencher.bench(|| rail_builds(black_box(&request)).len());
}

//! What sizing costs from a thousand to a million GPUs: the integer program alone on real
//! builds, and whole designs of ready specs.

use divan::{AllocProfiler, Bencher};
use planner::design::design;
use planner::fabric::{RailRequest, Ratio, SwitchModel, rail_builds};
use planner::scenario::Scenario;
use planner::sizing::{
    Class, Column, LinkEndOffer, Offer, Options, ProgramLimits, SizingProblem, solve_sizing_problem,
};
use planner::spec::{SpecText, presets, read_scenario};
use planner::units::{Usd, Watts};

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// Rails of 8-GPU nodes at full bisection from two models, with some of the first in stock.
fn problem(gpus: u64, stock: u64, power: Option<Watts>) -> SizingProblem {
    const RAILS: u64 = 8;
    let skus = [
        SwitchModel { name: "k64".into(), radix: 64 },
        SwitchModel { name: "k128".into(), radix: 128 },
    ];
    let builds = rail_builds(&RailRequest {
        endpoints: gpus / RAILS,
        skus: &skus,
        within: Ratio::ONE,
        across: Ratio::ZERO,
        models_per_rail: None,
    });
    let columns = builds
        .iter()
        .map(|build| Column {
            rails: u64::from(build.rails),
            pieces: vec![build.switches_of(0), build.switches_of(1)],
            links: build.link_count(),
            bisection: 1.0,
        })
        .collect();
    let offer = |name: &str, usd, watts, stock| Offer {
        name: name.into(),
        price: Usd::from_f64(usd),
        power: Watts::from_f64(watts),
        stock,
        supply: None,
    };
    SizingProblem {
        classes: vec![Class { name: "gpu rails".into(), rails: RAILS, columns }],
        offers: vec![offer("k64", 32_870.0, 747.0, stock), offer("k128", 51_999.0, 940.0, 0)],
        ends: LinkEndOffer { price: Usd::from_f64(659.0), power: Watts::from_f64(9.0), stock: 0 },
        limits: ProgramLimits { power, ..ProgramLimits::default() },
        counts_money: true,
        energy_per_watt: Usd::ZERO,
    }
}

#[divan::bench(args = [1024, 16_384, 131_072, 1_048_576])]
fn nothing_owned(bencher: Bencher<'_, '_>, gpus: u64) {
    let problem = problem(gpus, 0, None);
    bencher.bench(|| solve_sizing_problem(&problem, &Options::default()));
}

#[divan::bench(args = [1024, 16_384, 131_072, 1_048_576], sample_count = 10)]
fn stock(bencher: Bencher<'_, '_>, gpus: u64) {
    let problem = problem(gpus, gpus / 270, None);
    bencher.bench(|| solve_sizing_problem(&problem, &Options::default()));
}

/// A power limit that forbids to use all of the stock.
#[divan::bench(sample_count = 10)]
fn stock_under_a_power_limit(bencher: Bencher<'_, '_>) {
    let problem = problem(16_384, 300, Some(Watts::from_f64(1e6)));
    bencher.bench(|| solve_sizing_problem(&problem, &Options::default()));
}

/// 8-GPU machines of one GPU, and everything else open: layout, rank order, planes, family,
/// models, levels.
fn open_question(gpus: u32, cluster: &str) -> Scenario {
    let text = format!(
        "[model]\npreset = \"llama3-70b\"\n\
         [training]\nglobal_batch = 2048\nmicro_batch = \"auto\"\n\
         [parallelism]\norder = \"auto\"\ncontext = \"auto\"\ninterleave = \"auto\"\n\
         [cluster]\ngpus = {gpus}\n{cluster}\n"
    );
    read_scenario(&SpecText::new("open.toml", text), &[]).expect("the spec is sound")
}

/// The size that the closest published search takes 71 hours on 256 cores for, without a proof.
#[divan::bench(args = [1024, 16_384, 131_072, 1_048_576], sample_count = 1, sample_size = 1)]
fn everything_open(bencher: Bencher<'_, '_>, gpus: u32) {
    let scenario = open_question(gpus, "node = [\"dgx-h100\", \"gb200-nvl72\"]");
    bencher.bench(|| design(&scenario));
}

/// Everything open over every product and interface that ships, in up to four planes.
#[divan::bench(args = [1024, 16_384, 131_072, 1_048_576], sample_count = 1, sample_size = 1)]
fn everything_that_ships(bencher: Bencher<'_, '_>, gpus: u32) {
    let scenario = open_question(gpus, "node = \"auto\"\nnic = \"auto\"\nmax_planes = 4");
    bencher.bench(|| design(&scenario));
}

/// Likewise for the least cost of a token that is really trained, losses and repairs counted.
#[divan::bench(args = [1024, 16_384, 131_072, 1_048_576], sample_count = 1, sample_size = 1)]
fn cheapest_token_of_all_that_ships(bencher: Bencher<'_, '_>, gpus: u32) {
    let cluster = "node = \"auto\"\nnic = \"auto\"\nmax_planes = 4\n[objective]\nyears = 4";
    let scenario = open_question(gpus, cluster);
    bencher.bench(|| design(&scenario));
}

/// A quarter of the GPUs now and all of them in a year, everything open at both stages.
#[divan::bench(args = [1024, 16_384, 131_072], sample_count = 1, sample_size = 1)]
fn two_stages(bencher: Bencher<'_, '_>, gpus: u32) {
    let stage = format!("node = \"dgx-h100\"\n[[stage]]\ngpus = {gpus}\nyear = 1");
    let scenario = open_question(gpus / 4, &stage);
    bencher.bench(|| design(&scenario));
}

#[divan::bench(
    args = ["starter", "gpt3-175b-a100-1536", "llama3-405b-h100-16384", "gpt-1t-h100-32768"],
    sample_count = 10
)]
fn whole_design(bencher: Bencher<'_, '_>, name: &str) {
    let source = presets::ready_spec(name).expect("the spec ships");
    let scenario = read_scenario(&source, &[]).expect("the spec is sound");
    bencher.bench(|| design(&scenario));
}

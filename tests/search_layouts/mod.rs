//! The layout search against full enumeration: every combination built and timed by itself.

mod idle;
mod joint;
mod joint_trade_offs;
mod oracle;
mod second;

use std::num::NonZeroUsize;

use oracle::{agree, enumerate};
use planner::hardware::Gpu;
use planner::parallel::{Order, Schedule, Zero};
use planner::search::{
    Effort, Filter, Question, RankBy, RankingRequest, Space, best_layouts_within,
    best_of_fast_kernels, least_by_kernels, score_upper_bound, search_space,
};
use planner::spec::presets;
use planner::timing::NetworkModel;
use planner::units::{Bytes, Seconds};
use planner::workload::{Framework, Model, Precision, Recompute, Techniques, Training};
use proptest::prelude::{Strategy, any, prop_assert_eq, proptest};
use proptest::sample::select;

use crate::support::cases::saved_config;
use crate::support::experts::even_experts;

/// All that a search depends on.
#[derive(Debug)]
struct Job {
    model: Model,
    training: Training,
    framework: Framework,
    techniques: Techniques,
    gpu: Gpu,
    network: NetworkModel,
    gpus: u32,
}

impl Job {
    fn new(moe: bool, gpus: u32) -> Self {
        let node = &presets::preset_nodes()["dgx-h100"];
        let mut gpu = node.gpu.clone();
        gpu.memory = Bytes::from_gib(12); // small, so that some layouts do not fit
        Self {
            model: model(moe),
            training: Training {
                global_batch: 64,
                tokens: None,
                precision: Precision::Bf16,
                offload_layers: 0,
                recompute_modules: None,
            },
            // Logits that stay in fp32 leave layouts that do not fit.
            framework: Framework {
                fused_loss: false,
                ..presets::preset_frameworks()["megatron-2026"].clone()
            },
            techniques: Techniques::NONE,
            gpu,
            network: NetworkModel::non_blocking(node, &node.nic),
            gpus,
        }
    }

    fn question(&self) -> Question<'_> {
        Question {
            model: &self.model,
            training: &self.training,
            framework: &self.framework,
            techniques: &self.techniques,
            gpu: &self.gpu,
            network: &self.network,
            gpus: self.gpus,
            longest_step: Seconds::ENDLESS,
        }
    }

    fn space(&self) -> Space {
        let all = Space::all_layouts(&self.model, &self.training, self.gpus);
        Space { order: vec![Order::DP_INSIDE_PP], schedule: PLAIN.to_vec(), ..all }
    }
}

const ALL: RankingRequest = fastest(usize::MAX);

const fn fastest(top: usize) -> RankingRequest {
    RankingRequest { top, by: RankBy::StepTime }
}

const PLAIN: [Schedule; 2] = [Schedule::OneFOneB, Schedule::Interleaved];

fn model(moe: bool) -> Model {
    Model {
        name: "small".into(),
        layers: 8,
        hidden: 2048,
        heads: 16,
        kv_heads: 16,
        head_dim: 128,
        ffn: 8192,
        gated_ffn: true,
        vocab: 32_000,
        sequence: 2048,
        tied_embeddings: false,
        moe: moe.then(|| even_experts(8, 2, 2048)),
        latent_attention: None,
        window: None,
        attention_sinks: false,
        parallel_blocks: false,
        pattern: None,
        attention_gate: false,
        mamba: None,
        delta: None,
        mtp_layers: 0,
    }
}

/// The search of a space finds what enumeration finds, and with fewer to show the first of them.
#[track_caller]
fn check(job: &Job, space: &Space) {
    let question = job.question();
    let all = enumerate(&question, space);
    let found = search_space(&question, space, ALL, &Effort::SINGLE);
    agree(&found, &all);
    if space.order.len() == 1 {
        let legal: usize = all.values().map(Vec::len).sum();
        let fitting = all.values().flatten().filter(|entry| entry.fits).count();
        assert_eq!((found.legal, found.fitting), (legal as u64, fitting as u64));
    }
    assert_eq!(found.fitting, found.best.len() as u64);
    let few = search_space(&question, space, fastest(5), &Effort::SINGLE);
    assert_eq!((few.legal, few.fitting), (found.legal, found.fitting));
    assert_eq!(few.best[..], found.best[..few.best.len()]);
}

#[track_caller]
fn check_whole(job: &Job, narrow: impl Fn(&mut Space)) {
    let mut space = job.space();
    narrow(&mut space);
    let found = search_space(&job.question(), &space, RankingRequest::FASTEST, &Effort::SINGLE);
    assert!(found.legal > 100 && found.fitting < found.legal && found.fitting > 0, "{found:?}");
    check(job, &space);
}

#[test]
fn a_dense_search_equals_full_enumeration() {
    check_whole(&Job::new(false, 32), |space| space.context = vec![1, 2]);
}

#[test]
fn a_search_over_every_rank_order_equals_full_enumeration() {
    check_whole(&Job::new(false, 16), |space| {
        space.context = vec![1, 2];
        space.order = Order::all_orders();
        space.zero.truncate(2);
        space.interleave.truncate(2);
        space.micro_batch.truncate(2);
        space.recompute = vec![Recompute::Selective];
    });
}

#[test]
fn a_search_over_every_schedule_equals_full_enumeration() {
    check_whole(&Job::new(false, 16), |space| {
        space.context = vec![1];
        space.schedule = Schedule::ALL.to_vec();
    });
}

/// With virtual stages the last stage sends to the first, which a leaf's uplinks feel.
#[test]
fn a_search_on_a_network_that_blocks_equals_full_enumeration() {
    let mut job = Job::new(false, 12);
    job.model.layers = 5;
    (job.model.heads, job.model.kv_heads) = (6, 3);
    job.training.global_batch = 12;
    job.network =
        NetworkModel { domain: 4, nics: 4, leaf_domains: Some(2), within_rail: 0.5, ..job.network };
    let orders = ["dp-ep-pp-tp-cp", "tp-pp-cp-dp-ep", "tp-cp-ep-dp-pp"];
    let order = orders.map(|text| Order::parse(text).expect(text)).to_vec();
    check(&job, &Space { order, context: vec![1, 2], ..job.space() });
}

#[test]
fn a_search_with_data_parallelism_stated_equals_full_enumeration() {
    check_whole(&Job::new(false, 32), |space| {
        space.context = vec![1];
        space.data = vec![4];
    });
}

#[test]
fn a_mixture_of_experts_search_equals_full_enumeration() {
    check_whole(&Job::new(true, 16), |space| {
        space.context = vec![1];
        space.recompute = vec![Recompute::None, Recompute::Full];
    });
}

#[test]
fn layers_need_not_divide_into_stages() {
    let mut job = Job::new(false, 24);
    job.model.layers = 7;
    let space = Space { pipeline: vec![3, 4, 6], ..job.space() };
    check(&job, &space);
    let found = search_space(&job.question(), &space, RankingRequest::FASTEST, &Effort::SINGLE);
    assert!(found.legal > 0);
}

/// A domain of twelve GPUs leaves four idle beside a group of eight, so that the fastest layout
/// is not the cheapest.
#[test]
fn by_cost_layouts_that_leave_fewer_gpus_idle_come_first() {
    let mut job = Job::new(true, 96);
    job.training.global_batch = 96;
    job.network = NetworkModel { domain: 12, nics: 12, ..job.network };
    let job = job;
    let space = Space { context: vec![1], ..job.space() };
    let found = |top, by| {
        search_space(&job.question(), &space, RankingRequest { top, by }, &Effort::SINGLE)
    };
    let all = found(usize::MAX, RankBy::StepTime);
    let cost = |layout: &planner::search::RankedLayout| {
        layout.time.total_time().get() * f64::from(layout.domains)
    };
    let least = all.best.iter().map(cost).fold(f64::INFINITY, f64::min);
    let cheap = found(3, RankBy::UsdPerToken);
    assert_eq!(cost(&cheap.best[0]), least);
    assert!(cheap.best.is_sorted_by_key(cost));
    assert_eq!((cheap.legal, cheap.fitting), (all.legal, all.fitting));
}

#[test]
fn a_filtered_search_finds_what_is_left_of_the_whole_one() {
    let job = Job::new(false, 32);
    let space = Space { context: vec![1, 2], ..job.space() };
    let mut narrow = space.clone();
    for text in ["tensor<=4", "data>=4", "recompute!=full", "schedule=interleaved", "zero=1,3"] {
        narrow.narrow_by_filter(&text.parse::<Filter>().expect(text));
    }
    let mut whole = search_space(&job.question(), &space, ALL, &Effort::SINGLE);
    whole.best.retain(|layout| {
        layout.layout.tensor <= 4
            && layout.layout.data >= 4
            && layout.layout.recompute != Recompute::Full
            && layout.layout.schedule == Schedule::Interleaved
            && matches!(layout.layout.zero, Zero::Optimizer | Zero::Parameters)
    });
    let found = search_space(&job.question(), &narrow, ALL, &Effort::SINGLE);
    assert!(!found.best.is_empty());
    assert_eq!(found.best, whole.best);
}

#[test]
fn threads_change_nothing() {
    let job = Job::new(true, 32);
    let space = Space { order: Order::all_orders(), context: vec![1, 2], ..job.space() };
    let found = |threads| {
        let threads = NonZeroUsize::new(threads).expect("above zero");
        let effort = Effort { threads, ..Effort::SINGLE };
        search_space(&job.question(), &space, fastest(50), &effort)
    };
    let alone = found(1);
    for threads in [2, 3, 7] {
        assert_eq!(found(threads), alone, "{threads} threads");
    }
}

/// Small jobs of any kind on any kind of machine.
fn jobs() -> impl Strategy<Value = (Job, Space)> {
    let shape = (1..7_u32, select(vec![4_u64, 6, 8]), any::<bool>(), 2..40_u128);
    let machine = (
        select(vec![4_u32, 6, 8, 12]),
        select(vec![2_u32, 4, 8]),
        select(vec![1_u32, 2, 4]),
        any::<bool>(),
    );
    let orders = proptest::sample::subsequence(Order::all_orders(), 1..4);
    let schedules = proptest::sample::subsequence(Schedule::ALL.to_vec(), 1..4);
    (shape, machine, orders, schedules, select(vec![6_u64, 8, 12])).prop_map(
        |((layers, heads, moe, gib), (gpus, domain, nics, blocks), order, schedule, batch)| {
            let mut job = Job::new(moe, gpus);
            job.model.layers = layers;
            (job.model.heads, job.model.kv_heads) = (heads, heads / 2);
            job.training.global_batch = batch;
            job.gpu.memory = Bytes::from_gib(gib);
            let leaf_domains = blocks.then_some(2);
            let within_rail = if blocks { 0.5 } else { 1.0 };
            let (network, nics) = (job.network.clone(), nics.min(domain));
            job.network = NetworkModel { domain, nics, leaf_domains, within_rail, ..network };
            let mut space = Space { order, schedule, ..job.space() };
            space.context.truncate(2);
            (job, space)
        },
    )
}

proptest! {
    #![proptest_config(saved_config(24, "search_layouts"))]

    #[test]
    fn generated_small_spaces_are_searched_as_if_enumerated((job, space) in jobs()) {
        check(&job, &space);
        let two = NonZeroUsize::new(2).expect("above zero");
        let effort = Effort { threads: two, ..Effort::SINGLE };
        let alone = search_space(&job.question(), &space, fastest(3), &Effort::SINGLE);
        prop_assert_eq!(search_space(&job.question(), &space, fastest(3), &effort), alone);
    }

    /// What is left out is of no use, whatever is known from another machine.
    #[test]
    fn the_best_few_are_those_of_enumeration(
        (job, space) in jobs(),
        away in select(vec![0_u32, 0, 3]),
        top in 1..40_usize,
        (slower, domain) in (1..9_u32, select(vec![1_u32, 2, 4])),
    ) {
        let job = Job { training: Training { offload_layers: away, ..job.training.clone() }, ..job };
        let (question, wanted) = (job.question(), fastest(top));
        let nic = job.network.nic / f64::from(slower);
        let other = NetworkModel { nic, domain, nics: 1, ..job.network.clone() };
        let elsewhere = Question { network: &other, ..question };
        let like = search_space(&elsewhere, &space, wanted, &Effort::SINGLE).best;
        let limit = score_upper_bound(&question, &space, wanted, &like);
        let found = best_layouts_within(&question, &space, wanted, &Effort::SINGLE, limit);
        let whole = search_space(&question, &space, wanted, &Effort::SINGLE);
        prop_assert_eq!(&found.best, &whole.best);
        prop_assert_eq!(found.legal, whole.legal);
        let quick = best_of_fast_kernels(&question, &space, wanted, &Effort::SINGLE, limit);
        prop_assert_eq!(&quick.expect("a small space"), &whole.best);
        let kernels = least_by_kernels(&question, &space).expect("a small space");
        let least = whole.best.first().map_or(Seconds::ENDLESS, |layout| layout.time.total_time());
        prop_assert_eq!(kernels.min(least * (1.0 + 1e-12)), kernels, "{:?}", least);
        if space.order.len() == 1 {
            let all = enumerate(&question, &space);
            let fitting = all.values().flatten().filter(|entry| entry.fits);
            let mut times: Vec<f64> = fitting.map(|entry| entry.seconds).collect();
            times.sort_by(f64::total_cmp);
            times.truncate(top);
            let found: Vec<f64> = found.best.iter().map(|layout| layout.time.total_time().get()).collect();
            prop_assert_eq!(found, times);
        }
    }
}

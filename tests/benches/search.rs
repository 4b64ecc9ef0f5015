//! How many layouts a search looks at per second.

use std::fs;
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use divan::Bencher;
use divan::counter::ItemsCount;
use planner::hardware::{Calibration, Gpu, NcclGeneration, Peaks};
use planner::parallel::{Order, Schedule};
use planner::search::{Effort, Question, RankBy, RankingRequest, Space, search_space};
use planner::timing::NetworkModel;
use planner::units::{Bandwidth, Bytes, FlopRate, Seconds, Watts};
use planner::workload::{Framework, Model, Precision, Techniques, Training};

fn main() {
    divan::main();
    let named: Vec<String> =
        std::env::args().skip(1).filter(|text| !text.starts_with('-')).collect();
    if named.is_empty() || named.iter().any(|name| name.contains("two_threads")) {
        two_threads();
    }
}

/// Searches on one and on two threads in turn. Where other programs have the cores, the fastest
/// wall time of each still falls into quiet moments, and processor time shows work done twice.
#[expect(clippy::print_stdout, reason = "what was measured is what a benchmark is for")]
fn two_threads() {
    const PAIRS: u32 = 12;
    let mut wall = [Duration::MAX; 2];
    let mut busy = [0.0; 2];
    for _ in 0..PAIRS {
        for threads in [1, 2] {
            job(
                4096,
                threads,
                |_| {},
                |question, space, wanted, effort| {
                    let (start, before) = (Instant::now(), processor_time());
                    black_box(search_space(question, space, wanted, effort));
                    wall[threads - 1] = wall[threads - 1].min(start.elapsed());
                    busy[threads - 1] += processor_time() - before;
                },
            );
        }
    }
    let [one, two] = wall.map(|time| time.as_secs_f64());
    println!(
        "gpt3_on_4096, {PAIRS} pairs: fastest {one:.3} s on one thread, {two:.3} s on two: {:.1} % of \
         twice as fast; processor time {:.2} s and {:.2} s: {:.1} %",
        100.0 * one / two / 2.0,
        busy[0],
        busy[1],
        100.0 * busy[0] / busy[1],
    );
}

/// Seconds that this process has had of all cores, in ticks of 10 ms (proc(5), fields 14 and 15 of
/// stat); 0 where the system does not say.
fn processor_time() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The whole space of GPT-3 175B on 4,096 A100: every degree, micro-batch, number of virtual
/// stages, schedule, rank order, ZeRO, recomputation and sequence-parallel setting.
#[divan::bench(args = [1, 2], max_time = 60)]
fn gpt3_on_4096(bencher: Bencher<'_, '_>, threads: usize) {
    whole(bencher, 4096, threads, |_| {});
}

/// Every layout on 512 GPUs, on one thread.
#[divan::bench(max_time = 20)]
fn gpt3_on_512(bencher: Bencher<'_, '_>) {
    whole(bencher, 512, 1, |_| {});
}

/// What one framework runs: two rank orders, 1F1B and interleaved, no context parallelism.
#[divan::bench(max_time = 20)]
fn gpt3_on_4096_usual(bencher: Bencher<'_, '_>) {
    whole(bencher, 4096, 1, |space| {
        space.context = vec![1];
        space.order = vec![Order::DP_INSIDE_PP, Order::PP_INSIDE_DP];
        space.schedule = vec![Schedule::OneFOneB, Schedule::Interleaved];
    });
}

fn whole(bencher: Bencher<'_, '_>, gpus: u32, threads: usize, narrow: impl Fn(&mut Space)) {
    job(gpus, threads, narrow, |question, space, wanted, effort| {
        let found = search_space(question, space, wanted, effort);
        bencher
            .counter(ItemsCount::new(found.legal))
            .bench_local(|| search_space(black_box(question), black_box(space), wanted, effort));
    });
}

/// Does something with the search of a space that is narrowed so.
fn job(
    gpus: u32,
    threads: usize,
    narrow: impl Fn(&mut Space),
    then: impl FnOnce(&Question<'_>, &Space, RankingRequest, &Effort<'_>),
) {
    let (model, framework, gpu, network) = (model(), framework(), gpu(), network());
    let training = Training {
        global_batch: 1536,
        tokens: None,
        precision: Precision::Bf16,
        offload_layers: 0,
        recompute_modules: None,
    };
    let question = Question {
        model: &model,
        training: &training,
        framework: &framework,
        techniques: &Techniques::NONE,
        gpu: &gpu,
        network: &network,
        gpus,
        longest_step: Seconds::ENDLESS,
    };
    let mut space = Space::all_layouts(&model, &training, gpus);
    narrow(&mut space);
    let threads = NonZeroUsize::new(threads).expect("at least one");
    let effort = Effort { threads, ..Effort::SINGLE };
    then(&question, &space, RankingRequest { top: 10, by: RankBy::StepTime }, &effort);
}

fn model() -> Model {
    Model {
        name: "gpt3-175b".into(),
        layers: 96,
        hidden: 12_288,
        heads: 96,
        kv_heads: 96,
        head_dim: 128,
        ffn: 49_152,
        gated_ffn: false,
        vocab: 51_200,
        sequence: 2048,
        tied_embeddings: true,
        moe: None,
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

fn framework() -> Framework {
    Framework {
        overlap_data: true,
        overlap_tensor: true,
        overlap_pipeline: true,
        overlap_context: true,
        fused_weight_gradient: true,
        flash_attention: true,
        causal_attention: true,
        fused_elementwise: true,
        scatter_pipeline: true,
        ..Framework::new_without_features("bench")
    }
}

fn network() -> NetworkModel {
    NetworkModel {
        domain: 8,
        hb: Bandwidth::from_gigabytes(300.0),
        nics: 8,
        nic: Bandwidth::from_gigabits(200.0),
        leaf_domains: None,
        within_rail: 1.0,
        across_rails: 1.0,
        planes: 1,
        forwards: true,
        has_summing_switches: false,
        seats: planner::parallel::Seats::Even,
        balance: planner::timing::UplinkBalance::SPRAY,
    }
}

/// An A100 with round constants: the rate of the search does not depend on them.
fn gpu() -> Gpu {
    Gpu {
        name: "a100-80gb".into(),
        peaks: Peaks { bf16: Some(FlopRate::from_tera(312.0)), ..Peaks::default() },
        memory: Bytes::from_gib(80),
        host_link: Bandwidth::from_f64(25e9),
        memory_bandwidth: Bandwidth::from_gigabytes(2039.0),
        power: Watts::from_f64(400.0),
        nccl: NcclGeneration::Ampere,
        calibration: Calibration {
            measured_on: None,
            shares_of: None,
            name: "bench".into(),
            gemm_bf16: FlopRate::from_tera(275.0),
            gemm_fp8: None,
            gemm_fp4: None,
            mxfp8_share: 1.0,
            roofline_exponent: None,
            gemm_tile: 1,
            gemm_memory_share: 0.6,
            elementwise_share: 0.6,
            kernel_start: Seconds::from_micros(4.0),
            kernel_start_fp8: Seconds::from_micros(4.0),
            kernel_start_fp4: Seconds::from_micros(4.0),
            attention_forward_share: 0.5,
            attention_backward_share: 0.4,
            attention_forward_half_length: 450.0,
            attention_backward_half_length: 1000.0,
            narrow_head_share: 0.7,
            attention_fp8_gain: 1.0,
            scan_share: 0.0149,
            unaligned_rate: 1.0,
            earlier_attention_share: 0.6,
            first_attention_share: 0.4,
            hb_share: 0.7,
            nic_share: 0.9,
            collective_skew: Seconds::from_micros(30.0),
            collective_start: Seconds::from_micros(20.0),
            collective_hop_hb: Seconds::from_micros(1.0),
            collective_hop_nic: Seconds::from_micros(15.0),
            message_start: Seconds::from_micros(30.0),
            jitter_per_doubling: 0.0,
            host_step: Seconds::ZERO,
            host_block: Seconds::ZERO,
            host_experts: None,
            host_overlapped_block: Seconds::ZERO,
            expert_start: Seconds::ZERO,
            tensor_overlap_visible: 1.0,
            context_overlap_visible: 0.25,
            expert_overlap_visible: 0.6,
            data_overlap_visible: 0.2,
            sharding_overlap_visible: 1.0,
            data_overlap_window: 1.0,
        },
    }
}

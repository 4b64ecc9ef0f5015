//! How many layouts a search looks at per second.

use std::hint::black_box;
use std::num::NonZeroUsize;

use divan::Bencher;
use divan::counter::ItemsCount;
use planner::hardware::{Calibration, Gpu, Peaks};
use planner::parallel::{Order, Schedule};
use planner::search::{By, Effort, Question, Space, Wanted, search};
use planner::timing::Network;
use planner::units::{Bandwidth, Bytes, FlopRate, Seconds, Watts};
use planner::workload::{
    ContextExchange, Dispatcher, Framework, Graphs, Model, Precision, Recompute, Techniques,
    Training,
};

fn main() {
    divan::main();
}

/// The whole space of GPT-3 175B on 4,096 A100: every degree, micro-batch, number of virtual
/// stages, schedule, rank order, ZeRO, recomputation and sequence-parallel setting.
#[divan::bench(args = [1, 2], max_time = 60)]
fn gpt3_on_4096(bencher: Bencher<'_, '_>, threads: usize) {
    whole(bencher, 4096, threads, |_| {});
}

/// The same on 512, on one thread.
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
    let (model, framework, gpu, network) = (model(), framework(), gpu(), network());
    let training = Training {
        global_batch: 1536,
        micro_batch: None,
        tokens: None,
        precision: Precision::Bf16,
        recompute: Recompute::None,
    };
    let question = Question {
        model: &model,
        training: &training,
        framework: &framework,
        techniques: &Techniques::NONE,
        gpu: &gpu,
        network: &network,
        gpus,
    };
    let mut space = Space::all(&model, &training, gpus);
    narrow(&mut space);
    let threads = NonZeroUsize::new(threads).expect("at least one");
    let effort = Effort { threads, ..Effort::SINGLE };
    let wanted = Wanted { top: 10, by: By::StepTime };
    let found = search(&question, &space, wanted, &effort);
    bencher
        .counter(ItemsCount::new(found.legal))
        .bench_local(|| search(black_box(&question), black_box(&space), wanted, &effort));
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
        mtp_layers: 0,
    }
}

fn framework() -> Framework {
    Framework {
        name: "bench".into(),
        gradient_bytes: 4,
        parameter_bytes: 2,
        overlap_data: true,
        overlap_tensor: true,
        overlap_pipeline: true,
        overlap_expert: false,
        fused_weight_gradient: true,
        flash_attention: true,
        causal_attention: true,
        fused_elementwise: true,
        fp8_attention: false,
        balanced_stages: false,
        single_ring_sharding: false,
        scatter_pipeline: true,
        context_exchange: ContextExchange::Gather,
        cuda_graphs: Graphs::None,
        dispatcher: Dispatcher::AllToAll,
        attention_scores: true,
        embedding: true,
        overheads: true,
        production_factor: 1.0,
    }
}

fn network() -> Network {
    Network {
        domain: 8,
        hb: Bandwidth::gigabytes(300.0),
        nics: 8,
        nic: Bandwidth::gigabits(200.0),
        leaf_domains: None,
        within_rail: 1.0,
        across_rails: 1.0,
        forwards: true,
    }
}

/// An A100 with round constants: the rate of the search does not depend on them.
fn gpu() -> Gpu {
    Gpu {
        name: "a100-80gb".into(),
        peaks: Peaks { bf16: Some(FlopRate::tera(312.0)), ..Peaks::default() },
        memory: Bytes::gib(80),
        host_link: Bandwidth::of(25e9),
        memory_bandwidth: Bandwidth::gigabytes(2039.0),
        power: Watts::of(400.0),
        calibration: Calibration {
            name: "bench".into(),
            gemm_bf16: FlopRate::tera(275.0),
            gemm_fp8: None,
            gemm_fp4: None,
            mxfp8_share: 1.0,
            roofline_exponent: None,
            gemm_tile: 1,
            gemm_memory_share: 0.6,
            elementwise_share: 0.6,
            kernel_start: Seconds::micros(4.0),
            kernel_start_fp8: Seconds::micros(4.0),
            kernel_start_fp4: Seconds::micros(4.0),
            attention_forward_share: 0.5,
            attention_backward_share: 0.4,
            attention_fp8_gain: 1.0,
            hb_share: 0.7,
            nic_share: 0.9,
            collective_skew: Seconds::micros(30.0),
            collective_start: Seconds::micros(20.0),
            collective_hop_hb: Seconds::micros(1.0),
            collective_hop_nic: Seconds::micros(15.0),
            message_start: Seconds::micros(30.0),
            jitter_per_doubling: 0.0,
            host_block: Seconds::ZERO,
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

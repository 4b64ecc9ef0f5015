//! What the traffic matrix costs, from a thousand GPUs to a million: it must not grow.

use std::hint::black_box;

use divan::{AllocProfiler, Bencher};
use planner::collective::Policy;
use planner::parallel::{Layout, Placement, Zero};
use planner::step::Step;
use planner::traffic::{BlockAxis, TrafficMatrix};
use planner::workload::{Algorithms, Dispatcher, Framework, Model, Moe, Recompute};

#[path = "../support/experts.rs"]
mod experts;
#[path = "../support/job.rs"]
mod job;

use experts::even_experts;
use job::{framework, layout, model, training};

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

const SIZES: [u32; 4] = [1024, 16_384, 131_072, 1_048_576];

/// GPT-3's shape: 8-way tensor, 8 stages, the rest replicas.
fn dense(gpus: u32) -> Step {
    sharded(gpus, Zero::Optimizer)
}

/// Likewise, with as much of the optimizer sharded as asked: without, gradients go by double trees.
fn sharded(gpus: u32, zero: Zero) -> Step {
    step(gpus, 8, 8, None, zero)
}

/// DeepSeek-V3's expert shape: 64-way expert parallel, 16 stages.
fn sparse(gpus: u32) -> Step {
    let moe = Moe { shared_experts: 1, dense_layers: 3, ..even_experts(256, 8, 2048) };
    step(gpus, 1, 16, Some(moe), Zero::Optimizer)
}

fn step(gpus: u32, tensor: u32, pipeline: u32, moe: Option<Moe>, zero: Zero) -> Step {
    let layout = Layout {
        expert: if moe.is_some() { 64 } else { 1 },
        sequence_parallel: true,
        zero,
        recompute: Recompute::Full,
        ..layout(tensor, gpus / tensor / pipeline, pipeline)
    };
    let model = Model {
        hidden: 12_288,
        heads: 96,
        kv_heads: 96,
        head_dim: 128,
        ffn: 49_152,
        vocab: 51_200,
        sequence: 2048,
        moe,
        ..model(96)
    };
    let training = training(&layout, 16);
    let framework = Framework { dispatcher: Dispatcher::HybridEp, ..framework() };
    Step::new(&model, &training, &framework, &layout).expect("the layout runs")
}

/// GPT-3 on 32,768 GPUs, every pair that carries anything as CSV.
#[divan::bench(sample_count = 5)]
fn sparse_export_of_32_768_gpus(bencher: Bencher<'_, '_>) {
    let matrix = TrafficMatrix::new(&dense(32_768), Placement::with_packed_domains(8, 8));
    bencher.bench_local(|| {
        planner::report::matrix::write_matrix_csv(&matrix, &mut std::io::sink()).is_ok()
    });
}

/// The block sums of a picture, at the size where nobody could store the cells.
#[divan::bench(args = SIZES)]
fn blocks_for_a_picture(bencher: Bencher<'_, '_>, gpus: u32) {
    let matrix = TrafficMatrix::new(&sparse(gpus), Placement::with_packed_domains(8, 8));
    bencher.bench_local(|| black_box(matrix.sum_by_blocks(BlockAxis::Gpu, 256)));
}

#[divan::bench(args = SIZES)]
fn summary_dense_in_nodes_of_8(bencher: Bencher<'_, '_>, gpus: u32) {
    let step = dense(gpus);
    bencher.bench_local(|| {
        black_box(TrafficMatrix::new(&step, Placement::with_packed_domains(8, 8)).summary())
    });
}

#[divan::bench(args = SIZES)]
fn summary_dense_in_racks_of_72(bencher: Bencher<'_, '_>, gpus: u32) {
    let step = dense(gpus);
    bencher.bench_local(|| {
        black_box(TrafficMatrix::new(&step, Placement::with_packed_domains(72, 72)).summary())
    });
}

#[divan::bench(args = SIZES)]
fn summary_sparse_in_nodes_of_8(bencher: Bencher<'_, '_>, gpus: u32) {
    let step = sparse(gpus);
    bencher.bench_local(|| {
        black_box(TrafficMatrix::new(&step, Placement::with_packed_domains(8, 8)).summary())
    });
}

#[divan::bench(args = SIZES)]
fn summary_sparse_in_racks_of_72(bencher: Bencher<'_, '_>, gpus: u32) {
    let step = sparse(gpus);
    bencher.bench_local(|| {
        black_box(TrafficMatrix::new(&step, Placement::with_packed_domains(72, 72)).summary())
    });
}

/// All gradients by NCCL's choice, which is double trees from three nodes on.
#[divan::bench(args = SIZES)]
fn summary_of_zero_0(bencher: Bencher<'_, '_>, gpus: u32) {
    let step = sharded(gpus, Zero::None);
    bencher.bench_local(|| {
        black_box(TrafficMatrix::new(&step, Placement::with_packed_domains(8, 8)).summary())
    });
}

/// Double trees over groups that the borders of 72-GPU domains cut.
#[divan::bench(args = SIZES)]
fn summary_of_zero_0_by_double_trees_in_racks_of_72(bencher: Bencher<'_, '_>, gpus: u32) {
    let step = sharded(gpus, Zero::None);
    let policy = Policy::from(Algorithms::DoubleTree);
    let matrix = || {
        TrafficMatrix::with_policy(&step, Placement::with_packed_domains(72, 72), &policy).summary()
    };
    bencher.bench_local(|| black_box(matrix()));
}

#[divan::bench(args = SIZES)]
fn summary_of_zero_3(bencher: Bencher<'_, '_>, gpus: u32) {
    let step = sharded(gpus, Zero::Parameters);
    bencher.bench_local(|| {
        black_box(TrafficMatrix::new(&step, Placement::with_packed_domains(8, 8)).summary())
    });
}

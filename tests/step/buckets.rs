//! In how many messages gradients and new parameters go, against plain walks of a model's list of
//! parameters by the rules of the stacks: Megatron-Core (`param_and_grad_buffer.py`), DeepSpeed
//! (`stage_1_and_2.py`), PyTorch (`reducer.cpp`).

use planner::parallel::{Layout, Schedule, Zero};
use planner::step::{Collective, Step, TrafficKind};
use planner::workload::{Framework, Model, Moe};

use crate::support::job::{framework, layout, model, training};

/// Llama 3.1 8B.
fn llama() -> Model {
    Model {
        hidden: 4096,
        heads: 32,
        kv_heads: 8,
        head_dim: 128,
        ffn: 14336,
        gated_ffn: true,
        vocab: 128_256,
        sequence: 8192,
        tied_embeddings: false,
        ..model(32)
    }
}

/// Elements of its parameters in the order of registration: of a layer the output of attention,
/// norm, queries with keys and values, norm, both inputs of the feed-forward block, its output. The
/// norm before the head, which no block counts, is left out.
fn parameters(layers: std::ops::Range<u64>) -> Vec<u64> {
    const H: u64 = 4096;
    let mut all = if layers.start == 0 { vec![128_256 * H] } else { Vec::new() };
    for _ in layers.clone() {
        all.extend([H * H, H, H * (32 + 8 + 8) * 128, H, 2 * 14_336 * H, 14_336 * H]);
    }
    all.extend(if layers.end == 32 { vec![128_256 * H] } else { Vec::new() });
    all
}

/// Last first; a bucket closes as soon as it has that many.
fn filled(parameters: &[u64], sizes: [u64; 2]) -> u64 {
    let (mut buckets, mut held) = (0, 0);
    for parameter in parameters.iter().rev() {
        held += parameter;
        if held >= sizes[usize::from(buckets > 0)] {
            (buckets, held) = (buckets + 1, 0);
        }
    }
    buckets + u64::from(held > 0)
}

/// Last first; what does not fit starts another bucket.
fn limited(parameters: &[u64], most: u64) -> u64 {
    let (mut buckets, mut held) = (0, 0);
    for parameter in parameters.iter().rev() {
        if held > 0 && held + parameter > most {
            (buckets, held) = (buckets + 1, 0);
        }
        held += parameter;
    }
    buckets + u64::from(held > 0)
}

/// Messages by stage of each kind of call among replicas.
fn messages(model: &Model, framework: &Framework, layout: &Layout) -> Vec<(Collective, Vec<u64>)> {
    let step = Step::new(model, &training(layout, 4), framework, layout);
    let step = step.unwrap_or_else(|problems| panic!("{problems:?}"));
    let of_data = step.communications.iter().filter(|call| call.kind == TrafficKind::Data);
    let of_stages = of_data.map(|call| {
        let stages = 0..step.stages.len();
        (call.collective, stages.map(|stage| call.messages_per_call(stage)).collect())
    });
    of_stages.collect()
}

fn stack(name: &str, overlap_data: bool) -> Framework {
    Framework { name: name.into(), overlap_data, ..framework() }
}

#[test]
fn megatron_closes_a_bucket_with_the_parameter_that_fills_it() {
    let megatron = stack("megatron-2026", true);
    for (data, buckets) in [(8, 98), (64, 65), (128, 34), (1024, 7)] {
        let size = 40_000_000.max(1_000_000 * u64::from(data));
        assert_eq!(filled(&parameters(0..32), [size; 2]), buckets, "{data} replicas");
        for zero in [Zero::None, Zero::Optimizer] {
            let layout = Layout { zero, ..layout(1, data, 1) };
            for (_, counted) in messages(&llama(), &megatron, &layout) {
                assert_eq!(counted, [buckets], "{data} replicas, {zero:?}");
            }
        }
    }
    // Ranks that share a sequence are replicas of the parameters too.
    let shared = Layout { context: 8, ..layout(1, 8, 1) };
    assert_eq!(messages(&llama(), &megatron, &shared), [(Collective::AllReduce, vec![65])]);
}

/// The first stage ends last, so that only its gradients are cut; of virtual stages, each a model with
/// buffers of its own, only those of the first. Where nothing overlaps none are.
#[test]
fn megatron_cuts_only_what_the_first_stage_holds() {
    let layout = Layout { zero: Zero::Optimizer, ..layout(1, 8, 4) };
    let first = filled(&parameters(0..8), [40_000_000; 2]);
    assert!(first > 20);
    let expected = vec![first, 1, 1, 1];
    assert_eq!(
        messages(&llama(), &stack("megatron-2026", true), &layout),
        [(Collective::ReduceScatter, expected.clone()), (Collective::AllGather, expected)]
    );
    for (_, counted) in messages(&llama(), &stack("megatron-2021", false), &layout) {
        assert_eq!(counted, [1; 4]);
    }
    let layout = Layout { interleave: 4, schedule: Schedule::Interleaved, ..layout };
    let first = filled(&parameters(0..2), [40_000_000; 2]);
    for (_, counted) in messages(&llama(), &stack("megatron-2026", true), &layout) {
        assert_eq!(counted, [first + 3, 4, 4, 4]);
    }
    for (_, counted) in messages(&llama(), &stack("megatron-2021", false), &layout) {
        assert_eq!(counted, [4; 4]);
    }
}

/// Routed experts have buckets of their own, a matrix an expert, and those of all else do not grow.
#[test]
fn experts_have_buckets_of_their_own() {
    let moe = Moe {
        experts: 64,
        top_k: 2,
        shared_experts: 0,
        ffn: 1408,
        shared_ffn: None,
        latent: None,
        dense_layers: 0,
        capacity_factor: 1.0,
        loads: Vec::new(),
        biases: false,
        load_deviation: 0.0,
        limit: None,
    };
    let model = Model { moe: Some(moe), ..llama() };
    let layout = Layout { expert: 8, ..layout(1, 64, 1) };
    let counted = messages(&model, &stack("megatron-2026", true), &layout);
    const H: u64 = 4096;
    let (mut dense, mut routed) = (vec![128_256 * H], Vec::new());
    for _ in 0..32 {
        dense.extend([H * H, H, H * (32 + 8 + 8) * 128, H, 64 * H]);
        routed.extend([2 * 1408 * H; 8]);
        routed.extend([1408 * H; 8]);
    }
    dense.push(128_256 * H);
    let expected = [dense, routed].map(|all| vec![filled(&all, [64_000_000; 2])]);
    assert_eq!(counted.into_iter().map(|(_, count)| count).collect::<Vec<_>>(), expected);
}

#[test]
fn deepspeed_and_pytorch_cut_every_stage() {
    let deepspeed = Framework { bucket_all_reduce: true, ..stack("deepspeed-2026", false) };
    let halves = [parameters(0..16), parameters(16..32)];
    let at = |zero| Layout { zero, ..layout(1, 8, 2) };
    let reduced = halves.each_ref().map(|half| limited(half, 500_000_000));
    assert_eq!(
        messages(&llama(), &deepspeed, &at(Zero::Optimizer)),
        [(Collective::AllReduce, reduced.to_vec()), (Collective::AllGather, vec![1; 2])]
    );
    let gathered = halves.each_ref().map(|half| limited(half, 50_000_000));
    let full = messages(&llama(), &deepspeed, &at(Zero::Parameters));
    for (collective, counted) in full {
        let gathers = collective == Collective::AllGather;
        assert_eq!(counted, if gathers { gathered } else { reduced }, "{collective:?}");
    }
    // Gradients of 4 bytes: the first bucket of 1 MiB closes with the head.
    let pytorch = messages(&llama(), &stack("fsdp-2024", true), &at(Zero::None));
    let elements = [1 << 18, 25 << 18];
    let buckets = halves.each_ref().map(|half| filled(half, elements));
    assert_eq!(pytorch, [(Collective::AllReduce, buckets.to_vec())]);
    // What is wrapped by block is sent by block: embedding and head are one each.
    let wrapped = messages(&llama(), &stack("fsdp-2024", true), &at(Zero::Parameters));
    assert!(wrapped.iter().all(|(_, counted)| *counted == [17, 17]));
}

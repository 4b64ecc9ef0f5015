//! The layout search against full enumeration: every combination built and timed by itself.

use planner::memory::ledger;
use planner::parallel::{Layout, Order, Schedule, Zero};
use planner::search::{Question, Space, search};
use planner::spec::presets;
use planner::step::Step;
use planner::timing::{Network, step_time};
use planner::units::Bytes;
use planner::workload::{Model, Moe, Precision, Recompute, Techniques, Training};

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
        moe: moe.then_some(Moe {
            experts: 8,
            top_k: 2,
            shared_experts: 0,
            ffn: 2048,
            dense_layers: 1,
            capacity_factor: 1.0,
        }),
        latent_attention: None,
        window: None,
        mtp_layers: 0,
    }
}

/// Every combination of the space, each legal one built and timed from scratch: legal, fitting,
/// and the times of the fitting ones in ascending order.
fn enumerate(question: &Question<'_>, space: &Space) -> (u64, u64, Vec<f64>) {
    let (mut legal, mut times) = (0, Vec::new());
    for layout in layouts(question.gpus, space) {
        let nothing_to_shard = layout.tensor < 2 && layout.sequence_parallel;
        if layout.pipeline < 2 && layout.interleave > 1 || nothing_to_shard {
            continue;
        }
        for recompute in &space.recompute {
            let training = Training { recompute: *recompute, ..question.training.clone() };
            let built = Step::new(question.model, &training, question.framework, &layout);
            let Ok(step) = built else { continue };
            legal += 1;
            let memory = ledger(question.model, &training, question.framework, &step);
            if memory.total() <= question.gpu.memory {
                let time = step_time(&step, question.gpu, question.network, question.framework);
                times.push(time.total().get());
            }
        }
    }
    times.sort_by(f64::total_cmp);
    (legal, times.len() as u64, times)
}

fn layouts(gpus: u32, space: &Space) -> Vec<Layout> {
    let mut all = vec![Layout {
        tensor: 1,
        pipeline: 1,
        data: 1,
        context: 1,
        expert: 1,
        expert_tensor: 1,
        interleave: 1,
        micro_batch: 1,
        sequence_parallel: false,
        zero: Zero::None,
        order: Order::DP_INSIDE_PP,
        schedule: space.schedule,
    }];
    fn with<T: Copy>(all: &mut Vec<Layout>, values: &[T], set: impl Fn(&mut Layout, T)) {
        *all = all
            .iter()
            .flat_map(|layout| values.iter().map(move |value| (layout.clone(), *value)))
            .map(|(mut layout, value)| {
                set(&mut layout, value);
                layout
            })
            .collect();
    }
    with(&mut all, &space.tensor, |layout, value| layout.tensor = value);
    with(&mut all, &space.context, |layout, value| layout.context = value);
    with(&mut all, &space.expert, |layout, value| layout.expert = value);
    with(&mut all, &space.expert_tensor, |layout, value| layout.expert_tensor = value);
    with(&mut all, &space.pipeline, |layout, value| layout.pipeline = value);
    with(&mut all, &space.micro_batch, |layout, value| layout.micro_batch = value);
    with(&mut all, &space.sequence_parallel, |layout, value| layout.sequence_parallel = value);
    with(&mut all, &space.zero, |layout, value| layout.zero = value);
    with(&mut all, &space.order, |layout, value| layout.order = value);
    with(&mut all, &space.interleave, |layout, value| {
        layout.interleave = value;
        if value > 1 && layout.schedule == Schedule::OneFOneB {
            layout.schedule = Schedule::Interleaved;
        }
    });
    all.retain(|layout| {
        let ranks = layout.tensor * layout.context * layout.pipeline;
        gpus.is_multiple_of(ranks)
    });
    for layout in &mut all {
        layout.data = gpus / (layout.tensor * layout.context * layout.pipeline);
    }
    all.retain(|layout| space.data.is_none_or(|data| data == layout.data));
    all
}

#[track_caller]
fn check(moe: bool, gpus: u32, narrow: impl Fn(&mut Space)) {
    let nodes = presets::nodes();
    let frameworks = presets::frameworks();
    let node = &nodes["dgx-h100"];
    let mut gpu = node.gpu.clone();
    gpu.memory = Bytes::gib(12); // small, so that some layouts do not fit
    let network = Network {
        domain: node.gpus,
        hb: node.hb_bandwidth,
        nics: node.nics,
        nic: node.nic.bandwidth,
        leaf_domains: None,
        within_rail: 1.0,
        across_rails: 0.0,
        forwards: true,
    };
    let training = Training {
        global_batch: 64,
        micro_batch: None,
        tokens: None,
        precision: Precision::Bf16,
        recompute: Recompute::None,
    };
    let model = model(moe);
    let question = Question {
        model: &model,
        training: &training,
        framework: &frameworks["megatron-2026"],
        techniques: &Techniques::NONE,
        gpu: &gpu,
        network: &network,
        gpus,
    };
    let mut space = Space::all(&model, &training, gpus);
    narrow(&mut space);
    let (legal, fitting, times) = enumerate(&question, &space);
    let found = search(&question, &space, usize::MAX);
    assert!(legal > 100 && fitting < legal && fitting > 0, "{legal} {fitting}");
    assert_eq!((found.legal, found.fitting), (legal, fitting));
    let ranked: Vec<f64> = found.best.iter().map(|of| of.time.total().get()).collect();
    assert_eq!(ranked, times);
    let few = search(&question, &space, 5);
    assert_eq!(few.best[..], found.best[..5]);
}

#[test]
fn a_dense_search_equals_full_enumeration() {
    check(false, 32, |space| space.context = vec![1, 2]);
}

#[test]
fn a_search_over_both_rank_orders_equals_full_enumeration() {
    check(false, 16, |space| {
        space.context = vec![1];
        space.order = vec![Order::DP_INSIDE_PP, Order::PP_INSIDE_DP];
    });
}

#[test]
fn a_search_with_data_parallelism_stated_equals_full_enumeration() {
    check(false, 32, |space| {
        space.context = vec![1];
        space.data = Some(4);
    });
}

#[test]
fn a_mixture_of_experts_search_equals_full_enumeration() {
    check(true, 16, |space| {
        space.context = vec![1];
        space.recompute = vec![Recompute::None, Recompute::Full];
    });
}

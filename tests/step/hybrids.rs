//! Layers of unlike kinds, counted by hand from the published formulas of their mixers: parameters,
//! operations, memory traffic, what is kept, and what tensor and context parallelism send.

use planner::parallel::Layout;
use planner::step::{
    BlockKind, BlockPart, Cadence, Collective, Gemm, Kernel, PartKind, Pass, Step, TrafficKind,
};
use planner::timing::{model_flops, work_of_a_token};
use planner::units::Bytes;
use planner::workload::{Delta, Layer, Mamba, Model, Moe, Pattern, Training};

use crate::support::experts::even_experts;
use crate::support::job::{framework, layout, model, training};

fn pattern(text: &str) -> Option<Pattern> {
    Some(Pattern::parse(text).expect("a pattern"))
}

/// Width 2,688 and a mixer of 64 heads, 64 wide, state 128, 8 groups (Nemotron 3 Nano).
fn hybrid(layers: u32, text: &str) -> Model {
    Model {
        hidden: 2688,
        heads: 32,
        kv_heads: 8,
        head_dim: 128,
        ffn: 7168,
        sequence: 8192,
        pattern: pattern(text),
        mamba: Some(Mamba { heads: 64, head_dim: 64, state: 128, groups: 8, conv: 4 }),
        ..model(layers)
    }
}

fn moe() -> Moe {
    Moe { dense_layers: 0, ..even_experts(16, 2, 512) }
}

#[track_caller]
fn step(model: &Model, layout: &Layout) -> Step {
    let training = Training { global_batch: 16, ..training(layout, 1) };
    let built = Step::new(model, &training, &framework(), layout);
    built.unwrap_or_else(|problems| panic!("{problems:?}"))
}

#[track_caller]
fn part(step: &Step, layer: Layer, kind: PartKind) -> &BlockPart {
    let block = step.blocks.iter().find(|this_block| this_block.kind == BlockKind::Layer(layer));
    let mut parts = block.expect("a kind of the model").parts.iter();
    parts.find(|block_part| block_part.kind == kind).expect("a part of the layer")
}

/// Operations of matrix multiplications, of scans, and bytes of memory traffic of a pass.
fn counted(part: &BlockPart, pass: Pass) -> [f64; 3] {
    let mut sums = [0.0; 3];
    for kernel in part.kernels_of_pass(pass) {
        match kernel {
            Kernel::Gemm(gemm) => sums[0] += Gemm::flops(gemm),
            Kernel::Scan { flops, .. } => sums[1] += flops,
            Kernel::Memory { bytes, .. } => sums[2] += bytes,
            Kernel::Attention { .. } => panic!("no attention in it"),
        }
    }
    sums
}

/// z, x, B, C and a step size a head: 2·4,096 + 2·8·128 + 64 = 10,304 columns; x, B and C in the
/// convolution: 6,144 channels (arXiv 2405.21060 §7.1). The scan in chunks of 128 (§6): scores of each
/// group 128·128, and in each head their product with the inputs 128·64, the state 128·64 and its
/// reading 128·64, all twice.
#[test]
fn a_mamba_layer_is_that_of_the_paper() {
    let step = step(&hybrid(2, "M-"), &layout(1, 1, 1));
    let mamba = part(&step, Layer::Mamba, PartKind::Mamba);
    let tokens = 8192.0;
    let matrices = 2.0 * tokens * 2688.0 * (10_304.0 + 4096.0);
    let scan = 2.0 * tokens * (8.0 * 128.0 * 128.0 + 64.0 * 3.0 * 128.0 * 64.0);
    let norms = tokens * 2688.0 * 10.0;
    // Convolution: read and write; gated norm: two reads and a write; 2 bytes each.
    let between = tokens * (6144.0 * 4.0 + 4096.0 * 6.0);
    assert_eq!(counted(mamba, Pass::Forward), [matrices, scan, norms + between]);
    let between = tokens * (6144.0 * 6.0 + 4096.0 * 10.0);
    let backward = counted(mamba, Pass::Backward);
    assert_eq!(backward, [2.0 * matrices, 2.0 * scan, norms + between]);
    // Norm's input and output, what the first matrix makes, the scan's result, the second one's input.
    let kept = tokens * (4.0 * 2688.0 + 2.0 * 10_304.0 + 2.0 * 4096.0 + 2.0 * 4096.0);
    assert_eq!(step.activations.kept[BlockKind::Layer(Layer::Mamba).index_among_kinds()], kept);
    // A quarter on each of four ranks, but for the norm, which each has whole.
    let four = self::step(&hybrid(2, "M-"), &layout(4, 1, 1));
    let quarter = counted(part(&four, Layer::Mamba, PartKind::Mamba), Pass::Forward);
    assert_eq!(quarter[..2], [matrices / 4.0, scan / 4.0]);
}

#[test]
fn the_elements_of_a_layer_are_those_of_its_tensors() {
    let model = hybrid(2, "M-");
    let (h, d, convolved) = (2688, 4096, 6144);
    // in_proj, out_proj, conv1d with bias, A, D and dt_bias, gated norm, norm.
    let mamba = h * 10_304 + d * h + convolved * 5 + 3 * 64 + d + h;
    assert_eq!(model.layer_parameters(Layer::Mamba, 0), mamba);
    assert_eq!(model.layer_parameters(Layer::FeedForward, 0), 2 * h * 7168 + h);
    let gated =
        Model { heads: 16, kv_heads: 2, head_dim: 256, attention_gate: true, ..hybrid(2, "G*") };
    let delta = Delta { key_heads: 16, value_heads: 32, key_dim: 128, value_dim: 128, conv: 4 };
    let gated = Model { delta: Some(delta), mamba: None, ..gated };
    // in_proj_qkvz 12,288 and in_proj_ba 64 wide, conv1d of 8,192 channels, A, dt_bias, norm of a head.
    let rule = h * (12_288 + 64) + 4096 * h + 8192 * 4 + 2 * 32 + 128 + h;
    assert_eq!(gated.layer_parameters(Layer::Delta, 0), rule);
    // Queries twice as wide: half of them is the gate.
    let attention = h * 256 * (2 * 16 + 2 * 2) + 16 * 256 * h + h;
    assert_eq!(gated.layer_parameters(Layer::Attention, 0), attention);
    let latent = Model {
        moe: Some(Moe { shared_experts: 1, shared_ffn: Some(900), latent: Some(1024), ..moe() }),
        ..hybrid(2, "ME")
    };
    let experts = 16 * 2 * 1024 * 512 + 2 * h * 900 + h * 16 + 2 * h * 1024 + h;
    assert_eq!(latent.layer_parameters(Layer::Experts, 16), experts);
    // Half of the layers on each of two stages, as a rank of two holds them.
    let two = step(&hybrid(4, "M-"), &layout(2, 1, 2));
    let held: Vec<u128> = two.stages.iter().map(|stage| stage.dense_parameters).collect();
    let layers = (mamba + 2 * h * 7168 + h) / 2;
    let embedding = 1024 * h / 2; // padded to twice 128 rows a rank
    assert_eq!(held, [layers + embedding, layers + embedding]);
}

/// Chunks of 64 tokens: three products with keys and two with values inside, half a triangle's inverse,
/// three with the state (arXiv 2412.06464 §3.3).
#[test]
fn the_gated_delta_rule_is_counted_in_chunks() {
    let delta = Delta { key_heads: 4, value_heads: 8, key_dim: 32, value_dim: 64, conv: 4 };
    let model = Model { delta: Some(delta), mamba: None, ..hybrid(2, "G-") };
    let step = step(&model, &layout(1, 1, 1));
    let rule = part(&step, Layer::Delta, PartKind::Delta);
    let inside = 64.0 * (3.0 * 32.0 + 2.0 * 64.0) + 64.0 * 64.0 / 2.0;
    let work = 2.0 * 8.0 * (inside + 3.0 * 32.0 * 64.0);
    let [matrices, scan, _] = counted(rule, Pass::Forward);
    assert_eq!(scan, 8192.0 * work);
    // Queries and keys 128 each, values and gate 512 each, decay and strength 8 each; 512 back.
    assert_eq!(matrices, 2.0 * 8192.0 * 2688.0 * (256.0 + 1024.0 + 16.0 + 512.0));
    // As a model's work: six for each element of a state.
    assert_eq!(work_of_a_token(&model, &framework()).scans, 6.0 * 8.0 * 32.0 * 64.0);
}

#[test]
fn the_work_of_a_model_counts_seven_operations_for_each_element_of_a_state() {
    let model = hybrid(4, "M-M*");
    let work = work_of_a_token(&model, &framework());
    assert_eq!(work.scans, 2.0 * 7.0 * 4096.0 * 128.0);
    // One layer of scores, half of them seen.
    assert_eq!(work.scores, 4.0 * 32.0 * 128.0 * 8192.0 / 2.0);
    let h = 2688.0;
    let mamba = h * (10_304.0 + 4096.0) + 6144.0 * 4.0;
    let attention = h * 128.0 * 2.0 * (32.0 + 8.0);
    let matrices = 2.0 * mamba + 2.0 * h * 7168.0 + attention + h * 1000.0;
    assert_eq!(work.matrices, matrices);
    let all = model_flops(
        &model,
        &Training { global_batch: 1, ..training(&layout(1, 1, 1), 1) },
        &framework(),
    );
    let token = 2.0 * matrices + work.scores + work.scans;
    assert!((all.get() / (3.0 * 8192.0 * token) - 1.0).abs() < 1e-12);
}

/// Layers without a pattern, written as one: nothing changes but the way to say it.
#[test]
fn a_transformer_written_as_a_pattern_takes_the_same_step() {
    for experts in [false, true] {
        let plain = Model { gated_ffn: true, moe: experts.then(moe), ..model(8) };
        let words = if experts { "*E *E" } else { "*- *-" };
        let written = Model { pattern: pattern(words), ..plain.clone() };
        for layout in [layout(4, 2, 2), Layout { sequence_parallel: true, ..layout(2, 2, 4) }] {
            assert_eq!(step(&plain, &layout), step(&written, &layout), "{words}");
        }
        assert_eq!(plain.parameters(), written.parameters());
        // A letter a layer: twice as many layers, and stages, bytes and work are the same.
        let letters = if experts { "*E" } else { "*-" };
        let apart = Model { layers: 16, pattern: pattern(letters), ..plain.clone() };
        let layout = Layout { sequence_parallel: true, ..layout(2, 2, 4) };
        let [one, two] = [&plain, &apart].map(|model| step(model, &layout));
        assert_eq!(sent(&one, 1), sent(&two, 1));
        let held = |this_step: &Step| {
            (this_step.stages[1].dense_parameters, this_step.stages[1].expert_parameters)
        };
        assert_eq!(held(&one), held(&two));
    }
}

/// Bytes of all calls of a stage by kind of traffic.
fn sent(step: &Step, stage: usize) -> Vec<(TrafficKind, Bytes)> {
    let read = |kind| {
        let calls = step.communications.iter().filter(move |call| call.kind == kind);
        let bytes =
            calls.map(|call| call.payload(stage) * u128::from(step.calls_per_step(call, stage)));
        (kind, bytes.sum())
    };
    TrafficKind::ALL.map(read).to_vec()
}

/// Of `M-*E` each layer but experts gathers its input and scatters its output, once; backward the input
/// is gathered again for the weight gradient.
#[test]
fn each_mixer_and_each_network_is_split_over_the_tensor_group_by_itself() {
    let model = Model { moe: Some(moe()), ..hybrid(8, "M-*E") };
    let layout = Layout { sequence_parallel: true, ..layout(4, 1, 2) };
    let step = step(&model, &layout);
    assert_eq!(step.stages.len(), 2);
    for layer in [Layer::Mamba, Layer::FeedForward, Layer::Attention, Layer::Experts] {
        assert!(
            step.stages.iter().all(|stage| stage.block_count(BlockKind::Layer(layer)) == 1),
            "{layer:?}"
        );
        let calls = |collective, pass| -> u32 {
            let read = |call: &&planner::step::Communication| {
                call.kind == TrafficKind::Tensor && call.collective == collective
            };
            let times = |cadence| match cadence {
                Cadence::PerBlock { block, pass: at, times }
                    if block == BlockKind::Layer(layer) && at == pass =>
                {
                    times
                }
                _ => 0,
            };
            step.communications.iter().filter(read).map(|call| times(call.cadence)).sum()
        };
        let pair = u32::from(layer != Layer::Experts);
        assert_eq!(calls(Collective::AllGather, Pass::Forward), pair, "{layer:?}");
        assert_eq!(calls(Collective::ReduceScatter, Pass::Forward), pair, "{layer:?}");
        assert_eq!(calls(Collective::AllGather, Pass::Backward), 2 * pair, "{layer:?}");
        assert_eq!(calls(Collective::ReduceScatter, Pass::Backward), pair, "{layer:?}");
    }
    // 8,192 tokens of 2,688 in 16 bits: five calls of each of three layers, and those of the first
    // stage's embedding.
    let residual = Bytes::new(8192 * 2688 * 2);
    let tensor = sent(&step, 0)[0].1;
    assert_eq!(tensor, residual * (u128::from(step.micro_batches) * (3 * 5 + 2)));
}

/// Experts of a latent width: a token is that wide on its way.
#[test]
fn a_token_travels_to_its_experts_in_the_width_that_they_have() {
    let sparse = |latent| Model { moe: Some(Moe { latent, ..moe() }), ..hybrid(8, "ME") };
    let layout = Layout { expert: 8, ..layout(1, 8, 1) };
    let expert = |model: &Model| sent(&step(model, &layout), 0)[4];
    let (kind, wide) = expert(&sparse(None));
    assert_eq!(kind, TrafficKind::Expert);
    let (_, narrow) = expert(&sparse(Some(672)));
    assert!(!narrow.is_zero());
    assert_eq!(narrow * 4, wide, "a quarter of 2,688");
}

/// The scan needs whole sequences: what feeds it and what it gives are exchanged, heads for tokens. B
/// and C of 8 groups go to 8 ranks, each of which has one; to 16 they go twice.
#[test]
fn a_scan_over_a_split_sequence_exchanges_heads_for_tokens() {
    let model = hybrid(2, "M-");
    let context = |tensor, context| {
        let layout = Layout { context, ..layout(tensor, 1, 1) };
        sent(&step(&model, &layout), 0)[3]
    };
    let token = |channels: u128| Bytes::new(8192 * channels * 2 * 2 * 16); // two passes, 16 batches
    let (kind, bytes) = context(1, 8);
    assert_eq!(kind, TrafficKind::Context);
    assert_eq!(bytes * 8, token(10_304 + 2 * 4096));
    assert_eq!(context(2, 8).1 * 16, token(10_304 + 2048 + 2 * 4096));
}

#[test]
fn groups_and_heads_of_a_scan_bound_the_degrees() {
    let model = hybrid(2, "M-");
    let refused = |layout: Layout| {
        let training = Training { global_batch: 16, ..training(&layout, 1) };
        let problems = Step::new(&model, &training, &framework(), &layout).err();
        problems.into_iter().flatten().map(|problem| problem.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(refused(layout(16, 1, 1)), ["tensor 16 does not divide mamba groups 8"]);
    let context = Layout { context: 128, ..layout(1, 1, 1) };
    assert_eq!(refused(context), ["tensor x context 128 does not divide mamba heads 64"]);
}

//! Bytes and memory are conserved: what a technique moves is somewhere else, and all else stays.

use planner::memory::{Footprint, Holding, Memory};
use planner::parallel::{Layout, Placement, Schedule};
use planner::spec::{SpecText, read_scenario};
use planner::step::{BlockKind, Step, Tensor, TrafficKind, rank_matrices};
use planner::technique::Recipe;
use planner::timing::{NetworkModel, step_time};
use planner::traffic::TrafficMatrix;
use planner::units::{Bandwidth, Bytes};
use planner::workload::{HandOver, Layer, Model, Moe, Sil, Swap, Swapped, Technique, Techniques};

use crate::support::experts::even_experts;
use crate::support::job::{framework, layout, model, training};

fn step(techniques: &Techniques, own: bool) -> Step {
    let schedule = if own { Schedule::Independent } else { Schedule::OneFOneB };
    let layout = Layout { schedule, ..layout(4, 6, 4) };
    cook(techniques, &layout, |recipe| recipe.heaviest_step(&layout).expect("it applies"))
}

/// What becomes of the test's recipe with these techniques.
fn cook<T>(techniques: &Techniques, layout: &Layout, read: impl Fn(&Recipe<'_>) -> T) -> T {
    let (model, framework) = (model(8), framework());
    let training = training(layout, 5);
    read(&Recipe { model: &model, training: &training, framework: &framework, techniques })
}

fn bytes(step: &Step, kind: TrafficKind) -> u128 {
    TrafficMatrix::new(step, Placement::with_packed_domains(8, 8))
        .summary()
        .bytes_of_kind(kind)
        .count()
}

fn with(on: &[Technique]) -> Techniques {
    Techniques::NONE.enable_only(on)
}

#[test]
fn each_technique_changes_its_own_traffic_only() {
    let plain = step(&Techniques::NONE, false);
    for (technique, touched) in [
        (Technique::Demo, Some(TrafficKind::Data)),
        (Technique::NarrowPipeline, Some(TrafficKind::Pipeline)),
        (Technique::Offload, None),
        (Technique::Swap, None),
        (Technique::FusedTensor, None),
        (Technique::MultiLevel, None),
        (Technique::MessageDriven, None),
    ] {
        let changed = step(&with(&[technique]), false);
        for kind in TrafficKind::ALL {
            let same = bytes(&changed, kind) == bytes(&plain, kind);
            assert_eq!(same, Some(kind) != touched, "{technique:?}, {kind:?}");
        }
    }
}

/// DeMo: every one of 6 replicas receives 5 payloads, over all ranks of all stages.
#[test]
fn demo_brings_every_replica_what_the_others_send() {
    let step = step(&with(&[Technique::Demo]), false);
    let (model, layout) = (model(8), step.layout.clone());
    let expected: u128 = step
        .stages
        .iter()
        .map(|stage| {
            let [dense, _] = rank_matrices(&model, &layout, stage);
            let own = planner::technique::own_payload(&dense, &planner::workload::Demo::DEFAULT);
            own.count() * 5 * 6 * 4 // five others, six replicas, four shards
        })
        .sum();
    assert_eq!(bytes(&step, TrafficKind::Data), expected);
}

/// Messages of 16 bits become half as large; a tied embedding's gradients stay.
#[test]
fn narrow_messages_are_half_as_large() {
    let plain = step(&Techniques::NONE, false);
    let narrow = step(&with(&[Technique::NarrowPipeline]), false);
    let tied = |step: &Step| {
        let ends =
            step.communications.iter().filter(|communication| communication.label.contains("tied"));
        let only = Step { communications: ends.cloned().collect(), ..step.clone() };
        bytes(&only, TrafficKind::Pipeline)
    };
    let messages = |step: &Step| bytes(step, TrafficKind::Pipeline) - tied(step);
    assert_eq!(2 * messages(&narrow), messages(&plain));
    assert_eq!(tied(&narrow), tied(&plain));
}

/// Stages by themselves say nothing to each other, or send activations on and get nothing back.
#[test]
fn stages_by_themselves_say_nothing() {
    let sil = |hand_over| Techniques {
        sil: Sil { hand_over, accept_unverified: true, ..Sil::DEFAULT },
        ..with(&[Technique::Sil])
    };
    let alone = step(&sil(HandOver::Labels), true);
    assert_eq!(bytes(&alone, TrafficKind::Pipeline), 0);
    let fed = bytes(&step(&sil(HandOver::Activations), true), TrafficKind::Pipeline);
    let plain = step(&Techniques::NONE, false);
    let messages =
        plain.communications.iter().filter(|communication| !communication.label.contains("tied"));
    let messages = Step { communications: messages.cloned().collect(), ..plain.clone() };
    assert_eq!(2 * fed, bytes(&messages, TrafficKind::Pipeline));
    for kind in [TrafficKind::Tensor, TrafficKind::Data] {
        assert_eq!(bytes(&alone, kind), bytes(&plain, kind));
    }
}

/// What leaves the GPU is on the host, byte for byte.
#[test]
fn offload_moves_states_and_loses_none() {
    let [plain, moved] = [Techniques::NONE, with(&[Technique::Offload])].map(|on| step(&on, false));
    assert_eq!(moved.upkeep.host, plain.upkeep.state);
    assert_eq!(moved.upkeep.state, 0.0);
    assert_eq!(moved.upkeep.weight, plain.upkeep.weight);
    assert_eq!(moved.upkeep.gradient, plain.upkeep.gradient);
}

fn swapping(what: Swapped, share: f64) -> Techniques {
    Techniques { swap: Swap { what, share }, ..with(&[Technique::Swap]) }
}

/// The search counts memory without making a step: from what the step would say.
#[test]
fn a_recipe_says_what_its_step_keeps() {
    let each = [Technique::Demo, Technique::Offload, Technique::Swap].map(|one| with(&[one]));
    let swaps = [(Swapped::Activations, 0.5), (Swapped::Parameters, 1.0)];
    let all = each.into_iter().chain(swaps.map(|(what, share)| swapping(what, share)));
    for techniques in all.chain([Techniques::NONE]) {
        let step = step(&techniques, false);
        let kept = cook(&techniques, &step.layout, |recipe| {
            (recipe.kept_activations(&step.layout), recipe.parameter_upkeep(&step.layout))
        });
        assert_eq!(kept, (step.activations, step.upkeep), "{techniques:?}");
    }
}

/// Memory on the GPU and on the host of the first stage, which has all four micro-batches in
/// flight that four stages have.
fn memory(step: &Step) -> Memory {
    const IN_FLIGHT: f64 = 4.0;
    let footprint = Footprint::from_step(step, &framework());
    Holding::new(&footprint, &step.layout, &step.stages[0]).memory_by_category(IN_FLIGHT)
}

/// Bytes that a dense layer keeps of a micro-batch.
fn kept(step: &Step) -> f64 {
    step.activations.kept[BlockKind::Layer(Layer::Dense).index_among_kinds()]
}

/// What of the activations is no longer on the GPU is on the host, but for the layer on its way.
#[test]
fn swapped_activations_are_on_the_host_byte_for_byte() {
    let whole = memory(&step(&Techniques::NONE, false));
    for share in [0.25, 0.5, 1.0] {
        let swapped = step(&swapping(Swapped::Activations, share), false);
        let found = memory(&swapped);
        let layers = f64::from(swapped.stages[0].layer_count());
        let sum = found.activations.as_f64() - kept(&swapped) + found.host.as_f64();
        let all = whole.activations.as_f64();
        assert!((sum - all).abs() <= 3.0, "{share}: {sum} {all}"); // each is rounded up
        let host = share * kept(&swapped) * layers * 4.0;
        assert!((found.host.as_f64() - host).abs() <= 1.0, "{share}: {:?} {host}", found.host);
        assert_eq!((found.weights, found.optimizer), (whole.weights, whole.optimizer));
    }
}

/// Weights on the host leave two layers of them on the GPU, and all else where it was.
#[test]
fn swapped_weights_are_on_the_host() {
    let [plain, swapped] =
        [Techniques::NONE, swapping(Swapped::Parameters, 1.0)].map(|on| step(&on, false));
    let (whole, found) = (memory(&plain), memory(&swapped));
    assert_eq!((found.weights, found.host), (Bytes::ZERO, whole.weights));
    let layers = u128::from(swapped.stages[0].layer_count());
    let at_hand = found.overhead.count() - whole.overhead.count();
    let two = whole.weights.count() * layers.min(2) / layers;
    assert!(at_hand.abs_diff(two) <= 1, "{at_hand} {two}");
    assert_eq!((found.activations, found.gradients), (whole.activations, whole.gradients));
}

/// Where the link to the host is all that takes time, the step takes its bytes over its bandwidth:
/// out and back for each micro-batch, weights for each pass and back once.
#[test]
fn a_slow_link_takes_as_long_as_its_bytes() {
    const LINK: f64 = 1e3;
    for (what, out_and_back, passes) in [
        (Swapped::Activations, 2.0, 0.0),
        (Swapped::Parameters, 0.0, 2.0),
        (Swapped::Both, 2.0, 2.0),
    ] {
        let swapped = step(&swapping(what, 1.0), false);
        let text = "model = { preset = \"gpt3-175b\" }\ntraining = { global_batch = 8 }\n\
                    cluster = { gpus = 8, node = \"dgx-h100\" }\nparallelism = { tensor = 8 }";
        let mut scenario =
            read_scenario(&SpecText::new("model.toml", text), &[]).expect("it is sound");
        let node = &mut scenario.cluster.nodes[0];
        node.gpu.host_link = Bandwidth::from_f64(LINK);
        let network = NetworkModel::non_blocking(node, &node.nic);
        let time = step_time(&swapped, &node.gpu, &network, &framework());
        let micro_batches = swapped.micro_batches as f64;
        let each = swapped.stages.iter().map(|stage| {
            let kept = kept(&swapped) * f64::from(stage.layer_count());
            let weights = 2.0 * stage.dense_parameters as f64;
            micro_batches * (out_and_back * kept + passes * weights)
        });
        let expected = each.fold(0.0, f64::max) / LINK;
        let found = time.swap.get();
        assert!((found / expected - 1.0).abs() < 1e-3, "{what:?}: {found} {expected}");
    }
}

/// The matrices of every stage have as many elements as the step counts parameters, norms aside.
#[test]
fn matrices_add_up_to_the_parameters_of_a_stage() {
    let moe = Moe { shared_experts: 1, dense_layers: 3, ..even_experts(8, 2, 96) };
    for moe in [None, Some(moe)] {
        for gated_ffn in [false, true] {
            let layout = planner::parallel::Layout {
                expert: if moe.is_some() { 2 } else { 1 },
                expert_tensor: if moe.is_some() { 4 } else { 1 },
                ..layout(4, 6, 4)
            };
            let model = Model { moe: moe.clone(), gated_ffn, ..model(8) };
            let step = Step::new(&model, &training(&layout, 5), &framework(), &layout);
            let step = step.expect("the layout runs");
            for stage in &step.stages {
                let sums = rank_matrices(&model, &layout, stage)
                    .map(|tensors| tensors.iter().map(Tensor::element_count).sum::<u128>());
                assert_eq!(sums, [stage.dense_parameters, stage.expert_parameters]);
            }
        }
    }
}

//! Bytes and memory are conserved: what a technique moves is somewhere else, and all else stays.

use planner::parallel::{Placement, Schedule};
use planner::step::{Step, TrafficKind};
use planner::technique::{Recipe, Tensor, matrices};
use planner::traffic::Matrix;
use planner::workload::{HandOver, Model, Moe, Sil, Technique, Techniques};

use crate::job::{framework, layout, model, training};

fn step(techniques: &Techniques, own: bool) -> Step {
    let schedule = if own { Schedule::Independent } else { Schedule::OneFOneB };
    let layout = planner::parallel::Layout { schedule, ..layout(4, 6, 4) };
    let (model, framework) = (model(8), framework());
    let training = training(&layout, 5);
    let recipe = Recipe { model: &model, training: &training, framework: &framework, techniques };
    recipe.step(&layout).expect("it applies")
}

fn bytes(step: &Step, kind: TrafficKind) -> u128 {
    Matrix::new(step, Placement::packed(8, 8)).summary().kind(kind).count()
}

fn with(on: &[Technique]) -> Techniques {
    Techniques::NONE.with_only(on)
}

#[test]
fn each_technique_changes_its_own_traffic_only() {
    let plain = step(&Techniques::NONE, false);
    for (technique, touched) in [
        (Technique::Demo, Some(TrafficKind::Data)),
        (Technique::NarrowPipeline, Some(TrafficKind::Pipeline)),
        (Technique::Offload, None),
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
            let [dense, _] = matrices(&model, &layout, stage);
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
        let ends = step.communications.iter().filter(|of| of.label.contains("tied"));
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
    let messages = plain.communications.iter().filter(|of| !of.label.contains("tied"));
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

/// The matrices of every stage have as many elements as the step counts parameters, norms aside.
#[test]
fn matrices_add_up_to_the_parameters_of_a_stage() {
    let moe = Moe {
        experts: 8,
        top_k: 2,
        shared_experts: 1,
        ffn: 96,
        dense_layers: 3,
        capacity_factor: 1.0,
    };
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
                let sums = matrices(&model, &layout, stage)
                    .map(|of| of.iter().map(Tensor::elements).sum::<u128>());
                assert_eq!(sums, [stage.dense_parameters, stage.expert_parameters]);
            }
        }
    }
}

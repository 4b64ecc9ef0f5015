//! Small jobs of every shape, drawn at random.

use planner::parallel::{Order, Placement, RankGrid, Schedule, Zero};
use planner::step::Step;
use planner::technique::Recipe;
use planner::workload::{
    ContextExchange, Demo, DemoGather, DemoScope, Dispatcher, HandOver, Moe, Recompute, Sil,
    Technique, Techniques,
};
use proptest::prelude::*;

use crate::support::experts::even_experts;
use crate::support::job::{framework, layout, model, training};

/// A step on GPUs.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) step: Step,
    pub(crate) placement: Placement,
}

/// Jobs of up to 512 GPUs: every dimension, any order, domains that divide and that do not.
pub(crate) fn cases() -> impl Strategy<Value = Case> {
    let degrees = (1..=8_u32, 1..=4_u32, 1..=12_u32, 1..=5_u32, 1..=24_u32, 1..=4_u32);
    let order = Just([0_usize, 1, 2, 3, 4]).prop_shuffle();
    let switches = (any::<[bool; 7]>(), 0..4_u64, 0..9_usize, 1..=3_u32, 1..=2_u64);
    let domain = (1..=40_u32, 1..=4_u32, any::<bool>());
    let drawn = (degrees, order, switches, domain, techniques());
    drawn.prop_filter_map("the layout can't run", |drawn| {
        let (degrees, order, switches, domain, techniques) = drawn;
        let (tensor, context, data, pipeline, expert, expert_tensor) = degrees;
        let alone = techniques.has_technique(Technique::Sil);
        let ([sequence_parallel, scatter, moe, gated, tied, hybrid, copied], zero, recompute, v, m) =
            switches;
        let codes = order.map(|k| ["tp", "cp", "ep", "dp", "pp"][k]).join("-");
        let interleave = if pipeline > 1 && !alone { v } else { 1 };
        let mut layout = planner::parallel::Layout {
            context,
            expert: if moe { expert } else { 1 },
            expert_tensor: if moe { expert_tensor } else { 1 },
            interleave,
            sequence_parallel,
            zero: Zero::from_stage(zero)?,
            shard: (2..=data).find(|count| copied && zero > 0 && data.is_multiple_of(*count)),
            recompute: Recompute::ALL[recompute % 3],
            order: Order::parse(&codes)?,
            schedule: match interleave {
                1 if alone => Schedule::Independent,
                1 => Schedule::OneFOneB,
                _ => Schedule::Interleaved,
            },
            ..layout(tensor, data, pipeline)
        };
        for degrees in [(data, tensor), (context * data, tensor), (1, tensor)] {
            if RankGrid::new(&layout).is_none() {
                (layout.expert, layout.expert_tensor) = degrees;
            }
        }
        let mut model = model(pipeline * interleave + 2);
        (model.gated_ffn, model.tied_embeddings) = (gated, tied);
        model.moe = moe.then(|| Moe {
            shared_experts: 1,
            ..even_experts(u64::from(layout.expert) * 2, 3, 48)
        });
        let mut framework = framework();
        framework.scatter_pipeline = scatter;
        framework.dispatcher = if hybrid { Dispatcher::HybridEp } else { Dispatcher::AllToAll };
        let training = training(&layout, m * u64::from(pipeline));
        framework.context_exchange =
            [ContextExchange::Gather, ContextExchange::Ring, ContextExchange::AllToAll]
                [recompute / 3];
        let recipe = Recipe {
            model: &model,
            training: &training,
            framework: &framework,
            techniques: &techniques,
        };
        let step = recipe.heaviest_step(&layout).ok()?;
        let (gpus, sharing, packed) = domain;
        let gpus = if gpus.is_multiple_of(3) { tensor * sharing } else { gpus };
        let nics = if gpus.is_multiple_of(sharing) { gpus / sharing } else { gpus };
        let placement = if packed {
            Placement::with_packed_domains(gpus, nics)
        } else {
            Placement::with_aligned_domains(&step.grid, gpus, nics)
        };
        (step.grid.ranks() <= 512).then_some(Case { step, placement })
    })
}

/// Mostly none; DeMo in all its forms, stages by themselves, narrow and fused messages.
fn techniques() -> impl Strategy<Value = Techniques> {
    let gather = prop_oneof![
        Just(DemoGather::Hierarchical),
        Just(DemoGather::Ring),
        Just(DemoGather::Direct)
    ];
    (0..8_u32, gather, any::<[bool; 4]>(), 1..=40_u64).prop_map(
        |(which, gather, [apart, fed, narrow, flat], top_k)| {
            let scope = if apart { DemoScope::Domains } else { DemoScope::Replicas };
            let hand_over = if fed { HandOver::Activations } else { HandOver::Labels };
            let mut on = match which {
                0..=2 => vec![Technique::Demo],
                3 => vec![Technique::Sil],
                4 => vec![Technique::Demo, Technique::Offload, Technique::FusedTensor],
                _ => Vec::new(),
            };
            if narrow {
                on.push(Technique::NarrowPipeline);
            }
            Techniques {
                demo: Demo {
                    scope,
                    gather,
                    top_k,
                    chunk: 8,
                    flat: Some(flat),
                    shards: Some(2),
                    ..Demo::DEFAULT
                },
                sil: Sil { hand_over, accept_unverified: true, ..Sil::DEFAULT },
                ..Techniques::NONE.enable_only(&on)
            }
        },
    )
}

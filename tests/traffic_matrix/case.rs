//! Small jobs of every shape, drawn at random.

use planner::parallel::{Order, Placement, RankGrid, Schedule, Zero};
use planner::step::Step;
use planner::workload::{ContextExchange, Dispatcher, Moe, Recompute};
use proptest::prelude::*;

use crate::job::{framework, layout, model, training};

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
    let switches = (any::<[bool; 6]>(), 0..4_u64, 0..9_usize, 1..=3_u32, 1..=2_u64);
    let domain = (1..=40_u32, 1..=4_u32, any::<bool>());
    (degrees, order, switches, domain).prop_filter_map("the layout can't run", |drawn| {
        let ((tensor, context, data, pipeline, expert, expert_tensor), order, switches, domain) =
            drawn;
        let ([sequence_parallel, scatter, moe, gated, tied, hybrid], zero, recompute, v, m) =
            switches;
        let codes = order.map(|k| ["tp", "cp", "ep", "dp", "pp"][k]).join("-");
        let interleave = if pipeline > 1 { v } else { 1 };
        let mut layout = planner::parallel::Layout {
            context,
            expert: if moe { expert } else { 1 },
            expert_tensor: if moe { expert_tensor } else { 1 },
            interleave,
            sequence_parallel,
            zero: Zero::from_stage(zero)?,
            order: Order::parse(&codes)?,
            schedule: if interleave > 1 { Schedule::Interleaved } else { Schedule::OneFOneB },
            ..layout(tensor, data, pipeline)
        };
        if RankGrid::new(&layout).is_none() {
            (layout.expert, layout.expert_tensor) = (data, tensor);
        }
        let mut model = model(pipeline * interleave + 2);
        (model.gated_ffn, model.tied_embeddings) = (gated, tied);
        model.moe = moe.then(|| Moe {
            experts: u64::from(layout.expert) * 2,
            top_k: 3,
            shared_experts: 1,
            ffn: 48,
            dense_layers: 1,
            capacity_factor: 1.0,
        });
        let mut framework = framework();
        framework.scatter_pipeline = scatter;
        framework.dispatcher = if hybrid { Dispatcher::HybridEp } else { Dispatcher::AllToAll };
        let mut training = training(&layout, m * u64::from(pipeline));
        training.recompute = Recompute::ALL[recompute % 3];
        framework.context_exchange =
            [ContextExchange::Gather, ContextExchange::Ring, ContextExchange::AllToAll]
                [recompute / 3];
        let step = Step::new(&model, &training, &framework, &layout).ok()?;
        let (gpus, sharing, packed) = domain;
        let gpus = if gpus.is_multiple_of(3) { tensor * sharing } else { gpus };
        let nics = if gpus.is_multiple_of(sharing) { gpus / sharing } else { gpus };
        let placement = if packed {
            Placement::packed(gpus, nics)
        } else {
            Placement::aligned(&step.grid, gpus, nics)
        };
        (step.grid.ranks() <= 512).then_some(Case { step, placement })
    })
}

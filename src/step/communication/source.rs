//! What the communications of a step follow from, and what they all count by.

use super::call::TrafficKind;
use crate::parallel::Layout;
use crate::step::{BlockKind, Pass, PipelineStage};
use crate::units::Bytes;
use crate::workload::{
    Algorithms, Framework, Layer, Model, Recompute, RecomputeModule, RecomputeModules, Training,
};

/// What the communications follow from.
pub(in crate::step) struct CommunicationInputs<'a> {
    pub(in crate::step) model: &'a Model,
    pub(in crate::step) training: &'a Training,
    pub(in crate::step) framework: &'a Framework,
    pub(in crate::step) layout: &'a Layout,
    pub(in crate::step) stages: &'a [PipelineStage],
}

impl CommunicationInputs<'_> {
    /// Sequence parallelism keeps a rank's own tokens of an input, and gathers them all again for the
    /// weight gradient; DTensor keeps what it gathered.
    pub(super) const fn gathers_inputs_again(&self) -> bool {
        self.layout.sequence_parallel && !self.framework.native_pytorch
    }

    /// torchtitan's selective recomputation keeps what was scattered, and not what was gathered.
    pub(super) fn gathers_recomputed_inputs(&self) -> bool {
        self.layout.sequence_parallel
            && self.framework.native_pytorch
            && self.layout.recompute == Recompute::Selective
    }

    /// Activations between layers of one micro-batch on one tensor-parallel group, N·h elements.
    pub(super) fn activation_payload(&self) -> Bytes {
        self.residual_bytes(self.training.precision.activation_bytes() as f64)
    }

    /// The residual stream in a format of `width` bytes.
    pub(super) fn residual_bytes(&self, width: f64) -> Bytes {
        self.bytes_of_tokens(self.model.hidden, width)
    }

    /// So many elements of each token, in a format of `width` bytes.
    pub(super) fn bytes_of_tokens(&self, elements: u64, width: f64) -> Bytes {
        Bytes::from_elements(self.micro_batch_tokens() * u128::from(elements), width)
    }

    /// Tokens of a micro-batch on one tensor-parallel group: N = b·s/c.
    pub(super) fn micro_batch_tokens(&self) -> u128 {
        u128::from(self.layout.micro_batch) * u128::from(self.model.sequence)
            / u128::from(self.layout.context)
    }

    /// The algorithms of the calls of a kind.
    pub(super) fn algorithms_of_kind(&self, kind: TrafficKind) -> Algorithms {
        let collectives = &self.framework.collectives;
        let own = match kind {
            TrafficKind::Tensor => collectives.tensor,
            TrafficKind::Pipeline => collectives.pipeline,
            TrafficKind::Data => collectives.data,
            TrafficKind::Context => collectives.context,
            TrafficKind::Expert => collectives.expert,
        };
        own.unwrap_or(collectives.all)
    }

    /// Kinds of layer that some stage holds.
    pub(super) fn layer_kinds(&self) -> impl Iterator<Item = Layer> {
        Layer::ALL.into_iter().filter(|layer| self.stage_holds(BlockKind::Layer(*layer)))
    }

    /// True where some stage holds a block of that kind.
    fn stage_holds(&self, block: BlockKind) -> bool {
        self.stages.iter().any(|stage| stage.block_count(block) > 0)
    }

    /// As [`CommunicationInputs::passes_in_order`], of routed experts.
    pub(super) fn passes_of_experts(&self) -> Vec<Pass> {
        if self.recomputes_module(RecomputeModule::Moe) {
            vec![Pass::Forward, Pass::Recompute, Pass::Backward]
        } else {
            self.passes_in_order()
        }
    }

    /// True where that part of a layer is computed again by itself.
    pub(super) fn recomputes_module(&self, module: RecomputeModule) -> bool {
        let Self { model, training, framework, layout, .. } = *self;
        !framework.native_pytorch
            && RecomputeModules::for_step(
                layout.recompute,
                training.recompute_modules,
                model,
                framework.flash_attention,
            )
            .has_module(module)
    }

    /// Forward, what is recomputed, backward.
    pub(super) fn passes_in_order(&self) -> Vec<Pass> {
        if self.layout.recompute == Recompute::Full {
            vec![Pass::Forward, Pass::Recompute, Pass::Backward]
        } else {
            vec![Pass::Forward, Pass::Backward]
        }
    }
}

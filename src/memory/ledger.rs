//! Memory ledger of each stage; footprint of blocks and parameters.

use super::Memory;
use crate::parallel::{Layout, Schedule, Zero};
use crate::step::{Activations, BlockKind, ParameterUpkeep, PipelineStage, Step};
use crate::units::Bytes;
use crate::workload::Framework;

/// Framework, workspaces and communication buffers as allocators report them, bytes (0.3 GiB;
/// assumed, within 1 % of measured totals of 28 to 114 GiB).
pub const OVERHEAD: f64 = 0.3 * (1_u64 << 30) as f64;
/// Layers whose parameters a GPU holds whole though they are kept elsewhere, gathered from other
/// ranks or fetched from the host: the one at work and the next.
const LAYERS_AT_HAND: f64 = 2.0;

/// Memory of the fullest GPU of a step; of equally full stages the first (docs/equations.md §5).
#[must_use]
pub fn memory_ledger(framework: &Framework, step: &Step) -> Memory {
    let footprint = Footprint::from_step(step, framework);
    let layout = &step.layout;
    let mut host = Bytes::ZERO;
    let fullest = step
        .stages
        .iter()
        .map(|stage| {
            let in_flight = micro_batches_in_flight(layout, step.micro_batches, stage.index);
            let memory = Holding::new(&footprint, layout, stage).memory_by_category(in_flight);
            host = host.max(memory.host);
            memory
        })
        .max_by_key(|memory| (memory.total_on_gpu(), std::cmp::Reverse(memory.stage)))
        .unwrap_or_default();
    Memory { host, ..fullest }
}

/// What a GPU of one stage holds, as a function of the micro-batches in flight: the one thing
/// that schedule and virtual stages decide.
#[derive(Clone, Debug, PartialEq)]
pub struct Holding {
    fixed: Memory, // without activations
    fixed_total: Bytes,
    shares: Shares,
    fragmentation: f64,
}

/// What the ledger of a stage is put together from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares {
    /// Parameters of the rank, without routed experts and those of routed experts.
    pub parameters: [f64; 2],
    /// Ranks that share what ZeRO shards of each.
    pub sharing: [f64; 2],
    /// Bytes of each micro-batch in flight on the GPU.
    pub kept: f64,
    /// Bytes of each micro-batch in flight on the host.
    pub offloaded: f64,
    /// Bytes of the largest transient, once.
    pub transient: f64,
    /// Bytes of whole parameters of the layers at work that are kept elsewhere.
    pub at_hand: f64,
}

impl Holding {
    /// What a GPU of `stage` holds.
    #[must_use]
    pub fn new(footprint: &Footprint, layout: &Layout, stage: &PipelineStage) -> Self {
        let upkeep = &footprint.upkeep;
        let (dense, expert) = (stage.dense_parameters as f64, stage.expert_parameters as f64);
        let whole = dense + expert;
        let sharing = [layout.shards(), layout.expert_shards()]
            .map(|replicas| upkeep.shards.map_or(replicas, |shards| shards.min(replicas)));
        let shard = dense / sharing[0] + expert / sharing[1];
        let at_hand = parameters_at_hand(layout, stage, upkeep);
        let held = |width: f64, sharded_from: Zero| {
            Bytes::rounded_up(width * if layout.zero >= sharded_from { shard } else { whole })
        };
        let fixed = Memory {
            stage: stage.index,
            weights: held(upkeep.weight, Zero::Parameters),
            gradients: held(upkeep.gradient, Zero::Gradients),
            optimizer: held(upkeep.state, Zero::Optimizer),
            activations: Bytes::ZERO,
            fragmentation: Bytes::ZERO,
            overhead: Bytes::rounded_up(OVERHEAD + upkeep.buffer + at_hand),
            host: held(upkeep.host, Zero::Optimizer) + Bytes::rounded_up(upkeep.streamed * whole),
        };
        let (kept, offloaded, transient) = stage_activation_bytes(&footprint.activations, stage);
        let fragmentation = footprint.fragmentation;
        let parameters = [dense, expert];
        let shares = Shares { parameters, sharing, kept, offloaded, transient, at_hand };
        Self { fixed_total: fixed.total_on_gpu(), fixed, shares, fragmentation }
    }

    /// What it is put together from.
    #[must_use]
    pub const fn shares(&self) -> &Shares {
        &self.shares
    }

    /// All of it, by category.
    #[must_use]
    pub fn memory_by_category(&self, in_flight: f64) -> Memory {
        let host = self.fixed.host + Bytes::rounded_up(self.shares.offloaded * in_flight);
        let activations = self.resident_activation_bytes(in_flight);
        let fragmentation = self.fragmented_bytes(self.fixed_total + activations);
        Memory { activations, fragmentation, host, ..self.fixed.clone() }
    }

    /// All of it together.
    #[must_use]
    pub fn total_bytes(&self, in_flight: f64) -> Bytes {
        let allocated = self.fixed_total + self.resident_activation_bytes(in_flight);
        allocated + self.fragmented_bytes(allocated)
    }

    fn fragmented_bytes(&self, allocated: Bytes) -> Bytes {
        Bytes::rounded_up(allocated.as_f64() * self.fragmentation)
    }

    fn resident_activation_bytes(&self, in_flight: f64) -> Bytes {
        Bytes::rounded_up(self.shares.kept * in_flight + self.shares.transient)
    }
}

/// Parameters of the layers at work that ZeRO-3 gathers, or that are fetched from the host.
fn parameters_at_hand(layout: &Layout, stage: &PipelineStage, upkeep: &ParameterUpkeep) -> f64 {
    let gathered = if layout.zero < Zero::Parameters { 0.0 } else { upkeep.weight };
    let width = gathered + upkeep.streamed;
    let layers = stage.layer_count();
    if width == 0.0 || layers == 0 {
        return 0.0;
    }
    let parameters = (stage.dense_parameters + stage.expert_parameters) as f64;
    width * parameters * LAYERS_AT_HAND.min(f64::from(layers)) / f64::from(layers)
}

/// Bytes that one micro-batch in flight keeps on the GPU and on the host, and the largest
/// transient of the stage. Where layers keep theirs on the host, one of them is on its way.
fn stage_activation_bytes(activations: &Activations, stage: &PipelineStage) -> (f64, f64, f64) {
    let offloaded = activations.offloaded_layers(stage);
    let (mut kept, mut host, mut transient, mut moving) = (0.0, 0.0, 0.0_f64, 0.0_f64);
    for (place, count) in stage.block_counts().into_iter().enumerate() {
        if count > 0 {
            kept += (f64::from(count) - offloaded[place]) * activations.kept[place];
            host += offloaded[place] * activations.kept[place];
            transient = transient.max(activations.transient[place]);
        }
        if offloaded[place] > 0.0 {
            moving = moving.max(activations.kept[place]);
        }
    }
    if stage.block_count(BlockKind::Head) > 0 {
        transient = transient.max(activations.head);
    }
    (kept, host, transient + moving)
}

/// Micro-batches whose activations stage `i` keeps at once, in units of all its chunks: all of them
/// under GPipe; p − i under 1F1B; (2(p − i − 1) + (v − 1)p + 1)/v interleaved (arXiv 2104.04473
/// §2.2, arXiv 2205.05198 appendix C); p on every stage of a zero-bubble schedule, which puts
/// weight gradients off until then (ZB-H1, arXiv 2401.10241 §2.1), and where messages drive the
/// schedule; one where stages train by themselves. Never grows with `stage`.
#[must_use]
pub fn micro_batches_in_flight(layout: &Layout, micro_batches: u64, stage: u32) -> f64 {
    let m = micro_batches as f64;
    let p = f64::from(layout.pipeline);
    let i = f64::from(stage);
    let v = f64::from(layout.interleave.max(1));
    let limit = match layout.schedule {
        Schedule::GPipe => m,
        Schedule::MessageDriven | Schedule::ZeroBubble => p,
        Schedule::Independent | Schedule::InTurn => 1.0,
        _ if layout.interleave > 1 => (2.0 * (p - i - 1.0) + (v - 1.0) * p + 1.0) / v,
        _ => p - i,
    };
    limit.min(m)
}

/// What is kept for one micro-batch and for one parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Footprint {
    /// What blocks keep of a micro-batch.
    pub(super) activations: Activations,
    /// What is kept of a parameter.
    upkeep: ParameterUpkeep,
    /// Share of what is allocated that the allocator reserves besides.
    pub(super) fragmentation: f64,
}

impl Footprint {
    /// What blocks keep and what a parameter keeps, on a framework's allocator.
    #[must_use]
    pub const fn new(
        activations: Activations,
        upkeep: ParameterUpkeep,
        framework: &Framework,
    ) -> Self {
        Self { activations, upkeep, fragmentation: framework.fragmentation }
    }

    /// The footprint of a step: what the step says, techniques included.
    #[must_use]
    pub fn from_step(step: &Step, framework: &Framework) -> Self {
        Self::new(step.activations.clone(), step.upkeep.clone(), framework)
    }
}

//! Seconds of one block for one micro-batch: its kernels, its communication, the host.

use super::Exposed;
use super::call_volumes::RankVolumes;
use super::kernel::{BlockKernels, GpuClock, PartKernels};
use super::step_time::{CallTime, LinkBusyTime};
use crate::hardware::Calibration;
use crate::step::{Block, BlockKind, Cadence, Hiding, PartKind, Pass, Step, TrafficKind};
use crate::units::Seconds;
use crate::workload::{Framework, Graphs};

/// Time of one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Direction {
    pub(super) compute: Seconds,
    pub(super) exposed: Exposed,
    /// How long links are busy, seen or not.
    pub(super) busy: LinkBusyTime,
}

impl Direction {
    pub(super) fn total_time(&self) -> Seconds {
        self.compute + self.exposed.total_time()
    }
}

/// Time of one block or of a whole stage for one micro-batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct BlockTime {
    pub(super) forward: Direction,
    /// Backward pass, what is recomputed included.
    pub(super) backward: Direction,
    /// Weight gradients, a part of the backward pass.
    pub(super) weight_gradient: Seconds,
    /// Host time that no kernel hides.
    pub(super) host: Seconds,
    /// Copies to and from the host that outlast their pass; a stage's, never a block's.
    pub(super) swap: Seconds,
    /// Time that what a layer keeps takes over the link to the host, one way.
    pub(super) kept_over_link: Seconds,
}

impl BlockTime {
    /// Both directions and the host.
    pub(super) fn total_time(&self) -> Seconds {
        self.forward.total_time() + self.backward.total_time() + self.host + self.swap
    }

    /// Adds `count` blocks.
    pub(super) fn add(&mut self, block: &Self, count: u32) {
        let times = f64::from(count);
        for (sum, one) in
            [(&mut self.forward, &block.forward), (&mut self.backward, &block.backward)]
        {
            sum.compute += one.compute * times;
            sum.exposed.add_scaled(&one.exposed, times);
            sum.busy.add_scaled(&one.busy, times);
        }
        self.weight_gradient += block.weight_gradient * times;
        self.host += block.host * times;
    }
}

/// Time of each kind of block for one micro-batch; nothing for kinds that the model lacks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockTimes([BlockTime; BlockKind::COUNT]);

impl BlockTimes {
    /// Time of each kind, by [`BlockKind::index_among_kinds`].
    pub(super) const fn by_kind(&self) -> &[BlockTime; BlockKind::COUNT] {
        &self.0
    }
}

/// Time of each kind of block of a step; `known` are their kernels, where those are known.
pub(super) fn block_times(
    machine: &GpuClock<'_>,
    wires: &RankVolumes<'_>,
    framework: &Framework,
    step: &Step,
    known: Option<&[BlockKernels]>,
) -> BlockTimes {
    let mut times = BlockTimes::default();
    for (place, block) in step.blocks.iter().enumerate() {
        let time = match known {
            Some(known) => block_time(machine, wires, framework, step, block, &known[place]),
            None => {
                let kernels = BlockKernels::time_kernels(machine, step, block);
                block_time(machine, wires, framework, step, block, &kernels)
            }
        };
        times.0[block.kind.index_among_kinds()] = time;
    }
    times
}

/// As `block_times`, as if nothing was sent.
pub(super) fn silent_block_times(
    machine: &GpuClock<'_>,
    framework: &Framework,
    step: &Step,
) -> BlockTimes {
    let mut times = BlockTimes::default();
    for block in &step.blocks {
        let kernels = BlockKernels::time_kernels(machine, step, block);
        let mut time = silent_block_time(&kernels);
        time.host = host_time(machine, framework, &kernels, &time);
        times.0[block.kind.index_among_kinds()] = time;
    }
    times
}

/// Time of a block by its kernels alone.
fn silent_block_time(kernels: &BlockKernels) -> BlockTime {
    let mut time = BlockTime {
        weight_gradient: kernels.weight_gradient,
        kept_over_link: kernels.kept_over_link,
        ..BlockTime::default()
    };
    time.forward.compute = kernels.forward;
    time.backward.compute = kernels.backward;
    time
}

/// Host time that neither the kernels of a block hide nor what it sends.
fn host_time(
    machine: &GpuClock<'_>,
    framework: &Framework,
    kernels: &BlockKernels,
    time: &BlockTime,
) -> Seconds {
    if machine.has_ideal_rates() {
        return Seconds::ZERO;
    }
    let seen = time.forward.exposed.total_time() + time.backward.exposed.total_time();
    exposed_host_time(machine.calibration(), framework, &kernels.parts, seen)
}

fn block_time(
    machine: &GpuClock<'_>,
    wires: &RankVolumes<'_>,
    framework: &Framework,
    step: &Step,
    block: &Block,
    kernels: &BlockKernels,
) -> BlockTime {
    let mut time = silent_block_time(kernels);
    let forward = [Pass::Forward];
    let backward = [Pass::Recompute, Pass::Backward];
    let [at_forward, at_backward] = kernels.multiplications;
    for (direction, passes, multiplications) in [
        (&mut time.forward, &forward[..], at_forward),
        (&mut time.backward, &backward[..], at_backward),
    ] {
        let window = Window { kind: block.kind, passes, multiplications };
        add_block_communication(direction, machine, framework, wires, step, &window);
    }
    time.host = host_time(machine, framework, kernels, &time);
    time
}

/// What a block's communication in one direction runs beside.
struct Window<'a> {
    kind: BlockKind,
    passes: &'a [Pass],
    /// Matrix multiplications in that direction.
    multiplications: Seconds,
}

/// Adds the communication of a block in one direction: what its own compute does not hide, by
/// kind, and how long it keeps the links busy. Kinds that run beside the same compute share it
/// where they share a link.
fn add_block_communication(
    direction: &mut Direction,
    machine: &GpuClock<'_>,
    framework: &Framework,
    wires: &RankVolumes<'_>,
    step: &Step,
    window: &Window<'_>,
) {
    let mut waiting = Exposed::default();
    let mut beside = [CallTime::default(); TrafficKind::ALL.len()];
    let mut fused = Exposed::default();
    for communication in &step.communications {
        let Cadence::PerBlock { block: kind, pass, times } = communication.cadence else {
            continue;
        };
        if kind != window.kind || !window.passes.contains(&pass) {
            continue;
        }
        let call = wires.call_time(machine, communication, 0);
        let times = f64::from(times);
        direction.busy.add_scaled(&call.busy, times);
        match communication.hiding {
            Hiding::Exposed => waiting.add(communication.kind, call.time * times),
            Hiding::Fused => fused.add(communication.kind, call.time * times),
            _ => beside[communication.kind as usize].add_scaled(&call, times),
        }
    }
    let mut taken = LinkBusyTime::default();
    for kind in TrafficKind::ALL {
        let call = beside[kind as usize];
        waiting.add(
            kind,
            call.exposed_time(direction.compute, &taken, visible_share(machine, framework, kind)),
        );
        taken.add_scaled(&call.busy, 1.0);
        waiting.add(kind, inside_multiplications(fused.time_of_kind(kind), window.multiplications));
    }
    direction.exposed = waiting;
}

/// Largest share of communication that fused kernels hide (FLUX, arXiv 2406.06858, abstract).
const FUSED_SHARE: f64 = 0.96;

/// Communication fused into matrix multiplications that take `window`: t − min(0.96·t, window)
/// (docs/equations.md §10.6).
fn inside_multiplications(time: Seconds, window: Seconds) -> Seconds {
    time - (time * FUSED_SHARE).min(window)
}

fn visible_share(machine: &GpuClock<'_>, framework: &Framework, kind: TrafficKind) -> f64 {
    if machine.has_ideal_rates() {
        return 0.0;
    }
    let constants = machine.calibration();
    match kind {
        TrafficKind::Tensor => {
            framework.tensor_overlap_visible.unwrap_or(constants.tensor_overlap_visible)
        }
        TrafficKind::Pipeline => 0.0,
        TrafficKind::Data => constants.data_overlap_visible,
        TrafficKind::Context => {
            framework.context_overlap_visible.unwrap_or(constants.context_overlap_visible)
        }
        TrafficKind::Expert => {
            framework.expert_overlap_visible.unwrap_or(constants.expert_overlap_visible)
        }
    }
}

/// Matrix multiplications of a part with experts whose host time the calibration states: router,
/// and the two of the experts.
const OF_EXPERTS: f64 = 3.0;

/// Host time of a block that its kernels do not hide (docs/equations.md §4.9): launches run
/// ahead of the kernels, but the counts of tokens per expert make the host wait for them, and what
/// it launches after that takes the longer the more it is.
fn exposed_host_time(
    constants: &Calibration,
    framework: &Framework,
    parts: &[PartKernels],
    communication: Seconds,
) -> Seconds {
    if framework.cuda_graphs == Graphs::Full {
        return Seconds::ZERO;
    }
    let layer: Seconds = parts.iter().map(|part| part.time).sum::<Seconds>() + communication;
    let share = communication / parts.len().max(1) as f64;
    let beyond = |host: Seconds, time: Seconds| (host - time).max(Seconds::ZERO);
    let has_experts = parts.iter().any(|part| part.kind == PartKind::Experts);
    if has_experts && framework.overlap_expert {
        return beyond(constants.host_overlapped_block, layer);
    }
    parts
        .iter()
        .map(|part| match part.kind {
            PartKind::Embedding | PartKind::Head => Seconds::ZERO,
            PartKind::Experts if framework.padded_experts => {
                beyond(constants.host_block, part.time + share)
            }
            PartKind::Experts => {
                let launched = f64::from(part.multiplications) / OF_EXPERTS;
                constants.host_experts.unwrap_or(constants.host_block) * launched
            }
            PartKind::Attention | PartKind::Mamba | PartKind::Delta | PartKind::FeedForward => {
                if framework.cuda_graphs == Graphs::Partial {
                    Seconds::ZERO
                } else {
                    beyond(constants.host_block, part.time + share)
                }
            }
        })
        .sum()
}

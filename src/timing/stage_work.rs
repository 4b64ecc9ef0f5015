//! What a stage does besides its blocks: communication once per micro-batch or once per step,
//! and the optimizer. Depends on the degrees and on what is sharded, not on the micro-batch, so
//! that a search works it out once for many layouts.

use super::Exposed;
use super::block_time::{BlockTime, BlockTimes, Direction};
use super::call_volumes::RankVolumes;
use super::kernel::GpuClock;
use super::step_time::{CallTime, LinkBusyTime};
use crate::parallel::{Group, Zero};
use crate::step::{BlockKind, Cadence, Hiding, Pass, PipelineStage, Step, TrafficKind};
use crate::units::Seconds;
use crate::workload::Framework;

/// Memory traffic of a mixed-precision Adam step without fusion, bytes per parameter: unscale
/// and clip 12, two moments and master weight read and written 24, gradients and temporaries
/// 20, copies to and from 16 bits 6.
const OPTIMIZER_BYTES_SEPARATE: f64 = 62.0;
/// Memory traffic of a fused Adam step, bytes per parameter, without the moments: gradient read 4,
/// master weight read and written 8, 16-bit weight written 2. Each of the two moments is read and
/// written.
const OPTIMIZER_BYTES_FUSED: f64 = 14.0;
const MOMENT_ACCESSES: f64 = 4.0;
/// Passes over all gradients that a fused optimizer needs besides: zeroing and the norm.
const GRADIENT_PASSES: f64 = 2.0;

/// Time that the link to the host takes for bytes either way at once, over that for those one way
/// alone: pinned copies of an H100 have 55 GB/s one way and 44 each way at once (PCIe 5.0,
/// measured).
const BOTH_WAYS: f64 = 55.0 / 44.0;

/// Communication that a pass waits for, and communication beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct CommunicationWaits {
    exposed: Exposed,
    beside: Exposed,
    busy: LinkBusyTime,   // of both
    beside_all: CallTime, // of the second
    /// Of the second too, on a stream of their own: sums among copies, which go from domain to
    /// domain where what is sharded stays inside one, so that the one layer's runs beside the next
    /// one's scatter.
    apart: CallTime,
}

impl CommunicationWaits {
    /// All that runs beside a pass of so many layers: of two streams the longer one, and the last
    /// layer of the other.
    fn overlapped_streams_time(&self, layers: u32) -> CallTime {
        let (one, other) = (self.beside_all.time, self.apart.time);
        let last = one.min(other) / f64::from(layers.max(1));
        let mut both = self.beside_all;
        both.busy.add_scaled(&self.apart.busy, 1.0);
        CallTime { time: one.max(other) + last, ..both }
    }

    /// What is seen of it beside a pass, of which a share `window` can hide communication, and
    /// of what is hidden a share `visible` is seen. The pass's own communication has the links
    /// first.
    fn exposed_beside_pass(
        &self,
        layers: u32,
        pass: &Direction,
        window: f64,
        visible: f64,
    ) -> Exposed {
        let mut seen = self.exposed;
        let total = self.beside.total_time();
        if total > Seconds::ZERO {
            let all = self.overlapped_streams_time(layers);
            let late =
                all.exposed_time(pass.total_time() * window, &pass.busy.scaled_by(window), visible);
            seen.add_scaled(&self.beside, late / total);
        }
        seen
    }

    /// Time that the interfaces have left in such a pass; `None` where nothing runs beside it.
    fn interface_time_left(&self, pass: &Direction, window: f64) -> Option<Seconds> {
        let across = self.beside_all.busy.across;
        let left = (pass.total_time() - pass.busy.across) * window - across;
        (across > Seconds::ZERO).then_some(left.max(Seconds::ZERO))
    }
}

/// Communication once per step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct OncePerStep {
    /// What is seen of it.
    pub(super) seen: Exposed,
    /// How long links are busy with it.
    pub(super) busy: LinkBusyTime,
    /// Time that the interfaces have left beside it for messages between stages, in the first
    /// forward and the last backward pass; `None` where it keeps them idle.
    pub(super) room: [Option<Seconds>; 2],
}

/// Stages of equal content, and what each does besides its blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct StageWork {
    counts: [u32; BlockKind::COUNT],
    layers: u32,
    alike: u32,
    once: [CommunicationWaits; 2], // beside the first forward and the last backward pass
    each_micro_batch: [CommunicationWaits; 2], // beside every forward and backward pass
    optimizer: Seconds,
    pieces: f64,                // whose reduction and update take turns
    reduced_over_link: Seconds, // what their reduction takes of the link to the host one way
    /// Layers' worth of activations that waits in host memory, by kind.
    offloaded: [f64; BlockKind::COUNT],
    fetches: Seconds, // of weights from the host, beside every pass
}

impl StageWork {
    /// Stages of this content.
    pub(super) const fn stage_count(&self) -> u32 {
        self.alike
    }

    /// Such stages whose weights update themselves.
    pub(super) fn without_optimizer(self) -> Self {
        Self { optimizer: Seconds::ZERO, ..self }
    }

    /// Such stages that wait for nothing from the host.
    pub(super) fn without_swap(self) -> Self {
        let offloaded = self.offloaded.map(|_| 0.0);
        Self { offloaded, fetches: Seconds::ZERO, ..self }
    }

    /// True where they wait for the host.
    pub(super) fn is_waiting_for_host(&self) -> bool {
        self.offloaded.iter().any(|layers| *layers > 0.0) || self.fetches > Seconds::ZERO
    }

    /// Layers of any kind.
    pub(super) const fn layers_per_stage(&self) -> u32 {
        self.layers
    }

    /// Time of the optimizer that the reduction of gradients before it does not hide. Piece by
    /// piece, the update of one runs beside the reduction of the next, as far as that leaves room
    /// on the GPU's link: the interfaces are reached over the one that leads to the host
    /// (docs/equations.md §10.3).
    pub(super) fn exposed_optimizer_time(&self, once: &Exposed) -> Seconds {
        let taken = self.reduced_over_link * BOTH_WAYS;
        let room = (once.time_of_kind(TrafficKind::Data) - taken).max(Seconds::ZERO);
        let later_pieces = (self.pieces - 1.0) / self.pieces;
        self.optimizer - room.min(self.optimizer) * later_pieces
    }

    /// Time of one micro-batch on such a stage.
    pub(super) fn micro_batch(
        &self,
        blocks: &BlockTimes,
        machine: &GpuClock<'_>,
        framework: &Framework,
    ) -> BlockTime {
        let mut sum = BlockTime::default();
        for (count, block) in self.counts.into_iter().zip(blocks.by_kind()) {
            if count > 0 {
                sum.add(block, count);
            }
        }
        let measured = machine.calibration().sharding_overlap_visible;
        let visible = framework.sharding_overlap_visible.unwrap_or(measured);
        let visible = if machine.has_ideal_rates() { 0.0 } else { visible };
        let [forward, backward] = &self.each_micro_batch;
        for (waits, direction) in [(forward, &mut sum.forward), (backward, &mut sum.backward)] {
            let seen = waits.exposed_beside_pass(self.layers, direction, 1.0, visible);
            direction.exposed.add_scaled(&seen, 1.0);
            direction.busy.add_scaled(&waits.busy, 1.0);
        }
        if self.is_waiting_for_host() {
            sum.swap = self.waiting_for_link(blocks, &sum);
        }
        sum
    }

    /// Time by which the link to the host outlasts the forward and the backward pass beside which
    /// it works: activations go out and come back, weights that wait there come for either.
    fn waiting_for_link(&self, blocks: &BlockTimes, sum: &BlockTime) -> Seconds {
        let away = blocks.by_kind().iter().zip(self.offloaded);
        let moved = away.map(|(block, layers)| block.kept_over_link * layers);
        let moved = moved.sum::<Seconds>() + self.fetches;
        let beyond = |pass: &Direction| (moved - pass.total_time()).max(Seconds::ZERO);
        beyond(&sum.forward) + beyond(&sum.backward)
    }

    /// Adds the calls of stage `stage`, one of these.
    fn add_stage_calls(
        &mut self,
        machine: &GpuClock<'_>,
        wires: &RankVolumes<'_>,
        step: &Step,
        stage: usize,
    ) {
        for communication in &step.communications {
            let at = |forward: bool| usize::from(!forward);
            let waits = match communication.cadence {
                Cadence::PerStep => {
                    &mut self.once[at(communication.hiding == Hiding::FirstForward)]
                }
                Cadence::PerMicroBatch { pass } => {
                    &mut self.each_micro_batch[at(pass == Pass::Forward)]
                }
                // Blocks and messages are timed elsewhere; the gather of a scattered message was
                // part of what the start of a message was fitted on.
                Cadence::PerBlock { .. }
                | Cadence::PerBoundary { .. }
                | Cadence::PerArrival { .. } => continue,
            };
            let call = wires.call_time(machine, communication, stage);
            waits.busy.add_scaled(&call.busy, 1.0);
            let sum = if communication.hiding == Hiding::Exposed {
                if self.pieces > 1.0 && communication.kind == TrafficKind::Data {
                    let across = wires.call_volumes(communication, stage).across.as_f64();
                    self.reduced_over_link += Seconds::from_f64(across / machine.host_link().get());
                }
                &mut waits.exposed
            } else {
                let copies = matches!(communication.group, Group::Copies | Group::ExpertCopies);
                let each = matches!(communication.cadence, Cadence::PerMicroBatch { .. });
                let stream = if copies && each { &mut waits.apart } else { &mut waits.beside_all };
                stream.add_scaled(&call, 1.0);
                &mut waits.beside
            };
            sum.add(communication.kind, call.time);
        }
    }

    /// Communication once per step beside the first forward and the last backward pass.
    pub(super) fn once_per_step(
        &self,
        micro_batch: &BlockTime,
        machine: &GpuClock<'_>,
    ) -> OncePerStep {
        let (window, visible) = if machine.has_ideal_rates() {
            (1.0, 0.0)
        } else {
            let constants = machine.calibration();
            (constants.data_overlap_window, constants.data_overlap_visible)
        };
        let [forward, backward] = &self.once;
        let layers = self.layers;
        let mut seen = forward.exposed_beside_pass(layers, &micro_batch.forward, window, visible);
        seen.add_scaled(
            &backward.exposed_beside_pass(layers, &micro_batch.backward, window, visible),
            1.0,
        );
        let mut busy = forward.busy;
        busy.add_scaled(&backward.busy, 1.0);
        let room = [
            forward.interface_time_left(&micro_batch.forward, window),
            backward.interface_time_left(&micro_batch.backward, window),
        ];
        OncePerStep { seen, busy, room }
    }
}

/// The stages of a step, those of equal content together, in the order of their first one; `known`
/// are they without their communication, where that is known.
pub(super) fn stage_works(
    machine: &GpuClock<'_>,
    wires: &RankVolumes<'_>,
    framework: &Framework,
    step: &Step,
    known: Option<&[(usize, StageWork)]>,
) -> Vec<StageWork> {
    let stages = match known {
        Some(known) => known.to_vec(),
        None => stage_work_without_calls(machine, framework, step),
    };
    stages
        .into_iter()
        .map(|(first, mut work)| {
            work.add_stage_calls(machine, wires, step, first);
            work
        })
        .collect()
}

/// The stages by content with nothing of their communication, each with the place of the first one.
pub(super) fn stage_work_without_calls(
    machine: &GpuClock<'_>,
    framework: &Framework,
    step: &Step,
) -> Vec<(usize, StageWork)> {
    let mut firsts: Vec<(&PipelineStage, u32)> = Vec::new();
    for stage in &step.stages {
        match firsts.iter_mut().find(|(pipeline_stage, _)| pipeline_stage.is_alike(stage)) {
            Some((_, alike)) => *alike += 1,
            None => firsts.push((stage, 1)),
        }
    }
    let work = |(stage, alike): (&PipelineStage, u32)| {
        let work = StageWork {
            counts: stage.block_counts(),
            layers: stage.layer_count(),
            alike,
            once: <[CommunicationWaits; 2]>::default(),
            each_micro_batch: <[CommunicationWaits; 2]>::default(),
            optimizer: optimizer_time(machine, framework, step, stage),
            offloaded: step.activations.offloaded_layers(stage),
            fetches: weight_fetch_time(machine, step, stage),
            reduced_over_link: Seconds::ZERO,
            pieces: step.upkeep.pieces.map_or(1.0, |update_pieces| {
                piece_count(own_parameters(step, stage), update_pieces.reduced)
            }),
        };
        (stage.index as usize, work)
    };
    firsts.into_iter().map(work).collect()
}

/// Bytes that the optimizer reads and writes on the GPU in a step, on the rank that moves most.
#[must_use]
pub fn optimizer_bytes(framework: &Framework, step: &Step) -> f64 {
    let moved = step.stages.iter().map(|stage| moved_by_optimizer(framework, step, stage));
    moved.fold(0.0, f64::max)
}

fn moved_by_optimizer(framework: &Framework, step: &Step, stage: &PipelineStage) -> f64 {
    let own = own_parameters(step, stage);
    if !framework.fused_elementwise {
        return own * OPTIMIZER_BYTES_SEPARATE;
    }
    let held = (stage.dense_parameters + stage.expert_parameters) as f64;
    let moments = MOMENT_ACCESSES * framework.moment_bytes as f64;
    own * (OPTIMIZER_BYTES_FUSED + moments)
        + held * GRADIENT_PASSES * framework.gradient_bytes as f64
}

fn optimizer_time(
    machine: &GpuClock<'_>,
    framework: &Framework,
    step: &Step,
    stage: &PipelineStage,
) -> Seconds {
    let own = own_parameters(step, stage);
    let bytes = moved_by_optimizer(framework, step, stage);
    let upkeep = &step.upkeep;
    // One stream: what comes from the host and what goes back take turns.
    let copied = own * (upkeep.from_host + upkeep.to_host);
    let link = Seconds::from_f64(copied / machine.host_link().get());
    let starts = upkeep.pieces.map_or(Seconds::ZERO, |pieces| {
        machine.memory_bound_time(0.0, pieces.starts) * piece_count(own, pieces.updated)
    });
    machine.memory_bound_time(bytes, 0)
        + link
        + starts
        + machine.small_matmul_time(own * upkeep.update_flops)
}

/// Pieces of so many parameters; at least one.
fn piece_count(own: f64, size: u64) -> f64 {
    (own / size as f64).ceil().max(1.0)
}

/// Weights of a stage that come from the host for a pass.
fn weight_fetch_time(machine: &GpuClock<'_>, step: &Step, stage: &PipelineStage) -> Seconds {
    let parameters = (stage.dense_parameters + stage.expert_parameters) as f64;
    Seconds::from_f64(step.upkeep.streamed * parameters / machine.host_link().get())
}

/// Parameters whose optimizer states a rank holds.
fn own_parameters(step: &Step, stage: &PipelineStage) -> f64 {
    let layout = &step.layout;
    let (dense, expert) = (stage.dense_parameters as f64, stage.expert_parameters as f64);
    if layout.zero == Zero::None {
        return dense + expert;
    }
    let sharing = |all: f64| step.upkeep.shards.map_or(all, |shards| shards.min(all));
    dense / sharing(layout.shards()) + expert / sharing(layout.expert_shards())
}

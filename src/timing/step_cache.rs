//! `StepCache`: what is computed of a step whatever its fabric.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use super::call_volumes::RankVolumes;
use super::counted_volumes::{CountedVolumes, FixedCall, KnownCalls};
use super::kernel::{BlockKernels, GpuClock};
use super::stage_work::{StageWork, stage_work_without_calls};
use crate::parallel::Placement;
use crate::step::{Cadence, Communication, Step};
use crate::workload::Framework;

/// What was computed so far of one step of one framework on machines of one kind. Mixing steps,
/// frameworks or machines in one cache gives wrong times.
#[derive(Debug, Default)]
pub struct StepCache {
    pub(super) counted: Arc<CountedVolumes>,
    fixed: OnceLock<FabricIndependentTimes>,
    /// Of the same step on slower interfaces, by the share of their rate.
    slower: Mutex<Vec<(u64, Arc<StepCache>)>>,
}

/// Counts of steps of which a cache is in use, and how their ranks lie.
type Known = VecDeque<(Asked, Weak<CountedVolumes>)>;

/// A step, how its ranks lie, and whether fully sharded parameters go around one ring.
type Asked = (Step, Placement, bool);

static KNOWN: Mutex<Known> = Mutex::new(VecDeque::new());

impl StepCache {
    /// For a step whose ranks lie so. What was counted of it for other machines on which they lie
    /// alike is known as long as that is in use.
    pub(crate) fn from_step(step: &Step, placement: Placement, framework: &Framework) -> Self {
        let ring = framework.single_ring_sharding;
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(_, counted)| counted.strong_count() > 0);
        let alike = |pair: &Asked| (pair.1, pair.2) == (placement, ring) && pair.0 == *step;
        let before = known.iter().find(|(pair, _)| alike(pair));
        let before = before.and_then(|(_, counted)| counted.upgrade());
        let counted = before.unwrap_or_else(|| {
            let counted = Arc::default();
            known.push_front(((step.clone(), placement, ring), Arc::downgrade(&counted)));
            counted
        });
        Self { counted, ..Self::default() }
    }

    /// For the same step on the same machines where interfaces have that share of their rate; of a
    /// share that was asked for before, the same cache.
    pub(crate) fn step_cache_at_nic_share(&self, share: f64) -> Arc<Self> {
        let mut slower = self.slower.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = slower.iter().find(|(count, _)| *count == share.to_bits()) {
            return Arc::clone(known);
        }
        let new = Arc::new(Self { counted: Arc::clone(&self.counted), ..Self::default() });
        slower.push((share.to_bits(), Arc::clone(&new)));
        new
    }

    /// What no fabric changes; `make` makes it where it is not there.
    pub(super) fn fabric_independent_times(
        &self,
        make: impl FnOnce() -> FabricIndependentTimes,
    ) -> &FabricIndependentTimes {
        self.fixed.get_or_init(make)
    }
}

/// One step of one framework on one kind of machine.
#[derive(Clone, Debug)]
pub(super) struct FabricIndependentTimes {
    /// Its ranks and its communications.
    pub(super) known: KnownCalls,
    /// Its blocks, by place.
    pub(super) blocks: Vec<BlockKernels>,
    /// Its stages by content, each with the place of the first one.
    pub(super) stages: Vec<(usize, StageWork)>,
    /// Stages that send or receive messages unlike any stage before them.
    pub(super) message_stages: Vec<usize>,
}

impl FabricIndependentTimes {
    /// Of a step on wires that know nothing yet.
    pub(super) fn new(
        machine: &GpuClock<'_>,
        wires: &RankVolumes<'_>,
        framework: &Framework,
        step: &Step,
    ) -> Self {
        let stages = 0..step.stages.len();
        let call = |communication| FixedCall {
            volumes: stages.clone().map(|stage| wires.call_volumes(communication, stage)).collect(),
            interfaces: wires.interfaces_per_rank(communication),
            tuned_members: wires.tuned_members(communication),
            candidates: vec![OnceLock::new(); step.stages.len()],
            pipelined: wires.is_pipelined(communication),
        };
        Self {
            known: KnownCalls {
                placed: wires.placed_ranks().clone(),
                elsewhere: wires.placed_ranks().placement().cross_rail_share(),
                calls: step.communications.iter().map(call).collect(),
            },
            blocks: step
                .blocks
                .iter()
                .map(|block| BlockKernels::time_kernels(machine, step, block))
                .collect(),
            stages: stage_work_without_calls(machine, framework, step),
            message_stages: message_stages(wires, step),
        }
    }
}

/// Stages that send or receive messages unlike any stage before them, as
/// [`super::Clock::message_stages`].
pub(super) fn message_stages(wires: &RankVolumes<'_>, step: &Step) -> Vec<usize> {
    let mut seen = Vec::new();
    let mut unlike = Vec::new();
    for stage in 0..step.stages.len() {
        let volumes: Vec<_> = stage_messages(step)
            .map(|(communication, _)| wires.call_volumes(communication, stage))
            .collect();
        if !seen.contains(&volumes) {
            seen.push(volumes);
            unlike.push(stage);
        }
    }
    unlike
}

/// Messages between stages, and what puts them together again where they were split.
pub(super) fn stage_messages(step: &Step) -> impl Iterator<Item = (&Communication, usize)> {
    step.communications.iter().filter_map(|communication| match communication.cadence {
        Cadence::PerBoundary { .. } => Some((communication, 0)),
        Cadence::PerArrival { .. } => Some((communication, 1)),
        _ => None,
    })
}

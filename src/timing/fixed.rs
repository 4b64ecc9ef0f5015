//! What no fabric changes in the time of a step: its kernels, the bytes of its calls, what its stages
//! do besides. Times no communication.

use super::block_kernels::BlockKernels;
use super::kernel::GpuClock;
use super::known::{FixedCall, KnownCalls};
use super::messages::message_stages;
use super::stage_work::{StageWork, stage_work_without_calls};
use super::wires::RankVolumes;
use crate::step::Step;
use crate::workload::Framework;

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

//! What no fabric changes in the time of a step: its kernels, the bytes of its calls, what its stages
//! do besides. Times no communication.

use super::block_kernels::BlockKernels;
use super::kernel::Machine;
use super::known::{FixedCall, KnownCalls};
use super::messages::message_stages;
use super::stage_work::{StageWork, without_calls};
use super::wires::Wires;
use crate::step::Step;
use crate::workload::Framework;

/// One step of one framework on one kind of machine.
#[derive(Clone, Debug)]
pub(super) struct Fixed {
    /// Its ranks and its communications.
    pub(super) known: KnownCalls,
    /// Its blocks, by place.
    pub(super) blocks: Vec<BlockKernels>,
    /// Its stages by content, each with the place of the first one.
    pub(super) stages: Vec<(usize, StageWork)>,
    /// Stages that send or receive messages unlike any stage before them.
    pub(super) message_stages: Vec<usize>,
}

impl Fixed {
    /// Of a step on wires that know nothing yet.
    pub(super) fn new(
        machine: &Machine<'_>,
        wires: &Wires<'_>,
        framework: &Framework,
        step: &Step,
    ) -> Self {
        let stages = 0..step.stages.len();
        let call = |of| FixedCall {
            volumes: stages.clone().map(|stage| wires.volumes(of, stage)).collect(),
            interfaces: wires.interfaces(of),
            pipelined: wires.is_pipelined(of),
        };
        Self {
            known: KnownCalls {
                placed: wires.placed().clone(),
                elsewhere: wires.placed().placement().elsewhere(),
                calls: step.communications.iter().map(call).collect(),
            },
            blocks: step
                .blocks
                .iter()
                .map(|block| BlockKernels::of(machine, step, block))
                .collect(),
            stages: without_calls(machine, framework, step),
            message_stages: message_stages(wires, step),
        }
    }
}

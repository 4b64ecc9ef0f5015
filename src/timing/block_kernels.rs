//! Seconds of the kernels of one block for one micro-batch: what no network changes.

use super::kernel::GpuClock;
use crate::step::{Block, Kernel, PartKind, Pass, Step};
use crate::units::Seconds;

/// The kernels of a block.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BlockKernels {
    /// Those of the forward pass.
    pub(super) forward: Seconds,
    /// Those of the backward pass, what is recomputed included.
    pub(super) backward: Seconds,
    /// Weight gradients, a part of the backward pass.
    pub(super) weight_gradient: Seconds,
    /// Matrix multiplications of the forward and of the backward pass.
    pub(super) multiplications: [Seconds; 2],
    /// The parts of the block.
    pub(super) parts: Vec<PartKernels>,
    /// Time that what a layer keeps takes over the link to the host, one way.
    pub(super) kept_over_link: Seconds,
}

/// The kernels of a part of a block, as far as the host's time depends on them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PartKernels {
    pub(super) kind: PartKind,
    /// Time on the GPU, both passes.
    pub(super) time: Seconds,
    /// Matrix multiplications of the forward pass, those of many experts at once as one.
    pub(super) multiplications: u32,
}

impl BlockKernels {
    /// Of a block of a step on a GPU.
    pub(super) fn time_kernels(machine: &GpuClock<'_>, step: &Step, block: &Block) -> Self {
        let kept = step.activations.kept[block.kind.index_among_kinds()];
        let mut time = Self {
            forward: Seconds::ZERO,
            backward: Seconds::ZERO,
            weight_gradient: Seconds::ZERO,
            multiplications: [Seconds::ZERO; 2],
            parts: Vec::with_capacity(block.parts.len()),
            kept_over_link: Seconds::from_f64(kept / machine.host_link().get()),
        };
        for part in &block.parts {
            let (mut on_gpu, mut multiplications) = (Seconds::ZERO, 0);
            for (pass, kernel) in &part.kernels {
                let seconds = machine.kernel_time(kernel, *pass);
                on_gpu += seconds;
                let backward = *pass != Pass::Forward;
                if backward {
                    time.backward += seconds;
                } else {
                    time.forward += seconds;
                }
                if let Kernel::Gemm(gemm) = kernel {
                    time.multiplications[usize::from(backward)] += seconds;
                    multiplications += u32::from(!backward);
                    if gemm.weight_gradient {
                        time.weight_gradient += seconds;
                    }
                }
            }
            if !machine.has_ideal_rates() {
                let starts = machine.calibration().expert_start * part.expert_starts as f64;
                // Two of the six groups of kernels belong to the forward pass.
                time.forward += starts / 3.0;
                time.backward += starts * 2.0 / 3.0;
                on_gpu += starts;
            }
            time.parts.push(PartKernels { kind: part.kind, time: on_gpu, multiplications });
        }
        time
    }
}

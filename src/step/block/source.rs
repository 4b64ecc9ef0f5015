//! What the kernels of a block follow from.

use crate::parallel::Layout;
use crate::step::RankShape;
use crate::workload::{Framework, Model, Precision, Recompute};

/// What the kernels of a block follow from.
#[derive(Clone, Copy)]
pub(super) struct KernelInputs<'a> {
    pub(super) model: &'a Model,
    pub(super) framework: &'a Framework,
    pub(super) layout: &'a Layout,
    pub(super) shape: &'a RankShape,
    pub(super) precision: Precision,
    pub(super) recompute: Recompute,
}

//! What the kernels of a block follow from.

use crate::parallel::Layout;
use crate::step::Shape;
use crate::workload::{Framework, Model, Precision, Recompute};

/// What the kernels of a block follow from.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) model: &'a Model,
    pub(super) framework: &'a Framework,
    pub(super) layout: &'a Layout,
    pub(super) shape: &'a Shape,
    pub(super) precision: Precision,
    pub(super) recompute: Recompute,
}

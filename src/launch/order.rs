//! Orders of ranks, as far as a layout can tell them apart.

use crate::parallel::{Axis, Layout, Order};

/// Whether ranks lie as they do in `other`: axes of one rank have no place.
pub(super) fn is_same_rank_order(layout: &Layout, other: Order) -> bool {
    parallel_axes(layout, layout.order) == parallel_axes(layout, other)
}

fn parallel_axes(layout: &Layout, order: Order) -> Vec<Axis> {
    let degree = |axis: &Axis| match axis {
        Axis::Tensor => layout.tensor,
        Axis::Context => layout.context,
        Axis::Expert => layout.expert,
        Axis::Data => layout.data,
        Axis::Pipeline => layout.pipeline,
    };
    order.axes().iter().copied().filter(|axis| degree(axis) > 1).collect()
}

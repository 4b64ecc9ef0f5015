//! Several clusters at once: parts with workloads of their own, and stages of one that grows.

pub(super) mod choices;
pub(super) mod clusters;
pub(super) mod growth;
pub(super) mod pool;
pub(super) mod ready;
pub(super) mod shared_limits;
pub(super) mod split;
pub(super) mod stock;
pub(super) mod together;
pub(super) mod ways;

//! What each command says, as documents. Formats are chosen elsewhere.

pub(super) mod bill;
pub(super) mod cluster;
pub(super) mod clusters;
pub(super) mod compare;
pub(super) mod design;
pub(super) mod explain;
pub(super) mod fabric;
pub(super) mod frontier;
pub(super) mod gate;
mod growth;
mod overlap;
pub(super) mod page;
mod parts;
mod pictures;
pub(super) mod presets;
pub(super) mod routing;
pub(super) mod search;
pub(super) mod step;
mod summary;
pub(super) mod sweep;
pub(super) mod technique;
pub(super) mod traffic;
pub(super) mod validate;
mod workloads;

//! What each command says, as documents. Formats are chosen elsewhere.

pub(super) mod bill;
pub(super) mod design;
pub(super) mod domain_sizes;
pub(super) mod explain;
pub(super) mod frontier;
pub(super) mod hb_domain;
pub(super) mod multi_cluster;
pub(super) mod page;
mod page_decision;
pub(super) mod step_and_search;
pub(super) mod traffic;
pub(super) mod validate;

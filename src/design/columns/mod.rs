//! Columns of the integer program: builds that are fast enough, with what they take.

pub(super) mod binary_search;
pub(super) mod cache;
pub(super) mod ceilings;
pub(super) mod column;
pub(super) mod context;
mod cross_rail_ports;
pub(super) mod cross_rail_spine;
pub(super) mod faults;
pub(super) mod four_tier_trees;
pub(super) mod leaf_shapes;
pub(super) mod limits;
pub(super) mod offers;
pub(super) mod routes;
pub(super) mod terms;

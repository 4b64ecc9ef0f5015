//! The best fabric of a candidate: columns, the integer program over them, and what bounds it.

pub(super) mod best_network;
pub(super) mod candidate_sizing;
pub(super) mod cheapest_network;
mod column_generation;
pub(super) mod columns;
mod family_chains;
mod family_search;
pub(super) mod program;
pub(super) mod sized_fabric;

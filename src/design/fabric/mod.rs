//! The best fabric of a candidate: columns, the integer program over them, and what bounds it.

mod cache;
pub(super) mod caps;
mod ceilings;
pub(super) mod choose;
pub(super) mod column;
pub(super) mod columns;
pub(super) mod context;
mod dominance;
pub(super) mod entries;
mod generation;
mod group;
pub(super) mod instance;
pub(super) mod limits;
mod market;
mod needs;
mod offers;
mod open;
mod paces;
mod partial;
pub(super) mod program;
pub(super) mod racks;
mod shapes;
pub(super) mod sized;
pub(super) mod terms;
pub(super) mod trees;
pub(super) mod within;

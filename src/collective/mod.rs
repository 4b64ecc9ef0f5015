//! Collective algorithms as values: which members of a group send how much to which, in how many
//! steps. Knows domains but no bandwidths, and makes no list that grows with the cluster.
//!
//! A [`Collective`](super::step::Collective) says what a group wants; a [`Policy`] picks the
//! [`Algorithm`]; [`collective_flows`] is what that sends in one call, as a handful of [`CollectiveFlow`]s, each a
//! [`RelationShape`] on the members in a [`Scope`]; [`volumes`] is what the busiest rank has of it.

mod algorithm;
mod binary_tree;
mod flow;
pub mod nccl;
mod relation;
mod token_copies;
mod volumes;

pub use algorithm::{Algorithm, FlatAlgorithm, Policy, SwitchReduction};
pub use binary_tree::{TreeEdges, TreeStride};
pub use flow::collective_flows;
pub use relation::{CollectiveFlow, GroupSpread, RelationShape, Scope};
pub use token_copies::hit_share;
pub use volumes::{CallVolumes, call_volumes};

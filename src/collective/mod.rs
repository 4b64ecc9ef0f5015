//! Collective algorithms as values: which members of a group send how much to which, in how many
//! steps. Knows domains but no bandwidths, and makes no list that grows with the cluster.
//!
//! A [`Collective`](crate::step::Collective) says what a group wants; a [`Policy`] picks the
//! [`Algorithm`]; [`collective_flows`] is what that sends in one call, as a handful of [`CollectiveFlow`]s, each a
//! [`RelationShape`] on the members in a [`Scope`]; [`volumes`] is what the busiest rank has of it.

mod algorithm;
mod flow;
pub mod nccl;
mod reduction;
mod relation;
mod shape;
mod spread;
mod tokens;
mod tree;
mod volumes;

pub use algorithm::{Algorithm, FlatAlgorithm, Policy, SwitchReduction};
pub use flow::collective_flows;
pub use relation::{CollectiveFlow, Scope};
pub use shape::RelationShape;
pub use spread::GroupSpread;
pub use tokens::hit_share;
pub use tree::{TreeEdges, TreeStride};
pub use volumes::{CallVolumes, call_volumes};

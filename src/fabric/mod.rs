//! Switches and links: how many of which, and the graph they form. Knows no flow and no price.

mod blueprint;
mod build;
mod counts;
mod domains;
mod flat;
mod graph;
mod hb;
mod kind;
mod occupancy;
mod plane;
mod problem;
mod ratio;
mod regularity;
mod request;
pub mod services;
mod shape;
mod striping;
mod tree;
mod upper;

pub use blueprint::{Blueprint, RailPlan};
pub use build::{
    Assembly, Build, Ceiling, Effort, Filling, Layer, Losses, RailRequest, Scale, Sku, SpineOption,
    TreeRequest, Worth, joined_switches, levels, rail_builds, rail_builds_below,
    rail_builds_within, shared_switches, spine_options, spine_options_within, tree_builds,
    tree_builds_within, tree_may_be, widest_at,
};
pub use counts::{Counts, LinkClass, LinkGroup, Medium, Tier};
pub use domains::{Domains, fold};
pub use flat::{Dragonfly, Groups, HammingMesh, HyperX, SlimFly, Torus, ZCube, counts};
pub use graph::{
    Aftermath, Bisection, Broken, Cable, Census, Chances, FabricGraph, Failure, FailureProblem,
    Narrowest, Node, One, Piece, Pieces,
};
pub use hb::{
    HbCounts, HbGraph, HbNode, HbProblem, HbRequest, count as count_domain,
    product as domain_product,
};
pub use kind::{FabricKind, TierName};
pub use occupancy::{Alike, Idle, Lanes, Occupancy, Trunks};
pub use problem::FabricProblem;
pub use ratio::Ratio;
pub use regularity::Regularity;
pub use request::{Request, Split, SwitchChoice};
pub use shape::Shape;
pub use striping::{divisors, fewest_spines, uplinks_from};
pub use tree::tree;

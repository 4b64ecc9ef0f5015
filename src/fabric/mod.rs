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
    Assembly, Build, BuildEffort, BuildLayer, Filling, ModelWorth, RailRequest, SpineOption,
    SurvivedLosses, SwitchModel, TreeRequest, WeightCeiling, WeightScale, joined_switches,
    leaf_shapes_at_ratio, oversubscription_levels, rail_builds, rail_builds_below,
    rail_builds_within, shared_switches, spine_options, spine_options_within, tree_builds,
    tree_builds_within, tree_may_be,
};
pub use counts::{Counts, LinkClass, LinkGroup, Medium, SwitchTier};
pub use domains::{HbDomainGroup, fold_on_rails};
pub use flat::{Dragonfly, Groups, HammingMesh, HyperX, SlimFly, Torus, ZCube, fabric_counts};
pub use graph::{
    Aftermath, Bisection, FabricCable, FabricGraph, FabricNode, Failure, FailureChances,
    FailureProblem, GraphCensus, MinimumCut, OutOfService, Piece, PieceGroup, SingleLoss,
};
pub use hb::{
    HbCounts, HbGraph, HbNode, HbProblem, HbRequest, count_hb_domain as count_domain,
    product as domain_product,
};
pub use kind::{FabricKind, TierName};
pub use occupancy::{Alike, Idle, Lanes, Occupancy, Trunks};
pub use problem::FabricProblem;
pub use ratio::Ratio;
pub use regularity::Regularity;
pub use request::{Request, Split, SwitchChoice};
pub use shape::FabricShape;
pub use striping::{ascending_divisors, fewest_spines, uplink_counts_to_try};
pub use tree::tree_counts;

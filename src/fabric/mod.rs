//! Switches and links: how many of which, and the graph they form. Knows no flow and no price.

mod blueprint;
mod build;
mod counts;
mod graph;
mod hb_domain;
mod kind;
mod non_tree;
mod occupancy;
pub mod other_networks;
mod pods;
mod problem;
mod ratio;
mod request;
mod tree;
mod upper_tiers;

pub use blueprint::{Blueprint, RailPlan, Regularity};
pub use build::{
    Assembly, Build, BuildEffort, BuildLayer, Filling, ModelWorth, RailRequest, SpineOption,
    SurvivedLosses, SwitchModel, TreeRequest, WeightCeiling, WeightScale, joined_switches,
    leaf_shapes_at_ratio, oversubscription_levels, rail_builds, rail_builds_below,
    rail_builds_within, shared_switches, spine_options, spine_options_within, tree_builds,
    tree_builds_within, tree_may_be,
};
pub use counts::{Counts, LinkClass, LinkGroup, Medium, SwitchTier};
pub use graph::{
    Aftermath, Bisection, FabricCable, FabricGraph, FabricNode, Failure, FailureChances,
    FailureProblem, GraphCensus, MinimumCut, OutOfService, Piece, PieceGroup, SingleLoss,
};
pub use hb_domain::{
    HbCounts, HbGraph, HbNode, HbProblem, HbRequest, count_hb_domain as count_domain,
    product as domain_product,
};
pub use kind::{FabricKind, FabricShape, HbDomainGroup, TierName, fold_on_rails};
pub use non_tree::{Dragonfly, Groups, HammingMesh, HyperX, SlimFly, Torus, ZCube, fabric_counts};
pub use occupancy::{AlikeSwitches, IdleLanes, Lanes, Occupancy, Trunks};
pub use problem::FabricProblem;
pub use ratio::{Ratio, ascending_divisors, fewest_spines, uplink_counts_to_try};
pub use request::{Request, Split, SwitchChoice};
pub use tree::tree_counts;

//! Trees before they are put together.

use super::leaf::LeafShape;

/// A tree of two tiers, before its leafs have shapes.
#[derive(Clone, Copy, Debug)]
pub(super) struct TwoTiers {
    /// Leafs of one part by model; the second none where one model is used.
    pub(super) leafs: [(usize, u64); 2],
    /// Model of the spines.
    pub(super) spine: usize,
    /// Spines.
    pub(super) spines: u32,
    /// Links of the leafs of one part to each spine.
    pub(super) links: u64,
}

/// A tree of three tiers.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThreeTiers {
    /// Model of the leafs.
    pub(super) leaf: usize,
    /// Leafs.
    pub(super) leafs: u64,
    /// Ports of a leaf.
    pub(super) shape: LeafShape,
    /// Model of the spines.
    pub(super) spine: usize,
    /// Links of a spine to leafs at most, and as many to cores.
    pub(super) half: u32,
    /// Spines.
    pub(super) spines: u64,
    /// Model of the cores.
    pub(super) core: usize,
    /// Cores.
    pub(super) cores: u64,
    /// Links between spines and cores.
    pub(super) spine_core: u64,
}

/// How to put a build together.
#[derive(Clone, Debug)]
pub(super) enum TreePlan {
    TwoTiers(TwoTiers),
    ThreeTiers(ThreeTiers),
}

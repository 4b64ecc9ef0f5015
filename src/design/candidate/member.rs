//! Which fabric it is, of those whose steps are timed on their own cables: no number of uplinks says what
//! they give. Builds none.

use crate::fabric::FabricKind;

/// A member of a family of fabric, as far as its cables follow from it and the NICs that it joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    /// Family.
    pub kind: FabricKind,
    /// Of a dragonfly the switches of a group, the links of each to other groups and the groups; of a ZCube
    /// the switches of a row; of a tree the ports of a leaf switch down and up, and those of a spine.
    pub sides: [u32; 4],
    /// Ports of a switch of a tree, on which its layers depend; 0 of the others.
    pub radix: u32,
    /// Separate copies.
    pub planes: u32,
}

impl Member {
    /// Whether its switches also send messages by another one drawn at random: the shortest ways of a fabric
    /// that is no tree are few.
    #[must_use]
    pub const fn takes_detours(self) -> bool {
        !self.kind.is_tree()
    }
}

//! Which fabric it is, of those whose steps are timed on their own cables: no number of uplinks says what
//! they give. Builds none.

use std::fmt;

use crate::fabric::{FabricKind, FabricShape};

/// A member of a family of fabric, as far as its cables follow from it and the NICs that it joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FamilyMember {
    /// Family.
    pub kind: FabricKind,
    /// Of a dragonfly the switches of a group, the links of each to other groups and the groups; of a ZCube
    /// the switches of a row; of a tree the ports of a leaf switch down and up, and those of a spine that lead up
    /// where there are cores.
    pub sides: [u32; 4],
    /// Ports of a switch of a tree, on which its layers depend; 0 of the others.
    pub radix: u32,
    /// Separate copies.
    pub planes: u32,
}

impl fmt::Display for FamilyMember {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, third, _] = self.sides;
        match self.kind {
            FabricKind::Dragonfly if third == 1 => {
                write!(f, "one group of {first} fully joined switches")
            }
            FabricKind::Dragonfly => {
                write!(
                    f,
                    "{third} groups of {first} switches, fully joined where those are several, and {second} \
                     links of each to other groups"
                )
            }
            FabricKind::ZCube => write!(
                f,
                "two rows of {first} switches, each joined to every one of the other row; every NIC has a port \
                 on one of each"
            ),
            _ => write!(
                f,
                "leaf switches of {first} ports down and {second} up; where there are cores, {third} of a \
                 spine's ports lead up"
            ),
        }
    }
}

impl FamilyMember {
    /// Its sides, as `planner fabric --shape` takes them; `None` of a tree.
    #[must_use]
    pub fn shape(self) -> Option<FabricShape> {
        let [first, second, third, _] = self.sides;
        match self.kind {
            FabricKind::Dragonfly => FabricShape::new(&[first, second, third]),
            FabricKind::ZCube => FabricShape::new(&[first]),
            _ => None,
        }
    }

    /// Whether its switches also send messages by another one drawn at random: the shortest ways of a fabric
    /// that is no tree are few.
    #[must_use]
    pub const fn takes_detours(self) -> bool {
        !self.kind.is_tree()
    }
}

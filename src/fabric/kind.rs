//! Families of fabric and layers of switches, by name. Counts nothing.

use std::fmt;

/// Families of fabric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FabricKind {
    /// Each rail is a network of its own; nothing joins the rails but the HB domains.
    RailOnly,
    /// Leafs hold one rail each; a spine joins the rails, full or partial.
    RailOptimized,
    /// Endpoints fill leafs in order, whatever their rail.
    Clos,
    /// Groups of fully joined switches, with links between every two groups.
    Dragonfly,
    /// A graph of diameter two after McKay, Miller and Širáň.
    SlimFly,
    /// A grid of switches, fully joined along each dimension.
    HyperX,
    /// Two rows of switches, every endpoint on one of each row.
    ZCube,
    /// A grid of endpoints joined to their neighbours, closed to rings.
    Torus,
    /// Boards that are small meshes, their rows and columns joined by switches.
    HammingMesh,
}

impl FabricKind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::RailOnly,
        Self::RailOptimized,
        Self::Clos,
        Self::Dragonfly,
        Self::SlimFly,
        Self::HyperX,
        Self::ZCube,
        Self::Torus,
        Self::HammingMesh,
    ];

    /// The contract's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::RailOnly => "rail-only",
            Self::RailOptimized => "rail-optimized",
            Self::Clos => "clos",
            Self::Dragonfly => "dragonfly",
            Self::SlimFly => "slim-fly",
            Self::HyperX => "hyperx",
            Self::ZCube => "zcube",
            Self::Torus => "torus",
            Self::HammingMesh => "hamming-mesh",
        }
    }

    /// Whether switches stand in layers above the endpoints, leafs first; all else is flat.
    #[must_use]
    pub const fn is_tree(self) -> bool {
        matches!(self, Self::RailOnly | Self::RailOptimized | Self::Clos)
    }

    /// Whether each rail has leafs of its own, so that a NIC's rail says where it plugs in.
    #[must_use]
    pub const fn has_rails(self) -> bool {
        matches!(self, Self::RailOnly | Self::RailOptimized)
    }

    /// Whether its sides can be chosen.
    #[must_use]
    pub const fn takes_shape(self) -> bool {
        matches!(self, Self::HyperX | Self::Torus | Self::HammingMesh)
    }

    /// The family of that name; `None` where there is none.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for FabricKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which layer of switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TierName {
    /// Switches that endpoints plug into.
    Leaf,
    /// Switches above leafs, of one rail or of the whole.
    Spine,
    /// Switches above spines.
    Core,
    /// Switches above cores.
    SuperCore,
}

impl TierName {
    /// All of them, lowest first.
    pub const ALL: [Self; 4] = [Self::Leaf, Self::Spine, Self::Core, Self::SuperCore];

    /// The contract's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Leaf => "leaf",
            Self::Spine => "spine",
            Self::Core => "core",
            Self::SuperCore => "super-core",
        }
    }
}

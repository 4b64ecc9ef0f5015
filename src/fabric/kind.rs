//! Families of fabric and layers of switches, by name. Counts nothing.

use std::fmt;

/// What is to know of a family besides how it is built.
#[derive(Clone, Copy, Debug)]
struct Traits {
    /// Switches stand in layers above the endpoints, leafs first; all else is flat.
    tree: bool,
    /// Each rail has leafs of its own.
    rails: bool,
    /// A path of switches joins the rails.
    joined: bool,
    /// Its sides can be chosen.
    shape: bool,
}

impl Traits {
    const TREE: Self = Self { tree: true, rails: false, joined: true, shape: false };
    const FLAT: Self = Self { tree: false, ..Self::TREE };
}

/// Declares the families: variant, the contract's name, traits.
macro_rules! families {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $traits:expr;)*) => {
        /// Families of fabric.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FabricKind { $($(#[$doc])* $variant),* }

        impl FabricKind {
            /// All of them.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// The contract's name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            const fn traits(self) -> Traits {
                match self { $(Self::$variant => $traits),* }
            }
        }
    };
}

families! {
    /// Each rail is a network of its own; nothing joins the rails but the HB domains.
    RailOnly = "rail-only", Traits { rails: true, joined: false, ..Traits::TREE };
    /// Leafs hold one rail each; a spine joins the rails, full or partial.
    RailOptimized = "rail-optimized", Traits { rails: true, ..Traits::TREE };
    /// Endpoints fill leafs in order, whatever their rail.
    Clos = "clos", Traits::TREE;
    /// Groups of fully joined switches, with links between every two groups.
    Dragonfly = "dragonfly", Traits { shape: true, ..Traits::FLAT };
    /// A graph of diameter two after McKay, Miller and Širáň.
    SlimFly = "slim-fly", Traits::FLAT;
    /// A grid of switches, fully joined along each dimension.
    HyperX = "hyperx", Traits { shape: true, ..Traits::FLAT };
    /// Two rows of switches, every endpoint on one of each row.
    ZCube = "zcube", Traits { shape: true, ..Traits::FLAT };
    /// A grid of endpoints joined to their neighbours, closed to rings.
    Torus = "torus", Traits { shape: true, ..Traits::FLAT };
    /// Boards that are small meshes, their rows and columns joined by switches.
    HammingMesh = "hamming-mesh", Traits { shape: true, ..Traits::FLAT };
}

impl FabricKind {
    /// Whether switches stand in layers above the endpoints, leafs first; all else is flat.
    #[must_use]
    pub const fn is_tree(self) -> bool {
        self.traits().tree
    }

    /// Whether each rail has leafs of its own, so that a NIC's rail says where it plugs in.
    #[must_use]
    pub const fn has_rails(self) -> bool {
        self.traits().rails
    }

    /// Whether a path of switches joins the rails; else each is a network of its own.
    #[must_use]
    pub const fn joins_rails(self) -> bool {
        self.traits().joined
    }

    /// Whether its sides can be chosen.
    #[must_use]
    pub const fn takes_shape(self) -> bool {
        self.traits().shape
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

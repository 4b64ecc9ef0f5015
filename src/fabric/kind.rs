//! Families of fabrics, the names of their tiers, and HB domains folded on rails.

use std::fmt;

use super::FabricProblem;
use super::ratio::greatest_common_divisor;

/// What is to know of a family besides how it is built.
#[derive(Clone, Copy, Debug)]
struct FamilyTraits {
    /// Switches stand in layers above the endpoints, leafs first; all else is flat.
    tree: bool,
    /// Each rail has leafs of its own.
    rails: bool,
    /// A path of switches joins the rails.
    joined: bool,
    /// Its sides can be chosen.
    shape: bool,
}

impl FamilyTraits {
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

            const fn traits(self) -> FamilyTraits {
                match self { $(Self::$variant => $traits),* }
            }
        }
    };
}

families! {
    /// Each rail is a network of its own; nothing joins the rails but the HB domains.
    RailOnly = "rail-only", FamilyTraits { rails: true, joined: false, ..FamilyTraits::TREE };
    /// Leafs hold one rail each; a spine joins the rails, full or partial.
    RailOptimized = "rail-optimized", FamilyTraits { rails: true, ..FamilyTraits::TREE };
    /// Endpoints fill leafs in order, whatever their rail.
    Clos = "clos", FamilyTraits::TREE;
    /// Groups of fully joined switches, with links between every two groups.
    Dragonfly = "dragonfly", FamilyTraits { shape: true, ..FamilyTraits::FLAT };
    /// A graph of diameter two after McKay, Miller and Širáň.
    SlimFly = "slim-fly", FamilyTraits::FLAT;
    /// A grid of switches, fully joined along each dimension.
    HyperX = "hyperx", FamilyTraits { shape: true, ..FamilyTraits::FLAT };
    /// Two rows of switches, every endpoint on one of each row.
    ZCube = "zcube", FamilyTraits { shape: true, ..FamilyTraits::FLAT };
    /// A grid of endpoints joined to their neighbours, closed to rings.
    Torus = "torus", FamilyTraits { shape: true, ..FamilyTraits::FLAT };
    /// Boards that are small meshes, their rows and columns joined by switches.
    HammingMesh = "hamming-mesh", FamilyTraits { shape: true, ..FamilyTraits::FLAT };
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

/// Most sides that a shape may have.
const MOST_SIDES: usize = 4;

/// One to four whole numbers above zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FabricShape {
    sides: [u32; MOST_SIDES],
    count: usize, // Invariant: 1 to `MOST_SIDES`, and so many sides are above zero.
}

impl FabricShape {
    /// The shape of these sides; `None` where there are none, too many, or one of zero.
    #[must_use]
    pub fn new(given: &[u32]) -> Option<Self> {
        if given.is_empty() || given.len() > MOST_SIDES || given.contains(&0) {
            return None;
        }
        let mut sides = [0; MOST_SIDES];
        sides[..given.len()].copy_from_slice(given);
        Some(Self { sides, count: given.len() })
    }

    /// The sides.
    #[must_use]
    pub fn sides(&self) -> &[u32] {
        &self.sides[..self.count]
    }

    /// Reads `8x8x4`; `None` where the text is no shape.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let sides: Option<Vec<u32>> =
            text.split('x').map(|side| side.trim().parse().ok()).collect();
        Self::new(&sides?)
    }
}

impl fmt::Display for FabricShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sides: Vec<String> = self.sides().iter().map(ToString::to_string).collect();
        f.write_str(&sides.join("x"))
    }
}

// HB domains of one or several sizes on the rails of one fabric: folded, or refused.
//
// A domain of more NICs than there are rails puts several of them on each rail, as many on one as
// on another; what is on no rail of its partner's reaches it through either domain. Where a size
// can't be divided so, its NICs would lie on rails that others lack.

/// Alike HB domains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HbDomainGroup {
    pub count: u64,
    /// NICs of each.
    pub nics: u32,
}

/// The rails on which domains of these sizes can stand: `asked`, or the NICs of the smallest; one
/// where the family has no rails.
///
/// # Errors
/// Where a size is no multiple of the rails.
pub fn fold_on_rails(
    kind: FabricKind,
    domains: &[HbDomainGroup],
    asked: Option<u32>,
) -> Result<u32, FabricProblem> {
    let sizes = || domains.iter().map(|group| group.nics);
    if !kind.has_rails() {
        return Ok(asked.unwrap_or(1));
    }
    let rails = asked.or_else(|| sizes().min()).unwrap_or(1);
    let common = sizes().fold(0, greatest_common_divisor);
    match sizes().find(|nics| rails == 0 || !nics.is_multiple_of(rails)) {
        Some(nics) => Err(FabricProblem::Domains { nics, rails, common }),
        None => Ok(rails),
    }
}

#[cfg(test)]
mod tests {
    use super::{FabricKind, FabricShape, HbDomainGroup, fold_on_rails};
    use crate::fabric::problem::FabricProblem;

    #[test]
    fn shapes_are_one_to_four_sides_above_zero() {
        for text in ["8", "8x8", "8x4x2", "1x2x3x4"] {
            assert_eq!(
                FabricShape::parse(text).map(|shape| shape.to_string()).as_deref(),
                Some(text)
            );
        }
        for text in ["", "8x", "0x4", "1x2x3x4x5", "8*8", "-1"] {
            assert_eq!(FabricShape::parse(text), None, "{text}");
        }
    }

    #[track_caller]
    fn case(kind: FabricKind, sizes: &[u32], asked: Option<u32>, expected: Result<u32, u32>) {
        let domains: Vec<HbDomainGroup> =
            sizes.iter().map(|nics| HbDomainGroup { count: 3, nics: *nics }).collect();
        let common = |problem| match problem {
            FabricProblem::Domains { common, .. } => common,
            other => panic!("{other}"),
        };
        assert_eq!(fold_on_rails(kind, &domains, asked).map_err(common), expected, "{sizes:?}");
    }

    #[test]
    fn large_domains_are_folded_onto_the_rails_of_small_ones() {
        case(FabricKind::RailOnly, &[72, 8], None, Ok(8));
        case(FabricKind::RailOptimized, &[8, 72, 16], None, Ok(8));
        case(FabricKind::RailOnly, &[72], None, Ok(72));
        case(FabricKind::RailOnly, &[72], Some(36), Ok(36));
        // 16 does not divide 72, but eight rails serve both.
        case(FabricKind::RailOnly, &[72, 16], None, Err(8));
        case(FabricKind::RailOnly, &[72, 16], Some(8), Ok(8));
        case(FabricKind::RailOnly, &[9, 8], None, Err(1));
        case(FabricKind::RailOnly, &[8], Some(0), Err(8));
        case(FabricKind::Clos, &[9, 8], None, Ok(1));
    }
}

//! One relation between the members of a group: among whom, who to whom, how many bytes. Which of them
//! a collective has is not decided here.

use super::RelationShape;
use crate::parallel::{Digit, Group, Placed};
use crate::units::Bytes;

/// Which members of a group a flow runs among.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// All of them.
    Whole,
    /// Those of one domain. Only where groups are [`GroupSpread::Nested`](super::GroupSpread::Nested).
    Inside,
    /// Those of equal place in their domains, and so of one rail. Likewise.
    Across,
}

impl Scope {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Whole, Self::Inside, Self::Across];

    /// Its name in a ledger.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Whole => "group",
            Self::Inside => "domain",
            Self::Across => "rail",
        }
    }

    /// The scope of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }

    /// True where the digit tells apart members of the group that are in this scope together.
    #[must_use]
    pub fn has_members_along_digit(self, group: Group, digit: &Digit, placed: &Placed) -> bool {
        let inside = digit.stride < placed.placement().used_gpus_per_domain();
        group.has_digit(digit)
            && match self {
                Self::Whole => true,
                Self::Inside => inside,
                Self::Across => !inside,
            }
    }
}

/// One relation of a call: every member in the scope sends `bytes` to each of its targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CollectiveFlow {
    /// Among whom.
    pub scope: Scope,
    /// Who to whom.
    pub shape: RelationShape,
    /// Bytes from a member to one target in one call.
    pub bytes: Bytes,
    /// Messages that wait for each other: the latencies that a call pays here.
    pub steps: u32,
}

//! How the groups of one kind lie on the HB domains. Looks at digits, never at single ranks.

use crate::parallel::{Digit, Group, Placed};

/// Where the members of each group of a kind sit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupSpread {
    /// All in one domain.
    Inside {
        /// Members n of a group.
        members: u32,
    },
    /// No two in one domain.
    Apart {
        /// Members n of a group.
        members: u32,
    },
    /// As many in each domain that the group touches, at the same places in it.
    Nested {
        /// Members x in one domain; at least 2.
        inside: u32,
        /// Domains y; at least 2.
        across: u32,
    },
    /// Domain borders cut the groups unevenly.
    Ragged {
        /// Members n of a group.
        members: u32,
    },
}

impl GroupSpread {
    /// How the groups of that kind lie.
    #[must_use]
    pub fn spread_of_group(placed: &Placed, group: Group) -> Self {
        let border = placed.placement().used_gpus_per_domain();
        let members = placed.grid().group_size(group);
        if placed.is_aligned() {
            let inside: u32 = placed
                .grid()
                .group_digits(group)
                .filter(|digit| digit.stride < border)
                .map(|digit| digit.size)
                .product();
            let across = members / inside;
            return match (inside, across) {
                (_, 1) => Self::Inside { members },
                (1, _) => Self::Apart { members },
                _ => Self::Nested { inside, across },
            };
        }
        let digits: Vec<&Digit> = placed.grid().group_digits(group).collect();
        if closes_evenly(&digits, border) {
            Self::Inside { members }
        } else if smallest_gap(&digits) >= i64::from(border) {
            Self::Apart { members }
        } else {
            Self::Ragged { members }
        }
    }

    /// Members n of a group.
    #[must_use]
    pub const fn member_count(self) -> u32 {
        match self {
            Self::Inside { members } | Self::Apart { members } | Self::Ragged { members } => {
                members
            }
            Self::Nested { inside, across } => inside * across,
        }
    }

    /// Members in one domain and domains of a group: (x, y). A ragged group counts as apart,
    /// as nothing can be said of all its domains alike.
    #[must_use]
    pub const fn members_and_domains(self) -> (u32, u32) {
        match self {
            Self::Inside { members } => (members, 1),
            Self::Apart { members } | Self::Ragged { members } => (1, members),
            Self::Nested { inside, across } => (inside, across),
        }
    }
}

/// True where the block of consecutive ranks that holds a group divides the domain.
fn closes_evenly(digits: &[&Digit], border: u32) -> bool {
    let block = digits.last().map_or(1, |digit| digit.stride.saturating_mul(digit.size));
    border.is_multiple_of(block)
}

/// The least distance of two members, which are in the order of their ranks: a step of one digit
/// while all faster ones fall back to 0.
fn smallest_gap(digits: &[&Digit]) -> i64 {
    let mut fallen = 0;
    let mut least = i64::MAX;
    for digit in digits {
        least = least.min(i64::from(digit.stride) - fallen);
        fallen += i64::from(digit.size - 1) * i64::from(digit.stride);
    }
    least
}

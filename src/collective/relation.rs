//! `Scope`, `CollectiveFlow`, `RelationShape`, `GroupSpread`: who speaks to whom in a group, and
//! how groups lie on HB domains.

use super::binary_tree::{child_positions, parent_position};
use crate::parallel::{Digit, Group, Placed};
use crate::units::Bytes;

/// Which members of a group a flow runs among.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// All of them.
    Whole,
    /// Those of one domain. Only where groups are
    /// [`GroupSpread::Nested`](super::GroupSpread::Nested).
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
    pub scope: Scope,
    pub shape: RelationShape,
    /// Bytes from a member to one target in one call.
    pub bytes: Bytes,
    /// Messages that wait for each other: the latencies that a call pays here.
    pub steps: u32,
}

/// A relation between the positions 0..n of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RelationShape {
    /// p to p+1, the last to the first.
    Next,
    /// p to p−1, the first to the last.
    Previous,
    /// Every member to every other.
    EveryOther,
    /// p to p with that bit flipped; n is a power of two.
    Exchange {
        /// The bit, 0 for neighbours.
        bit: u32,
    },
    /// Parents and children in a binary tree, both ways.
    Tree {
        /// The second tree, in which the inner nodes of the first are leaves.
        second: bool,
    },
    /// The first and the last to each other.
    Ends,
    /// p to p+distance, round the end.
    Shift {
        /// Positions, from 1 to before n.
        distance: u32,
    },
}

impl RelationShape {
    /// Its name in a ledger: who gets it.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Next => "next".to_owned(),
            Self::Previous => "previous".to_owned(),
            Self::EveryOther => "every_other".to_owned(),
            Self::Exchange { bit } => format!("bit_{bit}"),
            Self::Tree { second: false } => "tree_1".to_owned(),
            Self::Tree { second: true } => "tree_2".to_owned(),
            Self::Ends => "other_end".to_owned(),
            Self::Shift { distance } => format!("shift_{distance}"),
        }
    }

    /// The shape of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let shape = match name {
            "next" => Self::Next,
            "previous" => Self::Previous,
            "every_other" => Self::EveryOther,
            "tree_1" => Self::Tree { second: false },
            "tree_2" => Self::Tree { second: true },
            "other_end" => Self::Ends,
            name => {
                if let Some(distance) = name.strip_prefix("shift_") {
                    return Some(Self::Shift { distance: distance.parse().ok()? });
                }
                let bit = name.strip_prefix("bit_")?.parse().ok().filter(|bit| *bit < u32::BITS)?;
                Self::Exchange { bit }
            }
        };
        Some(shape)
    }

    /// Whether position `p` speaks to position `q` of a group of `n`.
    #[must_use]
    pub fn has_connection(self, p: u32, q: u32, n: u32) -> bool {
        p != q
            && match self {
                Self::Next => (p + 1) % n == q,
                Self::Previous => (q + 1) % n == p,
                Self::EveryOther => true,
                Self::Exchange { bit } => p ^ (1 << bit) == q,
                Self::Tree { second } => {
                    parent_position(p, n, second) == Some(q)
                        || parent_position(q, n, second) == Some(p)
                }
                Self::Ends => p + q == n - 1 && (p == 0 || q == 0),
                Self::Shift { distance } => shift_position(p, distance, n) == q,
            }
    }

    /// The most positions that any position of a group of `n` speaks to.
    #[must_use]
    pub const fn most_targets(self, n: u32) -> u32 {
        match self {
            Self::Next
            | Self::Previous
            | Self::Exchange { .. }
            | Self::Ends
            | Self::Shift { .. } => 1,
            Self::EveryOther => n.saturating_sub(1),
            Self::Tree { .. } => 3, // a parent and two children
        }
    }

    /// The positions that position `p` of a group of `n` speaks to, ascending.
    pub fn target_positions(self, p: u32, n: u32) -> impl Iterator<Item = u32> {
        let (mut one, mut all, mut near) = (None, 0..0, Vec::new());
        match self {
            _ if n < 2 => {}
            Self::Next => one = Some((p + 1) % n),
            Self::Previous => one = Some((p + n - 1) % n),
            Self::EveryOther => all = 0..n,
            Self::Exchange { bit } => one = Some(p ^ (1 << bit)),
            Self::Tree { second } => {
                near = child_positions(p, n, second);
                near.extend(parent_position(p, n, second));
                near.sort_unstable();
            }
            Self::Ends if p == 0 => one = Some(n - 1),
            Self::Ends => one = (p == n - 1).then_some(0),
            Self::Shift { distance } => one = Some(shift_position(p, distance, n)),
        }
        one.into_iter().chain(all.filter(move |q| *q != p)).chain(near)
    }
}

/// The position so much further round n.
const fn shift_position(p: u32, distance: u32, n: u32) -> u32 {
    ((p as u64 + distance as u64) % n as u64) as u32
}

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

#[cfg(test)]
mod tests {
    use super::RelationShape;

    #[test]
    fn targets_and_connects_agree() {
        for n in 2..=33_u32 {
            let mut shapes = vec![
                RelationShape::Next,
                RelationShape::Previous,
                RelationShape::EveryOther,
                RelationShape::Ends,
                RelationShape::Tree { second: false },
                RelationShape::Tree { second: true },
            ];
            shapes.extend((1..n).map(|distance| RelationShape::Shift { distance }));
            if n.is_power_of_two() {
                shapes.extend((0..n.ilog2()).map(|bit| RelationShape::Exchange { bit }));
            }
            for shape in shapes {
                for p in 0..n {
                    let expected: Vec<u32> =
                        (0..n).filter(|q| shape.has_connection(p, *q, n)).collect();
                    assert_eq!(
                        shape.target_positions(p, n).collect::<Vec<_>>(),
                        expected,
                        "{shape:?} of {n} at {p}"
                    );
                }
            }
        }
    }
}

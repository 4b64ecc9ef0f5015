//! Who speaks to whom among the members of one group, by their positions. No bytes.

use super::tree::{child_positions, parent_position};

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

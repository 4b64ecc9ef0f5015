//! The two binary trees of a double tree: who is whose parent, and all edges without walking over
//! them.

use std::collections::BTreeSet;

/// Positions p of a group, p ≡ `first` modulo `period`, that each speak to p + `distance`, where
/// the group has that position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeStride {
    /// The least of them that is not negative.
    pub first: u32,
    /// Positions from one to the next: a power of two.
    pub period: u32,
    /// Positions up, or down where it is negative.
    pub distance: i64,
}

/// All edges of a tree of n positions, both ways, each once: about 4·log₂ n strides and no more
/// single edges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeEdges {
    pub strides: Vec<TreeStride>,
    /// The others, from and to.
    pub single: BTreeSet<(u32, u32)>,
}

impl TreeEdges {
    /// The edges of the first or the second tree.
    ///
    /// In the first tree a position whose lowest set bit is b has its parent at +b where bit 2b is
    /// not set, else at −b. So positions ≡ b modulo 4b speak to +b, those ≡ 3b to −b, and parents ≡
    /// 2b answer both ways. Only the last position ≡ b may have no parent above and takes that
    /// below: one edge for each b. The second tree is the first mirrored or moved, but for the
    /// edges of the position that moving takes round the end.
    #[must_use]
    pub fn for_members(n: u32, second: bool) -> Self {
        let mut edges = Self::default();
        let bits = (0..u32::BITS).map(|bit| 1_u64 << bit).take_while(|bit| *bit < u64::from(n));
        for bit in bits {
            let signed = bit as i64;
            for (residue, distance) in [(1, signed), (3, -signed), (2, -signed), (2, signed)] {
                edges.strides.extend(position_stride(residue * bit, 4 * bit, distance, n, second));
            }
            // The last position whose lowest set bit this is, where its parent is not above.
            let last = (u64::from(n) - 1 - bit) / (4 * bit) * (4 * bit) + bit;
            if last + bit >= u64::from(n) {
                let at =
                    |own: u64| if second { restore_position(own as u32, n) } else { own as u32 };
                edges.add_both_directions(at(last), at(last - bit));
            }
        }
        if second && !n.is_multiple_of(2) {
            for near in
                child_positions(0, n, second).into_iter().chain(parent_position(0, n, second))
            {
                edges.add_both_directions(0, near);
            }
        }
        edges
    }

    fn add_both_directions(&mut self, p: u32, q: u32) {
        self.single.extend([(p, q), (q, p)]);
    }
}

/// The stride of the first tree's positions ≡ `residue`, as the tree of n positions has it; `None`
/// where no position is one.
fn position_stride(
    residue: u64,
    period: u64,
    distance: i64,
    n: u32,
    second: bool,
) -> Option<TreeStride> {
    let (residue, period) = (residue as i64, period as i64);
    let (residue, distance) = match second {
        false => (residue, distance),
        true if n.is_multiple_of(2) => (i64::from(n) - 1 - residue, -distance),
        true => (residue + 1, distance),
    };
    let first = u32::try_from(residue.rem_euclid(period)).ok().filter(|first| *first < n)?;
    // With at most one such position the period does not matter, and it fits.
    let period = u32::try_from(period).unwrap_or(1 << (u32::BITS - 1));
    Some(TreeStride { first, period, distance })
}

/// Parent of position `p`. In the first tree, position 0 is the root and has one child; below
/// it, the lowest set bit b of a position is its height, and its parent is the neighbour at
/// distance b whose height is the next one that exists. The second tree is the first on mirrored
/// positions (n even) or on positions moved by one (n odd), which turns inner nodes into leaves
/// (Sanders, Speck and Träff 2009, §3; the same construction as NCCL's).
pub(super) fn parent_position(p: u32, n: u32, second: bool) -> Option<u32> {
    let own = if second { relabel_position(p, n) } else { p };
    if own == 0 {
        return None;
    }
    let low = own & own.wrapping_neg();
    let above = (own ^ low) | (low << 1);
    let first = if above < n { above } else { own ^ low };
    Some(if second { restore_position(first, n) } else { first })
}

pub(super) fn child_positions(p: u32, n: u32, second: bool) -> Vec<u32> {
    let own = if second { relabel_position(p, n) } else { p };
    let reach = if own == 0 { n.next_power_of_two() } else { own & own.wrapping_neg() };
    // A child lies at a distance that is a power of two below the own height.
    let mut found = Vec::new();
    let mut distance = 1;
    while distance < reach.max(2) {
        for child in [own.checked_sub(distance), own.checked_add(distance)].into_iter().flatten() {
            if child < n && parent_position(child, n, false) == Some(own) {
                found.push(if second { restore_position(child, n) } else { child });
            }
        }
        distance <<= 1;
    }
    found
}

const fn relabel_position(p: u32, n: u32) -> u32 {
    if n.is_multiple_of(2) { n - 1 - p } else { (p + n - 1) % n }
}

const fn restore_position(p: u32, n: u32) -> u32 {
    if n.is_multiple_of(2) { n - 1 - p } else { (p + 1) % n }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{TreeEdges, parent_position};

    #[test]
    fn strides_and_single_edges_are_the_tree_and_name_no_edge_twice() {
        for n in (0..=300).chain([1021, 1024, 1025]) {
            for second in [false, true] {
                let walked = (0..n).filter_map(|p| Some((p, parent_position(p, n, second)?)));
                let walked: BTreeSet<(u32, u32)> =
                    walked.flat_map(|(p, q)| [(p, q), (q, p)]).collect();
                let edges = TreeEdges::for_members(n, second);
                let mut named: Vec<(u32, u32)> = edges.single.iter().copied().collect();
                for stride in &edges.strides {
                    for p in (stride.first..n).step_by(stride.period as usize) {
                        let q = i64::from(p) + stride.distance;
                        named.extend(u32::try_from(q).ok().filter(|q| *q < n).map(|q| (p, q)));
                    }
                }
                assert_eq!(named.len(), walked.len(), "{n}, second {second}");
                assert_eq!(
                    named.into_iter().collect::<BTreeSet<_>>(),
                    walked,
                    "{n}, second {second}"
                );
                let most = 4 * (n.max(1).ilog2() as usize + 1);
                assert!(edges.strides.len() <= most && edges.single.len() <= most);
            }
        }
    }

    #[test]
    fn both_trees_span_the_group_and_no_member_forwards_in_both() {
        for n in 2..=200 {
            for second in [false, true] {
                let edges = (0..n).filter(|p| parent_position(*p, n, second).is_some()).count();
                assert_eq!(edges as u32, n - 1, "one root");
                for mut p in 0..n {
                    let mut depth = 0;
                    while let Some(up) = parent_position(p, n, second) {
                        p = up;
                        depth += 1;
                    }
                    assert!(depth <= n.next_power_of_two().ilog2(), "depth {depth} of {n}");
                }
            }
            let inner = |second, p| (0..n).any(|q| parent_position(q, n, second) == Some(p));
            let both = (0..n).filter(|p| inner(false, *p) && inner(true, *p)).count();
            assert!(both <= 1, "{both} members of {n} are inner nodes of both trees");
        }
    }
}

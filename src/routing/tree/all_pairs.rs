//! NICs of which all send to all others, leaf by leaf: as many sums as there are leafs, not as
//! there are pairs of them.

use std::collections::BTreeMap;

use super::spray::TreeSpray;
use super::{LeafPaths, Tree};

/// NICs that are plugged in alike, one of which stands for all.
#[derive(Clone, Copy, Debug)]
pub(in crate::routing) struct UniformMembers {
    pub(in crate::routing) nic: usize,
    pub(in crate::routing) count: f64,
    /// Messages that leave them for each receiver elsewhere.
    pub(in crate::routing) weight: f64,
}

/// Receivers and messages of a leaf, or of many.
#[derive(Clone, Copy, Default)]
struct LeafSum {
    count: f64,
    weight: f64,
}

/// Leafs below the same pods, which are joined to all others in the same way.
#[derive(Default)]
struct LeafSet {
    leafs: Vec<(u32, LeafSum)>,
    all: LeafSum,
}

impl LeafSet {
    /// A leaf of the one and another of the other.
    fn leaf_pair(&self, other: &Self, same: bool) -> Option<(u32, u32)> {
        let (from, _) = self.leafs.first()?;
        let (to, _) = other.leafs.get(usize::from(same))?;
        Some((*from, *to))
    }
}

impl TreeSpray<'_> {
    /// Bytes on all links but those of the NICs, of each message so many; false where no way joins
    /// some that send to each other. Those of a leaf reach each other by it.
    pub(in crate::routing) fn spray_all_pairs(
        &mut self,
        members: &[UniformMembers],
        bytes: f64,
    ) -> bool {
        let paths = self.spray_paths();
        let planes =
            members.first().map_or(0, |uniform_members| paths.leafs_of(uniform_members.nic).len());
        let mut joined = true;
        for plane in 0..planes {
            let sets = leaf_sets(paths, members, plane);
            for (one, from) in sets.iter().enumerate() {
                for (other, to) in sets.iter().enumerate() {
                    let same = one == other;
                    let Some((low, high)) = from.leaf_pair(to, same) else { continue };
                    if from.all.weight * to.all.count > 0.0 {
                        let way = paths.paths_between_leafs(low, high);
                        joined &= self.has_spread_between_sets(
                            way,
                            from,
                            to,
                            same,
                            bytes / planes as f64,
                        );
                    }
                }
            }
        }
        joined
    }

    /// What the leafs of one set send to those of another, or of their own.
    fn has_spread_between_sets(
        &mut self,
        way: LeafPaths,
        from: &LeafSet,
        to: &LeafSet,
        same: bool,
        bytes: f64,
    ) -> bool {
        let beside = |all: f64, own: f64| if same { all - own } else { all };
        let out = from
            .leafs
            .iter()
            .map(|(leaf, sum)| (*leaf, sum.weight * beside(to.all.count, sum.count)));
        let into = to
            .leafs
            .iter()
            .map(|(leaf, sum)| (*leaf, sum.count * beside(from.all.weight, sum.weight)));
        match way {
            LeafPaths::Leaf => {}
            LeafPaths::Pod(pod) => {
                out.for_each(|(leaf, messages)| {
                    self.add_border_bytes(leaf, pod, 0, messages * bytes)
                });
                into.for_each(|(leaf, messages)| {
                    self.add_border_bytes(leaf, pod, 1, messages * bytes)
                });
            }
            LeafPaths::Cores(pod, other) => {
                let between = self.between_pods(pod, other);
                out.for_each(|(leaf, messages)| {
                    between.add_bytes_leaving_pod(leaf, messages * bytes)
                });
                into.for_each(|(leaf, messages)| {
                    between.add_bytes_entering_pod(leaf, messages * bytes)
                });
            }
            LeafPaths::None => return false,
        }
        true
    }
}

/// The leafs of a plane that members are on, by the pods above them.
fn leaf_sets(paths: &Tree, members: &[UniformMembers], plane: usize) -> Vec<LeafSet> {
    let mut leafs: BTreeMap<u32, LeafSum> = BTreeMap::new();
    for uniform_members in members {
        let Some(leaf) = paths.leafs_of(uniform_members.nic).get(plane) else { continue };
        let sum = leafs.entry(*leaf).or_default();
        sum.count += uniform_members.count;
        sum.weight += uniform_members.weight;
    }
    let mut sets: BTreeMap<Vec<u32>, LeafSet> = BTreeMap::new();
    for (leaf, sum) in leafs {
        let pods = paths.leafs[leaf as usize].up.iter().map(|(pod, _)| *pod).collect();
        let set: &mut LeafSet = sets.entry(pods).or_default();
        set.leafs.push((leaf, sum));
        set.all.count += sum.count;
        set.all.weight += sum.weight;
    }
    sets.into_values().collect()
}

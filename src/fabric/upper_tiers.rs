//! The layers above the leaf switches: how many spines, cores and super-cores carry given uplinks,
//! so that no traffic finds less bandwidth than the shares of uplinks say.
//!
//! Leaf switches stripe their uplinks evenly over the spines of their pod. The uplinks of a set of
//! spines go to cores of its own, one after the other, for every pod from the first core on: pods
//! of one kind have the same links to every core, so that each core carries the same part of what
//! any of them sends. A smaller pod whose spines stand for several spines of a full one keeps
//! these apart: each set of theirs has its own cores. In four tiers, the spines of all pods that
//! are at the same place of their pod are the leaf switches of a tree of cores and super-cores.
//! `graph` wires by the same values, and a maximum flow through its graph is the check on both.

use super::Ratio;
use super::pods::{PodPlan, PodSwitches, UpperTiers};
use super::ratio::{ascending_divisors, fewest_spines};

/// Two tiers: every leaf has links to each spine. `reserve` links of a spine stay free.
/// `None` where a spine has too few ports for that.
#[must_use]
pub(super) fn two_tiers(
    leafs: u64,
    uplinks: u32,
    spine_radix: u32,
    reserve: u32,
) -> Option<UpperTiers> {
    let ports = spine_radix.saturating_sub(reserve);
    let switches = fewest_spines(uplinks, leafs * u64::from(uplinks), ports)?;
    let only = PodSwitches { switches, up: 0 };
    let pods = PodPlan { below: leafs, full: only, last: only, sets: 1, cores: 0 };
    Some(UpperTiers { spines: u64::from(switches), pods, ..UpperTiers::NONE })
}

/// Three tiers: pods of one size (the last one may be smaller), joined by cores.
///
/// A spine has at least `share` uplinks for each of its downlinks in use. The pods are those with
/// the fewest spines and cores in all, of equals with the fewest links, then the larger ones.
/// `None` where no pod does.
#[must_use]
pub(super) fn three_tiers(
    leafs: u64,
    uplinks: u32,
    spine_radix: u32,
    core_radix: u32,
    share: Ratio,
) -> Option<UpperTiers> {
    let spine = Spine { uplinks, radix: spine_radix, share };
    let mut best: Option<UpperTiers> = None;
    for switches in ascending_divisors(uplinks).into_iter().rev() {
        let alike = plan_equal_pods(&spine, leafs, switches, core_radix);
        for found in [alike, tiers_with_smaller_pod(&spine, leafs, switches, core_radix)] {
            let weight = |tiers: &UpperTiers| (tiers.spines + tiers.cores, tiers.spine_core);
            if let Some(found) = found
                && best.is_none_or(|known| weight(&found) < weight(&known))
            {
                best = Some(found);
            }
        }
    }
    best
}

/// Four tiers: alike pods whose every leaf has one link to each spine of its pod. The spines at one
/// place of every pod are joined by cores and super-cores as leafs are by spines and cores: cores
/// have at least `shares[1]` uplinks for each of their downlinks in use. `None` where a
/// super-core would need more ports than it has.
#[must_use]
pub(super) fn four_tiers(
    leafs: u64,
    uplinks: u32,
    radix: u32,
    shares: [Ratio; 2],
) -> Option<UpperTiers> {
    let spine = Spine { uplinks, radix, share: shares[0] };
    let (pods, below) = spine.fewest_pods(leafs, uplinks)?;
    let full = spine.pod_switches(uplinks, below);
    let above = three_tiers(pods, full.up, radix, radix, shares[1])?;
    let places = u64::from(uplinks);
    Some(UpperTiers {
        spines: pods * places,
        cores: above.spines * places,
        super_cores: above.cores * places,
        spine_core: pods * full.uplink_count(),
        core_super_core: above.spine_core * places,
        shares,
        pods: PodPlan { below, full, last: full, sets: 1, cores: 0 },
        groups: Some(above.pods),
    })
}

/// Pods of as many spines and uplinks each, as nearly of one size as they can be.
fn plan_equal_pods(
    spine: &Spine,
    leafs: u64,
    switches: u32,
    core_radix: u32,
) -> Option<UpperTiers> {
    let (pods, below) = spine.fewest_pods(leafs, switches)?;
    let full = spine.pod_switches(switches, below);
    let cores = fewest_cores(&[(pods, full.uplink_count())], core_radix)?;
    let made = PodPlan { below, full, last: full, sets: 1, cores };
    Some(spine.count_upper_tiers(pods, &made))
}

/// Full pods, and a smaller one with fewer spines.
fn tiers_with_smaller_pod(
    spine: &Spine,
    leafs: u64,
    switches: u32,
    core_radix: u32,
) -> Option<UpperTiers> {
    let below = spine.most_below(switches);
    let rest = leafs.checked_rem(below).filter(|rest| *rest > 0 && *rest < leafs)?;
    let full = spine.pod_switches(switches, below);
    // What the smaller pod has for each spine of a full one.
    let [down, up] = {
        let alike = spine.pod_switches(switches, rest);
        [rest * u64::from(spine.uplinks / switches), u64::from(alike.up)]
    };
    let most = spine.share.downlinks_of(spine.radix);
    let most = [u64::from(most), spine.share.ceil_times(most.into())];
    let fits = |fewer: &u32| {
        let times = u64::from(switches / fewer);
        times * down <= most[0] && times * up <= most[1]
    };
    let fewer = ascending_divisors(switches).into_iter().find(fits)?;
    let last = PodSwitches { switches: fewer, up: (u64::from(switches / fewer) * up) as u32 };
    let pods = leafs / below;
    let cores = fewest_cores(&[(pods, full.up.into()), (1, up)], core_radix)?;
    let made = PodPlan { below, full, last, sets: switches, cores };
    Some(spine.count_upper_tiers(pods + 1, &made))
}

/// The fewest cores above parts of pods, given as (how many, links up of each), where every part
/// spreads its links from the first core on and no core needs more than `ports` of them. No more
/// than the largest part has links, so that it reaches each core. `None` where there are more
/// parts than ports.
fn fewest_cores(parts: &[(u64, u64)], ports: u32) -> Option<u64> {
    // The first core has the most links of all.
    let fits = |cores: u64| {
        let first = parts.iter().map(|(many, links)| many.saturating_mul(links.div_ceil(cores)));
        first.fold(0, u64::saturating_add) <= u64::from(ports)
    };
    let (mut least, mut enough) = (1, parts.iter().map(|(_, links)| *links).max()?.max(1));
    if !fits(enough) {
        return None;
    }
    while least < enough {
        let middle = least + (enough - least) / 2;
        if fits(middle) { enough = middle } else { least = middle + 1 }
    }
    Some(enough)
}

/// Spines to build pods of.
struct Spine {
    /// Links up from a leaf.
    pub(super) uplinks: u32,
    /// Links that a spine can have.
    radix: u32,
    /// Uplinks per downlink of a spine.
    pub(super) share: Ratio,
}

impl Spine {
    /// Most leafs of a pod of so many spines.
    fn most_below(&self, spines: u32) -> u64 {
        let down = u64::from(self.share.downlinks_of(self.radix));
        u64::from(spines) * down / u64::from(self.uplinks)
    }

    /// The fewest pods of so many spines for all leafs, and the leafs of the largest; `None` where
    /// a pod holds none.
    fn fewest_pods(&self, leafs: u64, spines: u32) -> Option<(u64, u64)> {
        let most = self.most_below(spines);
        if most == 0 || leafs == 0 {
            return None;
        }
        let pods = leafs.div_ceil(most);
        let below = leafs.div_ceil(pods);
        Some((leafs.div_ceil(below), below))
    }

    /// The spines of a pod with so many leafs.
    fn pod_switches(&self, spines: u32, leafs: u64) -> PodSwitches {
        let down = leafs * u64::from(self.uplinks / spines);
        PodSwitches { switches: spines, up: self.share.ceil_times(down) as u32 }
    }

    /// Pods below their cores, counted.
    fn count_upper_tiers(&self, pods: u64, made: &PodPlan) -> UpperTiers {
        let before = pods - 1;
        UpperTiers {
            spines: before * u64::from(made.full.switches) + u64::from(made.last.switches),
            cores: u64::from(made.sets) * made.cores,
            spine_core: before * made.full.uplink_count() + made.last.uplink_count(),
            shares: [self.share, Ratio::ONE],
            pods: *made,
            ..UpperTiers::NONE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{four_tiers, three_tiers, two_tiers};
    use crate::fabric::ratio::Ratio;

    const FULL: [Ratio; 2] = [Ratio::ONE; 2];

    #[test]
    fn a_full_tree_has_as_many_spines_as_leafs_and_half_the_cores() {
        let full = three_tiers(2048, 32, 64, 64, Ratio::ONE).expect("2,048 leafs are a full tree");
        assert_eq!((full.spines, full.cores, full.pods.below), (2048, 1024, 32));
        assert!(three_tiers(2049, 32, 64, 64, Ratio::ONE).is_none());
        let full = four_tiers(2048, 16, 32, FULL).expect("eight groups of 256 leafs");
        assert_eq!((full.spines, full.cores, full.super_cores), (2048, 2048, 1024));
        assert_eq!((full.spine_core, full.core_super_core), (32_768, 32_768));
    }

    #[test]
    fn smaller_pods_are_taken_where_they_save_switches() {
        // 49 leafs: pods of 32 and 17 would need 32 spines each.
        let pods = three_tiers(49, 32, 64, 64, Ratio::ONE).expect("49 leafs fit");
        assert!(pods.spines < 64, "{pods:?}");
    }

    /// Leafs of 32 uplinks under switches of 64 ports: 49 · 32 = 1,568 links leave the leafs, and
    /// as many leave the spines, 32 from each of 49.
    #[test]
    fn a_smaller_pod_has_links_for_its_own_leafs_only() {
        let pods = three_tiers(49, 32, 64, 64, Ratio::ONE).expect("49 leafs fit");
        assert_eq!((pods.spines, pods.spine_core), (49, 1568));
    }

    /// A spine has ports for its leafs and its uplinks, in a smaller pod as in a full one.
    #[test]
    fn no_spine_has_more_links_than_ports() {
        for (share, radix) in [(1, 16), (2, 18), (3, 16), (7, 16)] {
            let share = Ratio::new(1, share).expect("not over zero");
            for (leafs, uplinks) in (1..60).flat_map(|leafs| (1..25).map(move |up| (leafs, up))) {
                let Some(tree) = three_tiers(leafs, uplinks, radix, 64, share) else { continue };
                let rest = (leafs - 1) % tree.pods.below + 1;
                for (below, pod) in [(tree.pods.below, tree.pods.full), (rest, tree.pods.last)] {
                    let below = below * u64::from(uplinks);
                    let spines = u64::from(pod.switches);
                    let ports = below.div_ceil(spines) + u64::from(pod.up);
                    assert!(ports <= u64::from(radix), "{leafs} leafs of {uplinks}: {tree:?}");
                    assert!(pod.uplink_count() as f64 >= below as f64 * share.to_f64() - 1e-9);
                }
            }
        }
    }

    #[test]
    fn cores_are_as_many_as_equal_links_of_every_pod_need() {
        // Ten pods of 32 leafs at most, 1,024 links up each: six to a core use 60 of its ports,
        // seven would need 70.
        let tree = three_tiers(314, 32, 64, 64, Ratio::ONE).expect("ten pods");
        assert_eq!((tree.spines, tree.cores, tree.spine_core), (320, 171, 10_240));
    }

    #[test]
    fn an_oversubscribed_spine_carries_more_leafs_and_needs_fewer_cores() {
        let share = Ratio::new(1, 7).expect("not over zero");
        // 56 ports down and 8 up on 64-port spines: pods of 56 leafs.
        let pods = three_tiers(224, 32, 64, 64, share).expect("four pods");
        assert_eq!((pods.pods.below, pods.spines), (56, 128));
        assert_eq!((pods.spine_core, pods.cores), (1024, 16));
        assert!((pods.uplink_share() - 1.0 / 7.0).abs() < 1e-12);
        // Twelve pods of four leafs; at each of their four places two groups of six spines with
        // four links up, below four cores of six links down and two up.
        let third = Ratio::new(1, 3).expect("not over zero");
        let tree = four_tiers(48, 4, 8, [Ratio::ONE, third]).expect("two groups");
        assert_eq!((tree.spines, tree.cores, tree.spine_core), (48, 32, 192));
        assert_eq!((tree.core_super_core, tree.super_cores), (64, 8));
        assert!(four_tiers(24 * 8 + 1, 4, 8, [Ratio::ONE, third]).is_none());
    }

    #[test]
    fn a_spine_without_ports_carries_nothing() {
        assert!(two_tiers(4, 4, 8, 8).is_none());
        assert!(three_tiers(4, 4, 0, 8, Ratio::ONE).is_none());
        assert!(three_tiers(4, 4, 8, 0, Ratio::ONE).is_none());
        assert!(four_tiers(4, 4, 0, FULL).is_none());
    }
}

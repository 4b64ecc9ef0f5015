//! The layers above the leafs: how many spines, cores and super-cores carry given uplinks.
//!
//! Leafs stripe their uplinks evenly over the spines of their pod; from spines upwards switches
//! are counted by ports, and a switch's links are spread over all those above as evenly as whole
//! links allow. A switch has the least whole number of uplinks that is no less than its share of
//! the downlinks in use. Where the number of cores does not divide the uplinks of a pod, the worst
//! traffic can't use them all: such a tree is counted in its own favour, so that nothing compared
//! with it looks too good.

use super::Ratio;
use super::striping::{divisors, fewest_spines};

/// Switches and links above the leafs of one tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Upper {
    /// Switches of the second layer.
    pub(super) spines: u64,
    /// Spines of one pod: every leaf of a full pod has links to each of them.
    pub(super) pod_spines: u32,
    /// Leafs of a full pod; all of them where there are two tiers.
    pub(super) pod_leafs: u64,
    /// Switches of the third layer.
    pub(super) cores: u64,
    /// Switches of the fourth layer.
    pub(super) super_cores: u64,
    /// Links between spines and cores.
    pub(super) spine_core: u64,
    /// Links between cores and super-cores.
    pub(super) core_super_core: u64,
    /// Uplinks per downlink of spines and of cores.
    pub(super) shares: [Ratio; 2],
}

impl Upper {
    /// Nothing above the leafs.
    pub(super) const NONE: Self = Self {
        spines: 0,
        pod_spines: 0,
        pod_leafs: 0,
        cores: 0,
        super_cores: 0,
        spine_core: 0,
        core_super_core: 0,
        shares: [Ratio::ONE; 2],
    };

    /// What the layers above the leafs leave of the bandwidth that leaves those, at worst.
    pub(super) fn share(&self) -> f64 {
        let of = |there: u64, share: Ratio| if there > 0 { share.as_f64().min(1.0) } else { 1.0 };
        of(self.cores, self.shares[0]) * of(self.super_cores, self.shares[1])
    }
}

/// Two tiers: every leaf has links to each spine. `reserve` links of a spine stay free.
/// `None` where a spine has too few ports for that.
#[must_use]
pub(super) fn two_tiers(leafs: u64, uplinks: u32, spine_radix: u32, reserve: u32) -> Option<Upper> {
    let ports = spine_radix.saturating_sub(reserve);
    let spines = fewest_spines(uplinks, leafs * u64::from(uplinks), ports)?;
    let pod_spines = spines;
    Some(Upper { spines: u64::from(spines), pod_spines, pod_leafs: leafs, ..Upper::NONE })
}

/// Three tiers: pods of one size (the last one may be smaller), joined by cores.
///
/// A spine has at least `share` uplinks for each of its downlinks in use. The pod is the one with
/// the fewest spines in all, the larger one among equals; its uplinks reach every core, so that
/// any two pods have the whole of the smaller one's bandwidth between them. `None` where no pod
/// does.
#[must_use]
pub(super) fn three_tiers(
    leafs: u64,
    uplinks: u32,
    spine_radix: u32,
    core_radix: u32,
    share: Ratio,
) -> Option<Upper> {
    let down = share.downlinks_of(spine_radix);
    if core_radix == 0 {
        return None;
    }
    let mut best: Option<Upper> = None;
    for pod_spines in divisors(uplinks).into_iter().rev() {
        let pod_leafs = u64::from(pod_spines) * u64::from(down) / u64::from(uplinks);
        if pod_leafs == 0 {
            continue;
        }
        let pods = Pods { uplinks, down, leafs: pod_leafs, spines: pod_spines, share };
        let Some((spines, spine_core)) = pods.of(leafs) else { continue };
        let cores = spine_core.div_ceil(u64::from(core_radix));
        if best.is_none_or(|known| spines < known.spines)
            && pods.up(pod_leafs.min(leafs), pod_spines) >= cores
        {
            let shares = [share, Ratio::ONE];
            let super_cores = 0;
            let pods = Upper { pod_spines, pod_leafs, spine_core, shares, ..Upper::NONE };
            best = Some(Upper { spines, cores, super_cores, ..pods });
        }
    }
    best
}

/// Four tiers: full pods under cores, which have at least `shares[1]` uplinks for each of their
/// downlinks in use. `None` where a super-core would need more ports than it has.
#[must_use]
pub(super) fn four_tiers(
    leafs: u64,
    uplinks: u32,
    radix: u32,
    shares: [Ratio; 2],
) -> Option<Upper> {
    let [spine, core] = shares;
    let (down, core_down) = (spine.downlinks_of(radix), core.downlinks_of(radix));
    let pod_leafs = u64::from(down);
    let group_leafs = pod_leafs * u64::from(core_down);
    if group_leafs == 0 || leafs > group_leafs.checked_mul(u64::from(radix))? {
        return None;
    }
    let pods = Pods { uplinks, down, leafs: pod_leafs, spines: uplinks, share: spine };
    let group = |leafs: u64| -> Option<Upper> {
        let (spines, spine_core) = pods.of(leafs)?;
        let cores = spine_core.div_ceil(u64::from(core_down));
        // No two cores differ by more than one link.
        let (each, longer) = (spine_core / cores.max(1), spine_core % cores.max(1));
        let core_super_core =
            longer * core.ceil_of(each + 1) + (cores - longer) * core.ceil_of(each);
        Some(Upper { spines, cores, spine_core, core_super_core, ..Upper::NONE })
    };
    let (full, last) = (group(group_leafs)?, group(leafs % group_leafs)?);
    let groups = leafs / group_leafs;
    let sum = |of: fn(&Upper) -> u64| groups * of(&full) + of(&last);
    let core_super_core = sum(|group| group.core_super_core);
    Some(Upper {
        spines: sum(|group| group.spines),
        pod_spines: uplinks,
        pod_leafs,
        cores: sum(|group| group.cores),
        super_cores: core_super_core.div_ceil(u64::from(radix)),
        spine_core: sum(|group| group.spine_core),
        core_super_core,
        shares,
    })
}

/// Alike pods, the last of which may be smaller.
struct Pods {
    /// Links up from a leaf.
    uplinks: u32,
    /// Most links down from a spine.
    down: u32,
    /// Leafs of a full pod.
    leafs: u64,
    /// Spines of a full pod.
    spines: u32,
    /// Uplinks per downlink of a spine.
    share: Ratio,
}

impl Pods {
    /// Spines of all pods, and their links up; `None` where the last pod's can't be striped.
    fn of(&self, leafs: u64) -> Option<(u64, u64)> {
        let (pods, rest) = (leafs / self.leafs, leafs % self.leafs);
        let last = match rest {
            0 => 0,
            rest => fewest_spines(self.uplinks, rest * u64::from(self.uplinks), self.down)?,
        };
        let spines = pods * u64::from(self.spines) + u64::from(last);
        Some((spines, pods * self.up(self.leafs, self.spines) + self.up(rest, last)))
    }

    /// Links up from all spines of a pod of so many leafs.
    fn up(&self, leafs: u64, spines: u32) -> u64 {
        let each = leafs * u64::from(self.uplinks) / u64::from(spines.max(1));
        u64::from(spines) * self.share.ceil_of(each)
    }
}

#[cfg(test)]
mod tests {
    use super::{Ratio, four_tiers, three_tiers, two_tiers};

    const FULL: [Ratio; 2] = [Ratio::ONE; 2];

    #[test]
    fn a_full_tree_has_as_many_spines_as_leafs_and_half_the_cores() {
        let full = three_tiers(2048, 32, 64, 64, Ratio::ONE).expect("2,048 leafs are a full tree");
        assert_eq!((full.spines, full.cores, full.pod_leafs), (2048, 1024, 32));
        assert!(three_tiers(2049, 32, 64, 64, Ratio::ONE).is_none());
        let full = four_tiers(2048, 16, 32, FULL).expect("eight groups of 256 leafs");
        assert_eq!((full.spines, full.cores, full.super_cores), (2048, 2048, 1024));
        assert_eq!((full.spine_core, full.core_super_core), (32_768, 32_768));
    }

    #[test]
    fn smaller_pods_are_taken_where_they_save_spines() {
        // 49 leafs: pods of 32 and 17 would need 32 spines each.
        let pods = three_tiers(49, 32, 64, 64, Ratio::ONE).expect("49 leafs fit");
        assert!(pods.spines < 64, "{pods:?}");
    }

    #[test]
    fn an_oversubscribed_spine_carries_more_leafs_and_needs_fewer_cores() {
        let share = Ratio::new(1, 7).expect("not over zero");
        // 56 ports down and 8 up on 64-port spines: pods of 56 leafs.
        let pods = three_tiers(224, 32, 64, 64, share).expect("four pods");
        assert_eq!((pods.pod_leafs, pods.spines), (56, 128));
        assert_eq!((pods.spine_core, pods.cores), (1024, 16));
        assert!((pods.share() - 1.0 / 7.0).abs() < 1e-12);
        // Groups of six pods of four leafs: cores of six links down and two up.
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

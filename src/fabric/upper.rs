//! The layers above the leafs: how many spines, cores and super-cores carry given uplinks.
//!
//! Above the leafs nothing is oversubscribed. Leafs stripe their uplinks evenly over the spines
//! of their pod; from spines upwards switches are counted by ports, and a spine's links are
//! spread over all cores as evenly as whole links allow. Where the number of cores does not
//! divide the uplinks of a pod, the worst traffic can't use them all: such a tree is counted in
//! its own favour, so that nothing compared with it looks too good.

use super::striping::{divisors, fewest_spines};

/// Switches above the leafs of one tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
}

/// Two tiers: every leaf has links to each spine. `reserve` links of a spine stay free.
/// `None` where a spine has too few ports for that.
#[must_use]
pub(super) fn two_tiers(leafs: u64, uplinks: u32, spine_radix: u32, reserve: u32) -> Option<Upper> {
    let ports = spine_radix.saturating_sub(reserve);
    let spines = fewest_spines(uplinks, leafs * u64::from(uplinks), ports)?;
    let pod_spines = spines;
    Some(Upper { spines: u64::from(spines), pod_spines, pod_leafs: leafs, ..Upper::default() })
}

/// Three tiers: pods of one size (the last one may be smaller), joined by cores.
///
/// Half the ports of a spine lead up. The pod is the one with the fewest spines in all, the
/// larger one among equals; its uplinks reach every core, so that any two pods have the whole
/// of the smaller one's bandwidth between them. `None` where no pod does.
#[must_use]
pub(super) fn three_tiers(
    leafs: u64,
    uplinks: u32,
    spine_radix: u32,
    core_radix: u32,
) -> Option<Upper> {
    let half = spine_radix / 2;
    if core_radix == 0 {
        return None;
    }
    let cores = (leafs * u64::from(uplinks)).div_ceil(u64::from(core_radix));
    let mut best: Option<Upper> = None;
    for pod_spines in divisors(uplinks).into_iter().rev() {
        let pod_leafs = u64::from(pod_spines) * u64::from(half) / u64::from(uplinks);
        if pod_leafs == 0 || pod_leafs.min(leafs) * u64::from(uplinks) < cores {
            continue;
        }
        let Some(spines) = spines_in_pods(leafs, uplinks, half, pod_leafs, pod_spines) else {
            continue;
        };
        if best.is_none_or(|known| spines < known.spines) {
            best = Some(Upper { spines, pod_spines, pod_leafs, cores, super_cores: 0 });
        }
    }
    best
}

/// Four tiers: full pods under cores, half of whose ports lead up to super-cores.
/// `None` where a super-core would need more ports than it has.
#[must_use]
pub(super) fn four_tiers(leafs: u64, uplinks: u32, radix: u32) -> Option<Upper> {
    let half = radix / 2;
    let pod_leafs = u64::from(half);
    let group_leafs = pod_leafs * u64::from(half);
    if leafs > group_leafs.checked_mul(u64::from(radix))? {
        return None;
    }
    let links = leafs * u64::from(uplinks);
    let spines = spines_in_pods(leafs, uplinks, half, pod_leafs, uplinks)?;
    let full_groups = leafs / group_leafs;
    let rest = (leafs % group_leafs) * u64::from(uplinks);
    let cores = full_groups * u64::from(uplinks) * u64::from(half) + rest.div_ceil(pod_leafs);
    let super_cores = links.div_ceil(u64::from(radix));
    Some(Upper { spines, pod_spines: uplinks, pod_leafs, cores, super_cores })
}

/// Spines of all pods, the last of which may be smaller.
fn spines_in_pods(
    leafs: u64,
    uplinks: u32,
    spine_down: u32,
    pod_leafs: u64,
    pod_spines: u32,
) -> Option<u64> {
    let rest = leafs % pod_leafs;
    let last = if rest == 0 {
        0
    } else {
        u64::from(fewest_spines(uplinks, rest * u64::from(uplinks), spine_down)?)
    };
    Some(leafs / pod_leafs * u64::from(pod_spines) + last)
}

#[cfg(test)]
mod tests {
    use super::{four_tiers, three_tiers, two_tiers};

    #[test]
    fn a_full_tree_has_as_many_spines_as_leafs_and_half_the_cores() {
        let full = three_tiers(2048, 32, 64, 64).expect("2,048 leafs are a full tree");
        assert_eq!((full.spines, full.cores, full.pod_leafs), (2048, 1024, 32));
        assert!(three_tiers(2049, 32, 64, 64).is_none());
        let full = four_tiers(2048, 16, 32).expect("eight groups of 256 leafs");
        assert_eq!((full.spines, full.cores, full.super_cores), (2048, 2048, 1024));
    }

    #[test]
    fn smaller_pods_are_taken_where_they_save_spines() {
        // 49 leafs: pods of 32 and 17 would need 32 spines each.
        let pods = three_tiers(49, 32, 64, 64).expect("49 leafs fit");
        assert!(pods.spines < 64, "{pods:?}");
    }

    #[test]
    fn a_spine_without_ports_carries_nothing() {
        assert!(two_tiers(4, 4, 8, 8).is_none());
        assert!(three_tiers(4, 4, 0, 8).is_none());
        assert!(three_tiers(4, 4, 8, 0).is_none());
        assert!(four_tiers(4, 4, 0).is_none());
    }
}

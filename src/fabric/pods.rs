//! Switches above leaf switches, pod by pod. Chooses none.

use super::Ratio;
use super::occupancy::Occupancy;

/// Switches and links above the leafs of one tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UpperTiers {
    /// Switches of the second layer.
    pub(super) spines: u64,
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
    /// Pods of leaf switches; one of them where there are two tiers.
    pub(super) pods: PodPlan,
    /// Four tiers: the pods above the spines at one place of every pod.
    pub(super) groups: Option<PodPlan>,
}

/// Pods of switches, all alike but for the last one, and the cores above them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PodPlan {
    /// Switches below a full pod: leafs, or spines in the groups of four tiers.
    pub(super) below: u64,
    /// Switches of a full pod.
    pub(super) full: PodSwitches,
    /// Switches of the last pod, which may have fewer below it.
    pub(super) last: PodSwitches,
    /// Sets that the switches of every pod form, each with cores of its own.
    pub(super) sets: u32,
    /// Cores of a set; none where nothing is above the pods.
    pub(super) cores: u64,
}

/// Alike switches of one pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PodSwitches {
    pub(super) switches: u32,
    /// Links up of each.
    pub(super) up: u32,
}

impl PodSwitches {
    pub(super) const NONE: Self = Self { switches: 0, up: 0 };

    pub(super) const fn uplink_count(self) -> u64 {
        self.switches as u64 * self.up as u64
    }
}

impl UpperTiers {
    /// Nothing above the leafs.
    pub(super) const NONE: Self = Self {
        spines: 0,
        cores: 0,
        super_cores: 0,
        spine_core: 0,
        core_super_core: 0,
        shares: [Ratio::ONE; 2],
        pods: PodPlan {
            below: 0,
            full: PodSwitches::NONE,
            last: PodSwitches::NONE,
            sets: 1,
            cores: 0,
        },
        groups: None,
    };

    /// What the layers above the leafs leave of the bandwidth that leaves those, at worst.
    pub(super) fn uplink_share(&self) -> f64 {
        let read = |there: u64, share: Ratio| if there > 0 { share.to_f64().min(1.0) } else { 1.0 };
        read(self.cores, self.shares[0]) * read(self.super_cores, self.shares[1])
    }

    /// Adds the links of all switches above so many leafs with so many uplinks each.
    pub(super) fn add_links_of_tiers(&self, occupancy: &mut Occupancy, leafs: u64, uplinks: u32) {
        if self.spines == 0 {
            return;
        }
        let Some(groups) = &self.groups else {
            return self.pods.add_links_of_pods(occupancy, leafs, uplinks);
        };
        // Spines have links down, which their pods count, and up, which the groups above them
        // count.
        let full = self.pods.full;
        let mut below = Occupancy::default();
        self.pods.add_links_of_pods(&mut below, leafs, uplinks);
        let mut above = Occupancy::default();
        groups.add_links_of_pods(&mut above, leafs.div_ceil(self.pods.below), full.up);
        occupancy.add(&below, 1);
        occupancy.add(&above, full.switches.into());
    }
}

impl PodPlan {
    /// Adds the links of its switches and of the cores above them, for so many switches below with
    /// so many uplinks each.
    fn add_links_of_pods(&self, occupancy: &mut Occupancy, below: u64, uplinks: u32) {
        let before = below.div_ceil(self.below.max(1)).saturating_sub(1);
        let rest = below - before * self.below;
        let pods = [(before, self.below, self.full), (1, rest, self.last)];
        for (pods, below, member) in pods {
            let switches = u64::from(member.switches);
            let each = u64::from(uplinks) / switches.max(1);
            occupancy.add_switches(pods * switches, 0, below * each + u64::from(member.up));
            occupancy.add_trunks(pods * below * switches, each);
        }
        if self.cores == 0 {
            return;
        }
        // Parts of pods fill the cores of a set one after the other, from the first core on.
        let parts =
            pods.map(|(pods, _, member)| (pods, member.uplink_count() / u64::from(self.sets)));
        let mut ends: Vec<u64> = parts.map(|(_, links)| links % self.cores).to_vec();
        ends.push(self.cores);
        ends.sort_unstable();
        let mut first = 0;
        for end in ends {
            let each = parts.map(|(pods, links)| {
                pods * (links / self.cores + u64::from(first < links % self.cores))
            });
            occupancy.add_switches((end - first) * u64::from(self.sets), 0, each.iter().sum());
            first = end;
        }
        for (pods, _, member) in pods {
            let (switches, sets) = (u64::from(member.switches), u64::from(self.sets));
            let stands_for = (sets / switches.max(1)).max(1);
            let up = u64::from(member.up) / stands_for;
            let pairs = pods * switches * stands_for;
            occupancy.add_trunks(pairs * (up % self.cores), up / self.cores + 1);
            occupancy.add_trunks(pairs * (self.cores - up % self.cores), up / self.cores);
        }
    }
}

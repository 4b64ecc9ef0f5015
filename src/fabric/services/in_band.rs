//! The in-band management network: leaf switches in pairs (MLAG), two cores above several pairs.

use super::PAIR;

/// What an in-band network is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InBand {
    /// Ports of machines, servers, storage and out-of-band switches.
    pub ports: u64,
    /// Links between the two switches of a pair.
    pub peer_links: u32,
    /// How leaf switches are joined to the cores.
    pub up: UplinkPlan,
    /// Links from the cores to the outside.
    pub outside: u32,
    /// Ports of a switch.
    pub radix: u32,
}

/// How leaf switches are joined to the cores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UplinkPlan {
    /// So many links of each, to two cores, where there are several pairs.
    Links(u32),
    /// So many uplinks per downlink, whose ports each keeps from the start, to as many cores as they need.
    Share(f64),
}

/// Its switches and links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InBandCounts {
    /// Leaf switches.
    pub leafs: u64,
    /// Cores; none above a single pair.
    pub cores: u64,
    /// Links of what hangs on it.
    pub host_links: u64,
    /// Links between leaf switches and cores.
    pub uplinks: u64,
    /// Links inside pairs.
    pub peer_links: u64,
    /// Links to the outside.
    pub outside: u64,
}

impl InBandCounts {
    /// All switches.
    #[must_use]
    pub const fn switch_count(&self) -> u64 {
        self.leafs + self.cores
    }
}

impl InBand {
    /// Counts; `None` where a switch has no port left for hosts, or the cores too few for all.
    #[must_use]
    pub fn count_in_band_network(&self) -> Option<InBandCounts> {
        match self.up {
            UplinkPlan::Links(uplinks) => self.counts_below_two_cores(uplinks),
            UplinkPlan::Share(share) => self.counts_at_share(share),
        }
    }

    /// With uplinks by the share of downlinks.
    fn counts_at_share(&self, share: f64) -> Option<InBandCounts> {
        let up = |down: u32| (f64::from(down) * share - 1e-9).ceil().max(1.0) as u32;
        let most = self.radix.checked_sub(self.peer_links)?;
        let down = (1..most).rev().find(|down| down + up(*down) <= most)?;
        let pairs = self.ports.div_ceil(PAIR * u64::from(down)).max(1);
        let below = |cores| self.counts_of_leaf_pairs(pairs, up(down), cores);
        let above = below(PAIR).core_links().div_ceil(self.radix.into()).max(PAIR);
        let counts = below(above);
        // Each leaf switch reaches every core.
        (counts.cores <= u64::from(up(down))).then_some(counts)
    }

    /// With so many uplinks of each leaf switch, to two cores.
    fn counts_below_two_cores(&self, up: u32) -> Option<InBandCounts> {
        let free = |taken: u32| self.radix.checked_sub(taken).filter(|left| *left > 0);
        // A single pair needs no cores: what leads outside hangs on it.
        let alone = free(self.peer_links + self.outside.div_ceil(2)).map_or(0, u64::from);
        let pairs = if self.ports <= PAIR * alone {
            1
        } else {
            self.ports.div_ceil(PAIR * u64::from(free(self.peer_links + up)?))
        };
        let counts = self.counts_of_leaf_pairs(pairs, up, PAIR);
        let room = PAIR * u64::from(self.radix);
        (counts.cores == 0 || counts.core_links() <= room).then_some(counts)
    }

    /// So many pairs of leaf switches, each switch with so many uplinks to so many cores where there are
    /// several pairs.
    fn counts_of_leaf_pairs(&self, pairs: u64, up: u32, cores: u64) -> InBandCounts {
        let (leafs, several) = (pairs * PAIR, pairs > 1);
        InBandCounts {
            leafs,
            cores: if several { cores } else { 0 },
            host_links: self.ports,
            uplinks: if several { leafs * u64::from(up) } else { 0 },
            peer_links: pairs * u64::from(self.peer_links),
            outside: self.outside.into(),
        }
    }
}

impl InBandCounts {
    /// Links that end in cores, where there are cores.
    const fn core_links(&self) -> u64 {
        self.uplinks + self.outside
    }
}

#[cfg(test)]
mod tests {
    use super::{InBand, UplinkPlan};

    /// RA-11333-001 V11, tables 7 and 8: 8 SN4600C; 254 links of nodes, 8 of servers, 8 of NFS, 16 of
    /// out-of-band switches; 24 up, 6 in pairs, 4 outside.
    #[test]
    fn the_in_band_network_of_the_h100_superpod() {
        let up = UplinkPlan::Links(4);
        let asked = InBand { ports: 286, peer_links: 2, up, outside: 4, radix: 64 };
        let counts = asked.count_in_band_network().expect("three pairs");
        assert_eq!((counts.leafs, counts.cores, counts.switch_count()), (6, 2, 8));
        assert_eq!((counts.uplinks, counts.peer_links, counts.outside), (24, 6, 4));
        let small = InBand { ports: 40, ..asked }.count_in_band_network().expect("a pair");
        assert_eq!((small.leafs, small.cores, small.uplinks), (2, 0, 0));
        assert_eq!(InBand { radix: 6, ..asked }.count_in_band_network(), None);
        assert_eq!(InBand { ports: 1 << 20, ..asked }.count_in_band_network(), None);
    }

    /// 128 ports, 2 of them inside a pair: 63 down and 63 up at 1:1, so 127 ports take two pairs, whose
    /// 4 · 63 uplinks and 4 to the outside are 256 ports of two cores; at 5:3 78 down and 47 up.
    #[test]
    fn leaf_switches_that_keep_their_uplinks() {
        let asked = InBand {
            ports: 126,
            peer_links: 2,
            up: UplinkPlan::Share(1.0),
            outside: 4,
            radix: 128,
        };
        let read = |ports| {
            InBand { ports, ..asked }
                .count_in_band_network()
                .map(|counts| (counts.leafs, counts.cores, counts.uplinks))
        };
        assert_eq!(
            [126, 127, 253].map(read),
            [Some((2, 0, 0)), Some((4, 2, 252)), Some((6, 3, 378))]
        );
        let blocking =
            InBand { ports: 157, up: UplinkPlan::Share(0.6), ..asked }.count_in_band_network();
        assert_eq!(
            blocking.map(|counts| (counts.leafs, counts.cores, counts.uplinks)),
            Some((4, 2, 188))
        );
        assert_eq!(InBand { radix: 3, ..asked }.count_in_band_network(), None);
        assert_eq!(InBand { ports: 1 << 20, ..asked }.count_in_band_network(), None);
    }
}

//! Storage, in-band and out-of-band networks, counted.

use super::ascending_divisors;

/// Least switches of a layer that no single failure may take away.
const PAIR: u64 = 2;

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
    pub radix: u32,
}

/// How leaf switches are joined to the cores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UplinkPlan {
    /// So many links of each, to two cores, where there are several pairs.
    Links(u32),
    /// So many uplinks per downlink, whose ports each keeps from the start, to as many cores as
    /// they need.
    Share(f64),
}

/// Its switches and links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InBandCounts {
    pub leafs: u64,
    /// Cores; none above a single pair.
    pub cores: u64,
    /// Links of what hangs on it.
    pub host_links: u64,
    /// Links between leaf switches and cores.
    pub uplinks: u64,
    pub peer_links: u64,
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

    /// So many pairs of leaf switches, each switch with so many uplinks to so many cores where
    /// there are several pairs.
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

/// What an out-of-band network is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutOfBand {
    /// Things with a port on it: machines, switches, servers, power strips.
    pub ports: u64,
    /// Most of a switch's ports that are used at first.
    pub fill: f64,
    /// Switches that machines need where each serves only so many of them.
    pub least: u64,
    /// Links of a switch to the in-band network.
    pub uplinks: u32,
    /// Copper ports of a switch.
    pub radix: u32,
}

/// Its switches and links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutOfBandCounts {
    pub switches: u64,
    pub host_links: u64,
    /// Links to the in-band network.
    pub uplinks: u64,
}

impl OutOfBand {
    /// Counts; `None` where a switch has no port to use.
    #[must_use]
    pub fn count_out_of_band_network(&self) -> Option<OutOfBandCounts> {
        let each = f64::from(self.radix) * self.fill;
        if each < 1.0 {
            return None;
        }
        let switches = (self.ports as f64 / each - 1e-9).ceil().max(1.0) as u64;
        let switches = switches.max(self.least);
        let uplinks = switches * u64::from(self.uplinks);
        Some(OutOfBandCounts { switches, host_links: self.ports, uplinks })
    }
}

/// What a storage network is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Storage {
    pub nodes: u64,
    /// Ports of each.
    pub ports_per_node: u32,
    /// Machines of a unit: its leaf switches are built for all of them.
    pub unit: u32,
    /// Ports towards storage in each unit.
    pub storage_ports: u32,
    /// Uplinks per downlink of the machines' leaf switches; storage has as many up as down.
    pub uplink_share: f64,
    /// Ports of a switch at the rate of a link.
    pub radix: u32,
}

/// Its switches and links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StorageCounts {
    /// Units.
    pub units: u64,
    pub node_leafs: u64,
    pub storage_leafs: u64,
    pub spines: u64,
    pub node_links: u64,
    pub storage_links: u64,
    /// Links between leaf switches and spines.
    pub uplinks: u64,
}

impl StorageCounts {
    /// All switches.
    #[must_use]
    pub const fn switch_count(&self) -> u64 {
        self.node_leafs + self.storage_leafs + self.spines
    }
}

impl Storage {
    /// Counts; `None` where a switch has too few ports, or spines would need more than they have.
    #[must_use]
    pub fn count_storage_network(&self) -> Option<StorageCounts> {
        let units = self.nodes.div_ceil(self.unit.max(1).into()).max(1);
        let radix = u64::from(self.radix);
        let up = |down: u64| (down as f64 * self.uplink_share - 1e-9).ceil().max(1.0) as u64;
        let down = (1..radix).rev().find(|down| down + up(*down) <= radix)?;
        let ports = u64::from(self.unit) * u64::from(self.ports_per_node);
        let leafs = ports.div_ceil(down);
        let node_up = up(ports.div_ceil(leafs));
        let storage = u64::from(self.storage_ports);
        let storage_leafs = storage.div_ceil(radix / 2);
        let storage_up = if storage_leafs == 0 { 0 } else { storage.div_ceil(storage_leafs) };
        let uplinks = units * (leafs * node_up + storage_leafs * storage_up);
        // Both kinds of leaf switch stripe their uplinks evenly over the spines.
        let common =
            if storage_up == 0 { node_up } else { greatest_common_divisor(node_up, storage_up) };
        let least = uplinks.div_ceil(radix).max(PAIR);
        let spines = ascending_divisors(u32::try_from(common).ok()?)
            .into_iter()
            .map(u64::from)
            .find(|spines| *spines >= least)
            .or_else(|| (uplinks.div_ceil(radix) <= node_up).then_some(least))?;
        Some(StorageCounts {
            units,
            node_leafs: units * leafs,
            storage_leafs: units * storage_leafs,
            spines,
            node_links: self.nodes * u64::from(self.ports_per_node),
            storage_links: units * storage,
            uplinks,
        })
    }
}

/// The greatest common divisor.
const fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::{InBand, OutOfBand, Storage, UplinkPlan};

    /// RA-11333-001 V11, tables 7 and 8: 8 SN4600C; 254 links of nodes, 8 of servers, 8 of NFS, 16
    /// of out-of-band switches; 24 up, 6 in pairs, 4 outside.
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

    /// 128 ports, 2 of them inside a pair: 63 down and 63 up at 1:1, so 127 ports take two pairs,
    /// whose 4 · 63 uplinks and 4 to the outside are 256 ports of two cores; at 5:3 78 down and 47
    /// up.
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

    /// RA-11333-001 V11, tables 7 and 8: 317 ports on 8 SN2201 of 48, 16 uplinks.
    #[test]
    fn the_out_of_band_network_of_the_h100_superpod() {
        let asked = OutOfBand { ports: 317, fill: 0.85, least: 0, uplinks: 2, radix: 48 };
        let counts = asked.count_out_of_band_network().expect("there are ports");
        assert_eq!((counts.switches, counts.uplinks, counts.host_links), (8, 16, 317));
        let more = OutOfBand { least: 16, ..asked }
            .count_out_of_band_network()
            .map(|band_counts| (band_counts.switches, band_counts.uplinks));
        assert_eq!(more, Some((16, 32)));
        assert_eq!(OutOfBand { radix: 1, ..asked }.count_out_of_band_network(), None);
    }

    const H100: Storage = Storage {
        nodes: 127,
        ports_per_node: 2,
        unit: 32,
        storage_ports: 12,
        uplink_share: 0.75,
        radix: 64,
    };

    /// RA-11333-001 V11, tables 7 and 8: 16 QM9700; 494 cables of 400G are 254 of nodes and 240 up.
    #[test]
    fn the_storage_network_of_the_h100_superpod() {
        let counts = H100.count_storage_network().expect("two tiers");
        assert_eq!(counts.switch_count(), 16);
        assert_eq!((counts.node_leafs, counts.storage_leafs, counts.spines), (8, 4, 4));
        assert_eq!((counts.node_links, counts.uplinks, counts.storage_links), (254, 240, 48));
    }

    #[test]
    fn what_does_not_fit_has_no_counts() {
        assert_eq!(Storage { radix: 1, ..H100 }.count_storage_network(), None);
        assert_eq!(Storage { nodes: 1 << 20, ..H100 }.count_storage_network(), None);
        let bare = Storage { storage_ports: 0, ..H100 }.count_storage_network().expect("two tiers");
        assert_eq!((bare.storage_leafs, bare.uplinks), (0, 192));
    }
}

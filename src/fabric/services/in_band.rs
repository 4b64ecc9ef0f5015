//! The in-band management network: leaf switches in pairs (MLAG), two cores above several pairs.

use super::PAIR;

/// What an in-band network is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InBand {
    /// Ports of machines, servers, storage and out-of-band switches.
    pub ports: u64,
    /// Links between the two switches of a pair.
    pub peer_links: u32,
    /// Links of a leaf switch to the cores.
    pub uplinks: u32,
    /// Links from the cores to the outside.
    pub outside: u32,
    /// Ports of a switch.
    pub radix: u32,
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
    pub const fn switches(&self) -> u64 {
        self.leafs + self.cores
    }
}

impl InBand {
    /// Counts; `None` where a switch has no port left for hosts, or the cores too few for all.
    #[must_use]
    pub fn counts(&self) -> Option<InBandCounts> {
        let free = |taken: u32| self.radix.checked_sub(taken).filter(|left| *left > 0);
        // A single pair needs no cores: what leads outside hangs on it.
        let alone = free(self.peer_links + self.outside.div_ceil(2)).map_or(0, u64::from);
        let pairs = if self.ports <= PAIR * alone {
            1
        } else {
            self.ports.div_ceil(PAIR * u64::from(free(self.peer_links + self.uplinks)?))
        };
        let cores = if pairs > 1 { PAIR } else { 0 };
        let leafs = pairs * PAIR;
        let uplinks = if cores > 0 { leafs * u64::from(self.uplinks) } else { 0 };
        let room = PAIR * u64::from(self.radix);
        if cores > 0 && uplinks + u64::from(self.outside) > room {
            return None;
        }
        Some(InBandCounts {
            leafs,
            cores,
            host_links: self.ports,
            uplinks,
            peer_links: pairs * u64::from(self.peer_links),
            outside: self.outside.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::InBand;

    /// RA-11333-001 V11, tables 7 and 8: 8 SN4600C; 254 links of nodes, 8 of servers, 8 of NFS, 16 of
    /// out-of-band switches; 24 up, 6 in pairs, 4 outside.
    #[test]
    fn the_in_band_network_of_the_h100_superpod() {
        let asked = InBand { ports: 286, peer_links: 2, uplinks: 4, outside: 4, radix: 64 };
        let counts = asked.counts().expect("three pairs");
        assert_eq!((counts.leafs, counts.cores, counts.switches()), (6, 2, 8));
        assert_eq!((counts.uplinks, counts.peer_links, counts.outside), (24, 6, 4));
        let small = InBand { ports: 40, ..asked }.counts().expect("a pair");
        assert_eq!((small.leafs, small.cores, small.uplinks), (2, 0, 0));
        assert_eq!(InBand { radix: 6, ..asked }.counts(), None);
        assert_eq!(InBand { ports: 1 << 20, ..asked }.counts(), None);
    }
}

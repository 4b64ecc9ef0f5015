//! The storage network: two tiers by units of nodes, with leaf switches of their own for storage.

use super::PAIR;
use crate::fabric::ascending_divisors;

/// What a storage network is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Storage {
    /// Machines.
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
    /// Leaf switches of machines.
    pub node_leafs: u64,
    /// Leaf switches of storage.
    pub storage_leafs: u64,
    /// Spines.
    pub spines: u64,
    /// Links of machines.
    pub node_links: u64,
    /// Links of storage.
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
    use super::Storage;

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

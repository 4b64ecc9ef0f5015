//! How NICs are plugged in: which node is which NIC, and which NICs are alike to a router.

use std::collections::BTreeMap;

use crate::fabric::FabricGraph;

/// Order of each node among the NICs; `None` for all other nodes.
pub(super) fn nic_order_of_nodes(graph: &FabricGraph) -> Vec<Option<u32>> {
    let mut orders = vec![None; graph.nodes().count()];
    for (order, node) in (0..).zip(graph.endpoint_nodes()) {
        orders[node.index()] = Some(order);
    }
    orders
}

/// What each NIC is plugged into, in the order of the cables: one list for all of them, as there may
/// be millions.
#[derive(Clone, Debug)]
pub(super) struct NicPorts {
    /// Where the entries of each NIC begin, and the end of the last one's.
    starts: Vec<u32>,
    all: Vec<u32>,
}

impl NicPorts {
    /// From (order of a NIC, what it is plugged into), gone through twice.
    pub(super) fn new(nics: usize, plugs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0_u32; nics + 1];
        for (nic, _) in plugs.clone() {
            starts[nic as usize + 1] += 1;
        }
        for nic in 1..starts.len() {
            starts[nic] += starts[nic - 1];
        }
        let mut all = vec![0; starts[nics] as usize];
        for (nic, into) in plugs {
            let next = &mut starts[nic as usize];
            all[*next as usize] = into;
            *next += 1;
        }
        // Each start has moved to the end of its own entries: to the start of the next.
        starts.pop();
        starts.insert(0, 0);
        Self { starts, all }
    }

    /// Of one NIC.
    pub(super) fn ports_of_nic(&self, nic: usize) -> &[u32] {
        &self.all[self.starts[nic] as usize..self.starts[nic + 1] as usize]
    }

    /// Of all NICs in order.
    pub(super) fn all_nics(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.starts.len() - 1).map(|nic| self.ports_of_nic(nic))
    }
}

/// The class of each NIC by what it is plugged into, and what each class is plugged into. Classes
/// are numbered in the order in which they first occur.
pub(super) fn nic_classes<K: Ord + Clone>(
    seats: impl IntoIterator<Item = K>,
) -> (Vec<u32>, Vec<K>) {
    let mut known: BTreeMap<K, u32> = BTreeMap::new();
    let mut of_class = Vec::new();
    let class = |seats: K| {
        *known.entry(seats).or_insert_with_key(|seats| {
            of_class.push(seats.clone());
            of_class.len() as u32 - 1
        })
    };
    let class_of = seats.into_iter().map(class).collect();
    (class_of, of_class)
}

#[cfg(test)]
mod tests {
    use super::NicPorts;

    #[test]
    fn every_nic_keeps_its_plugs_in_the_order_of_the_cables() {
        let pairs = [(2, 7), (0, 5), (2, 6), (0, 4), (3, 1)];
        let plugs = NicPorts::new(4, pairs.into_iter());
        let each: Vec<&[u32]> = plugs.all_nics().collect();
        assert_eq!(each, [&[5, 4][..], &[], &[7, 6], &[1]]);
        assert_eq!(NicPorts::new(0, [].into_iter()).all_nics().count(), 0);
    }
}

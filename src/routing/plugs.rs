//! How NICs are plugged in: which node is which NIC, and which NICs are alike to a router.

use std::collections::BTreeMap;

use crate::fabric::FabricGraph;

/// Order of each node among the NICs; `None` for all other nodes.
pub(super) fn orders(graph: &FabricGraph) -> Vec<Option<u32>> {
    let mut orders = vec![None; graph.nodes().count()];
    for (order, node) in (0..).zip(graph.endpoints()) {
        orders[node.index()] = Some(order);
    }
    orders
}

/// The class of each NIC by what it is plugged into, and what each class is plugged into. Classes
/// are numbered in the order in which they first occur.
pub(super) fn classes<K: Ord + Clone>(seats: impl IntoIterator<Item = K>) -> (Vec<u32>, Vec<K>) {
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

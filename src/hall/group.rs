//! Scalable units: machines that share leaf switches, and these.

use std::collections::BTreeMap;

use crate::fabric::{FabricGraph, FabricNode, TierName};

/// Machines and the leaf switches that they share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ScalableUnit {
    /// HB domains, in order.
    pub(super) machines: Vec<u32>,
    /// Nodes of leaf switches, in order.
    pub(super) leafs: Vec<usize>,
}

/// Units of a fabric in the order of their first machines: what is joined by leaf switches is one, and
/// neighbours are put together as long as they have no more than `least` machines.
pub(super) fn scalable_units(graph: &FabricGraph, least: u32) -> Vec<ScalableUnit> {
    let count = graph.nodes().count();
    let domains =
        graph.nodes().filter_map(domain_of_node).max().map_or(0, |last| last as usize + 1);
    // Domains stand behind the nodes of the graph.
    let mut sets = UnitSets((0..count + domains).collect());
    for (low, high, _) in graph.cables() {
        let ends = [low, high].map(|number| graph.node(number));
        if let [Some(FabricNode::Endpoint { domain, .. }), Some(FabricNode::Switch { .. })] = ends {
            sets.join_sets(count + domain as usize, high);
        }
    }
    let mut by_set: BTreeMap<usize, ScalableUnit> = BTreeMap::new();
    let mut order = Vec::new();
    for domain in 0..domains {
        let set = sets.find_set(count + domain);
        let unit = by_set.entry(set).or_default();
        if unit.machines.is_empty() {
            order.push(set);
        }
        unit.machines.push(domain as u32);
    }
    for (number, node) in graph.nodes().enumerate() {
        if matches!(node, FabricNode::Switch { tier: TierName::Leaf, .. })
            && let Some(unit) = by_set.get_mut(&sets.find_set(number))
        {
            unit.leafs.push(number);
        }
    }
    let mut all: Vec<ScalableUnit> = Vec::new();
    for unit in order.into_iter().filter_map(|set| by_set.remove(&set)) {
        match all.last_mut() {
            Some(last) if last.machines.len() + unit.machines.len() <= least as usize => {
                last.machines.extend(unit.machines);
                last.leafs.extend(unit.leafs);
            }
            _ => all.push(unit),
        }
    }
    all
}

fn domain_of_node(node: FabricNode) -> Option<u32> {
    match node {
        FabricNode::Endpoint { domain, .. } => Some(domain),
        FabricNode::Host { .. } | FabricNode::Switch { .. } => None,
    }
}

/// Disjoint sets of numbers, each by its smallest known member.
struct UnitSets(Vec<usize>);

impl UnitSets {
    fn find_set(&mut self, mut number: usize) -> usize {
        while self.0[number] != number {
            self.0[number] = self.0[self.0[number]];
            number = self.0[number];
        }
        number
    }

    fn join_sets(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find_set(one), self.find_set(other));
        let (low, high) = (one.min(other), one.max(other));
        self.0[high] = low;
    }
}

#[cfg(test)]
mod tests {
    use super::scalable_units;
    use crate::fabric::{FabricGraph, FabricKind, Request, SwitchChoice};
    use crate::units::Bandwidth;

    /// 16 machines of four NICs under leaf switches of eight ports down: two machines a leaf of a Clos;
    /// four rails of two leafs each where rails have leafs of their own.
    #[test]
    fn machines_that_share_leaf_switches_are_one_unit() {
        let link = Bandwidth::from_gigabits(400.0);
        let graph = |kind| {
            let request = Request::new(kind, 64, 4, SwitchChoice::Radix(16), link);
            FabricGraph::new(&request).expect("64 NICs")
        };
        let sizes = |kind, least| -> Vec<(usize, usize)> {
            let all = scalable_units(&graph(kind), least);
            all.iter().map(|unit| (unit.machines.len(), unit.leafs.len())).collect()
        };
        assert_eq!(sizes(FabricKind::Clos, 1), vec![(2, 1); 8]);
        assert_eq!(sizes(FabricKind::Clos, 8), vec![(8, 4); 2]);
        assert_eq!(sizes(FabricKind::RailOptimized, 1), vec![(8, 4); 2]);
    }
}

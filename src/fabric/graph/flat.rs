//! Wires the families that are no trees, as each says. Their closed forms count without wiring; the
//! graph is the check on them.

use petgraph::graph::NodeIndex;

use super::wired::FabricGraph;
use super::wiring::Wiring;
use crate::fabric::flat::{Cabling, fabric_counts, family_for_request};
use crate::fabric::{FabricProblem, LinkClass, Medium, Request, SwitchModel, SwitchTier, TierName};

/// All planes of a request.
pub(super) fn wire_non_tree(request: &Request<'_>) -> Result<FabricGraph, FabricProblem> {
    let counts = fabric_counts(request)?; // refuses what the family ignores
    let member = family_for_request(request)?;
    let mut wiring = Wiring::new(&counts, request.rails, 0, 1)?;
    for plane in 0..request.planes {
        wiring.plane = plane;
        member.wire_plane(&mut wiring)?;
    }
    let sku = |tier: &SwitchTier| SwitchModel { name: tier.model.clone(), radix: tier.radix };
    let models = counts.tiers.first().map(sku).into_iter().collect();
    Ok(wiring.into_graph(models, counts.link))
}

impl Cabling for Wiring {
    fn add_switches(&mut self, count: u64) -> Vec<NodeIndex> {
        Self::add_plane_switches(self, TierName::Leaf, count, 0)
    }

    fn link_endpoint_to_switch(&mut self, endpoint: u64, switch: NodeIndex) {
        Self::link_endpoint_to_leaf(self, endpoint, switch);
    }

    fn link_endpoints(&mut self, from: u64, to: u64, medium: Medium) {
        Self::link_endpoint_pair(self, from, to, medium);
    }

    fn link_switches(
        &mut self,
        low: NodeIndex,
        high: NodeIndex,
        links: u32,
        class: LinkClass,
        medium: Medium,
    ) {
        Self::link_nodes(self, low, high, links, class, medium);
    }

    fn wire_trees(
        &mut self,
        request: &Request<'_>,
        radix: u32,
        nic: &dyn Fn(u64) -> u64,
    ) -> Result<(), FabricProblem> {
        Self::wire_plane_trees(self, request, radix, nic, &[])
    }
}

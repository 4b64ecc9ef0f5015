//! Wires fabrics assembled from builds and non-tree families.

use petgraph::graph::NodeIndex;

use super::fabric_graph::FabricGraph;
use super::wire_tree::{Above, Wiring};
use crate::fabric::build::seat_endpoints;
use crate::fabric::non_tree::{Cabling, fabric_counts, family_for_request};
use crate::fabric::upper_tiers::three_tiers;
use crate::fabric::{
    Assembly, Build, BuildLayer, FabricProblem, LinkClass, Medium, Ratio, Request, SwitchModel,
    SwitchTier, TierName,
};

/// A leaf with its ports towards a spine across rails, and the plane that it serves.
type Waiting = (NodeIndex, u32, u32);

/// The builds serve the rails in order, plane by plane; a switch that several rails share may
/// serve the last rail of one plane and the first of the next.
pub(super) fn wire_assembly(assembly: &Assembly<'_>) -> Result<FabricGraph, FabricProblem> {
    let counts = assembly.assembly_counts();
    let width = assembly.width.max(1);
    let mut wiring = Wiring::new(&counts, counts.rails, 0, width)?;
    let rails = u64::from(assembly.rails.max(1));
    let slots = rails * u64::from(assembly.planes);
    let mut next = 0;
    let mut waiting: Vec<Waiting> = Vec::new();
    for (build, times) in assembly.builds {
        for _ in 0..*times {
            wiring.plane = (next.min(slots.saturating_sub(1)) / rails) as u32;
            let leafs = wire_build(&mut wiring, assembly.skus, width, build);
            let last = (next + u64::from(build.rails)).min(slots);
            let served: Vec<u64> = (next.min(slots)..last).map(|slot| slot % rails).collect();
            seat_endpoints(assembly, build, &leafs, &served, |order, leaf| {
                wiring.link_endpoint_to_leaf(order, leaf)
            });
            next += u64::from(build.rails);
            let plane = wiring.plane;
            waiting.extend(leafs.iter().map(|(leaf, layer)| (*leaf, layer.across, plane)));
        }
    }
    if next < slots {
        let reason = "the builds serve fewer rails than the cluster has";
        return Err(FabricProblem::NoSuchSize { reason });
    }
    waiting.retain(|(_, ports, _)| *ports > 0);
    join_rails(&mut wiring, assembly, &waiting);
    Ok(wiring.into_graph(assembly.skus.to_vec(), assembly.link))
}

/// The switches of one build, its own spines and cores joined to its leafs.
fn wire_build<'a>(
    wiring: &mut Wiring,
    skus: &[SwitchModel],
    width: u32,
    build: &'a Build,
) -> Vec<(NodeIndex, &'a BuildLayer)> {
    let mut leafs = Vec::new();
    for layer in build.layers.iter().filter(|layer| layer.tier == TierName::Leaf) {
        let made = wiring.add_plane_switches(TierName::Leaf, layer.count, layer.sku as u32);
        leafs.extend(made.into_iter().map(|leaf| (leaf, layer)));
    }
    let above = |tier| build.layers.iter().find(|layer| layer.tier == tier);
    match (above(TierName::Spine), above(TierName::Core)) {
        (Some(spine), Some(core)) => {
            let nodes: Vec<NodeIndex> = leafs.iter().map(|(leaf, _)| *leaf).collect();
            let up = leafs.first().map_or(0, |(_, layer)| layer.up / width);
            three_layers(wiring, skus, width, &nodes, up, [spine, core]);
        }
        (Some(spine), None) => {
            let spines = wiring.add_plane_switches(TierName::Spine, spine.count, spine.sku as u32);
            for (leaf, layer) in &leafs {
                wiring.stripe_over_spines(&[*leaf], layer.up / width, &spines);
            }
        }
        _ => {}
    }
    leafs
}

/// The spine across rails: one for each group of planes.
fn join_rails(wiring: &mut Wiring, assembly: &Assembly<'_>, waiting: &[Waiting]) {
    let Some((spine, times)) = assembly.spine else { return };
    for copy in 0..times {
        let group: Vec<&Waiting> =
            waiting.iter().filter(|(_, _, plane)| u64::from(*plane) % times == copy).collect();
        let Some((_, first, plane)) = group.first() else { continue };
        wiring.plane = *plane;
        match &spine.layers[..] {
            [only] => {
                let spines =
                    wiring.add_plane_switches(TierName::Spine, only.count, only.sku as u32);
                for (leaf, ports, _) in &group {
                    wiring.stripe_over_spines(&[*leaf], *ports / assembly.width.max(1), &spines);
                }
            }
            [low, high] => {
                let leafs: Vec<NodeIndex> = group.iter().map(|(leaf, _, _)| *leaf).collect();
                let width = assembly.width.max(1);
                three_layers(wiring, assembly.skus, width, &leafs, *first / width, [low, high]);
            }
            _ => {}
        }
    }
}

/// Pods of spines below cores, in the shape that the generator counted.
fn three_layers(
    wiring: &mut Wiring,
    skus: &[SwitchModel],
    width: u32,
    leafs: &[NodeIndex],
    uplinks: u32,
    [spine, core]: [&BuildLayer; 2],
) {
    // Spines may leave ports dark, so that pods are alike.
    let used = [(spine.down + spine.up) / width, skus[core.sku].radix / width];
    let above = [(spine, used[0]), (core, used[1])]
        .map(|(layer, links)| Above { model: layer.sku as u32, links });
    let shape =
        three_tiers(leafs.len() as u64, uplinks, above[0].links, above[1].links, Ratio::ONE);
    if let Some(upper) = shape {
        wiring.wire_upper_tiers(leafs, uplinks, &upper, above);
    }
}

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

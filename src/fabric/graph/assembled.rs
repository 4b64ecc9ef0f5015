//! Wires a fabric that was put together from builds, rail by rail.

use petgraph::graph::NodeIndex;

use super::FabricGraph;
use super::wiring::{Above, Wiring};
use crate::fabric::upper::three_tiers;
use crate::fabric::{Assembly, Build, FabricProblem, Layer, Ratio, Sku, TierName};

/// A leaf with its ports towards a spine across rails, and the plane that it serves.
type Waiting = (NodeIndex, u32, u32);

/// The builds serve the rails in order, plane by plane; a switch that several rails share may
/// serve the last rail of one plane and the first of the next.
pub(super) fn wire(assembly: &Assembly<'_>) -> Result<FabricGraph, FabricProblem> {
    let counts = assembly.counts();
    let mut wiring = Wiring::new(&counts, counts.rails, 0, 1)?;
    let rails = u64::from(assembly.rails.max(1));
    let slots = rails * u64::from(assembly.planes);
    let mut next = 0;
    let mut waiting: Vec<Waiting> = Vec::new();
    for (build, times) in assembly.builds {
        for _ in 0..*times {
            wiring.plane = (next.min(slots.saturating_sub(1)) / rails) as u32;
            let leafs = rail(&mut wiring, assembly.skus, build);
            let last = (next + u64::from(build.rails)).min(slots);
            for slot in next.min(slots)..last {
                attach(&mut wiring, assembly, &leafs, slot % rails);
            }
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
    Ok(wiring.done(assembly.skus.to_vec(), assembly.link))
}

/// The switches of one build, its own spines and cores joined to its leafs.
fn rail<'a>(wiring: &mut Wiring, skus: &[Sku], build: &'a Build) -> Vec<(NodeIndex, &'a Layer)> {
    let mut leafs = Vec::new();
    for layer in build.layers.iter().filter(|layer| layer.tier == TierName::Leaf) {
        let made = wiring.switches(TierName::Leaf, layer.count, layer.sku as u32);
        leafs.extend(made.into_iter().map(|leaf| (leaf, layer)));
    }
    let above = |tier| build.layers.iter().find(|layer| layer.tier == tier);
    match (above(TierName::Spine), above(TierName::Core)) {
        (Some(spine), Some(core)) => {
            let nodes: Vec<NodeIndex> = leafs.iter().map(|(leaf, _)| *leaf).collect();
            let up = leafs.first().map_or(0, |(_, layer)| layer.up);
            three_layers(wiring, skus, &nodes, up, [spine, core]);
        }
        (Some(spine), None) => {
            let spines = wiring.switches(TierName::Spine, spine.count, spine.sku as u32);
            for (leaf, layer) in &leafs {
                wiring.stripe(&[*leaf], layer.up, &spines);
            }
        }
        _ => {}
    }
    leafs
}

/// The endpoints of a rail fill its leafs in order.
fn attach(wiring: &mut Wiring, assembly: &Assembly<'_>, leafs: &[(NodeIndex, &Layer)], rail: u64) {
    let seats = leafs.iter().flat_map(|(leaf, layer)| {
        // A leaf that several rails share has ports for all of them.
        std::iter::repeat_n(*leaf, layer.down as usize)
    });
    let orders = (rail..assembly.endpoints).step_by(assembly.rails.max(1) as usize);
    for (order, leaf) in orders.zip(seats) {
        wiring.host(order, leaf);
    }
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
                let spines = wiring.switches(TierName::Spine, only.count, only.sku as u32);
                for (leaf, ports, _) in &group {
                    wiring.stripe(&[*leaf], *ports, &spines);
                }
            }
            [low, high] => {
                let leafs: Vec<NodeIndex> = group.iter().map(|(leaf, _, _)| *leaf).collect();
                three_layers(wiring, assembly.skus, &leafs, *first, [low, high]);
            }
            _ => {}
        }
    }
}

/// Pods of spines below cores, in the shape that the generator counted.
fn three_layers(
    wiring: &mut Wiring,
    skus: &[Sku],
    leafs: &[NodeIndex],
    uplinks: u32,
    [spine, core]: [&Layer; 2],
) {
    let above =
        [spine, core].map(|layer| Above { model: layer.sku as u32, links: skus[layer.sku].radix });
    let shape =
        three_tiers(leafs.len() as u64, uplinks, above[0].links, above[1].links, Ratio::ONE);
    if let Some(upper) = shape {
        wiring.above(leafs, uplinks, &upper, above);
    }
}

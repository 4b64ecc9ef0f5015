//! A tree of leafs and switches above them, put together to a build.

use super::leaf::LeafShape;
use super::nouns::{Build, BuildLayer, Filling};
use super::tree_request::TreeRequest;
use crate::fabric::{Ratio, TierName};

/// A tree of given leafs and given switches above them.
pub(super) fn assemble_tree(
    request: &TreeRequest<'_>,
    leafs: &[(usize, u64, LeafShape)],
    above: Vec<BuildLayer>,
    spine_core_links: u64,
) -> Build {
    let mut left = request.host_links();
    let mut layers = Vec::with_capacity(leafs.len() + above.len());
    for (sku, count, LeafShape { down, up, across }) in leafs {
        let up = request.ports_for_links((*up).into()) as u32;
        let hosts = left.min(count * u64::from(*down));
        left -= hosts;
        layers.push(BuildLayer {
            tier: TierName::Leaf,
            sku: *sku,
            count: *count,
            down: *down,
            up,
            across: *across,
            ports_used: hosts + count * u64::from(up + across),
        });
    }
    layers.extend(above);
    let uplinks = leafs.iter().map(|(_, count, shape)| count * u64::from(shape.up)).sum();
    let narrowest = leafs.iter().map(|(_, _, shape)| shape.down).min().unwrap_or(0);
    let own = match request.filling {
        Filling::OneRail => u64::from(narrowest),
        Filling::WholeRails => request.endpoints,
        Filling::InOrder => u64::from((narrowest / request.rails.max(1)).max(1)),
    };
    let ports = |links: u32| request.ports_for_links(links.into()) as u32;
    let ratios = leafs.iter().map(|(_, _, leaf_shape)| {
        Ratio::uplinks_per_downlink(ports(leaf_shape.up), leaf_shape.down)
    });
    let within = ratios.min().unwrap_or(Ratio::ONE);
    let across = leafs
        .iter()
        .map(|(_, _, leaf_shape)| Ratio::uplinks_per_downlink(leaf_shape.across, leaf_shape.down));
    let across_links =
        leafs.iter().map(|(_, count, leaf_shape)| count * u64::from(leaf_shape.across)).sum();
    Build {
        rails: request.rails,
        filling: request.filling,
        layers,
        host_links: request.host_links(),
        leaf_spine_links: uplinks,
        spine_core_links,
        across_links,
        leaf_endpoints: request.endpoints.min(own) as u32,
        within: if request.filling == Filling::WholeRails { Ratio::ONE } else { within },
        across: match request.filling {
            Filling::OneRail if request.rails == 1 => across.min().unwrap_or(Ratio::ZERO),
            _ => within,
        },
    }
}

//! Builds of three tiers, each tier of one model, for rails too large for two.

use super::leaf::private;
use super::two_tiers::{alike, layer, rail, uplinks, weight_of_leafs};
use super::{Build, Ceiling, RailRequest, Scale};
use crate::fabric::upper::three_tiers;
use crate::fabric::{Ratio, TierName};

/// Every leaf shape whose uplinks are a multiple of some stripe, below every pair of models for
/// spines and cores. Ports across rails are as few as asked for.
pub(super) fn builds(request: &RailRequest<'_>, ceiling: &Ceiling) -> Vec<Build> {
    let mut builds = Vec::new();
    for sku in 0..request.skus.len() {
        let radix = request.skus[sku].radix;
        let mut shapes: Vec<_> =
            (1..radix).filter_map(|stripe| private(request, radix, stripe, 1)).collect();
        shapes.sort_unstable_by_key(|shape| (shape.up, shape.down));
        shapes.dedup();
        for shape in shapes {
            let leafs = alike(request, sku, shape);
            // As many links again lead from spines to cores.
            let least = |scale: &Scale| {
                weight_of_leafs(request, scale, &leafs) + scale.link * uplinks(&leafs) as f64
            };
            if leafs[0].count == 1 || !ceiling.admits(least) {
                continue;
            }
            for spine in 0..request.skus.len() {
                for core in 0..request.skus.len() {
                    builds.extend(below_cores(request, &leafs, spine, core));
                }
            }
        }
    }
    builds
}

fn below_cores(
    request: &RailRequest<'_>,
    leafs: &[super::two_tiers::Leafs; 1],
    spine: usize,
    core: usize,
) -> Option<Build> {
    let spine_radix = request.skus[spine].radix;
    let core_radix = request.skus[core].radix;
    let up = leafs[0].shape.up;
    let upper = three_tiers(leafs[0].count, up, spine_radix, core_radix, Ratio::ONE)?;
    let links = uplinks(leafs);
    let half = spine_radix / 2;
    let above = vec![
        layer(TierName::Spine, spine, upper.spines, (half, half), 2 * links),
        layer(TierName::Core, core, upper.cores, (core_radix, 0), links),
    ];
    Some(rail(request, leafs, above, links))
}

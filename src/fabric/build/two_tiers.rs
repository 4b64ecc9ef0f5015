//! Builds of two tiers: leafs of one model or a mix of two, below spines of one model.

use std::collections::BTreeMap;

use super::leaf::{LeafShape, private, shared};
use super::{Build, Ceiling, Layer, RailRequest, Scale};
use crate::fabric::{Ratio, TierName};

/// Leafs of one kind in a build.
#[derive(Clone, Copy)]
pub(super) struct Leafs {
    pub(super) sku: usize,
    pub(super) count: u64,
    pub(super) shape: LeafShape,
}

/// Every number q of spines, with the leafs whose uplinks q divides; and leafs without spines of
/// their own, where there is a spine across rails.
pub(super) fn builds(request: &RailRequest<'_>, ceiling: &Ceiling) -> Vec<Build> {
    let mut builds = Vec::new();
    let mut fewer = Fewer::new();
    let most_spines = request.skus.iter().map(|sku| sku.radix).max().unwrap_or(0);
    for spines in 1..most_spines {
        let shapes: Vec<Option<LeafShape>> =
            request.skus.iter().map(|sku| private(request, sku.radix, spines, 1)).collect();
        for first in 0..request.skus.len() {
            let radix = request.skus[first].radix;
            let Some(shape) = shapes[first] else {
                continue;
            };
            // Ports across rails come in multiples of every stripe: a shared spine has to
            // divide them.
            for stripe in 1..=shape.across.max(1) {
                let Some(shape) = private(request, radix, spines, stripe) else {
                    continue;
                };
                let seen = fewer.insert([Some((first, shape)), None], spines).unwrap_or(0);
                let leafs = alike(request, first, shape);
                builds.extend(below_spines(request, ceiling, &leafs, spines, seen));
            }
            for (second, other) in shapes.iter().enumerate().skip(first + 1) {
                if let Some(other) = other.filter(|_| request.across == Ratio::ZERO) {
                    let kinds = [Some((first, shape)), Some((second, other))];
                    let seen = fewer.insert(kinds, spines).unwrap_or(0);
                    if ceiling.admits(|scale| least_mix(request, scale, kinds, spines)) {
                        let (one, two) = ((first, shape), (second, other));
                        builds.extend(mixes(request, ceiling, one, two, spines, seen));
                    }
                }
            }
        }
    }
    if request.across > Ratio::ZERO {
        builds.extend(without_spines(request));
    }
    builds
}

/// The number of spines that the same leafs were last tried with: where those had the ports,
/// more spines are needless.
type Fewer = BTreeMap<[Option<(usize, LeafShape)>; 2], u32>;

/// As many leafs of one shape as the rail needs.
pub(super) fn alike(request: &RailRequest<'_>, sku: usize, shape: LeafShape) -> [Leafs; 1] {
    [Leafs { sku, count: request.endpoints.div_ceil(u64::from(shape.down)), shape }]
}

/// A weight that no mix of two kinds of leaf stays below: whole endpoints on the lighter kind,
/// as if leafs could be divided.
fn least_mix(
    request: &RailRequest<'_>,
    scale: &Scale,
    kinds: [Option<(usize, LeafShape)>; 2],
    spines: u32,
) -> f64 {
    let endpoints = request.endpoints as f64;
    let each = kinds
        .into_iter()
        .flatten()
        .map(|(sku, shape)| {
            (scale.of(sku) + scale.link * f64::from(shape.up)) / f64::from(shape.down)
        })
        .fold(f64::INFINITY, f64::min);
    endpoints * (scale.link + each) + f64::from(spines) * scale.lightest(request.skus.len())
}

/// a leafs of the first model and b of the second, for every a that leaves room for the other.
fn mixes(
    request: &RailRequest<'_>,
    ceiling: &Ceiling,
    (first, one): (usize, LeafShape),
    (second, two): (usize, LeafShape),
    spines: u32,
    fewer: u32,
) -> Vec<Build> {
    let most = (request.endpoints - 1) / u64::from(one.down);
    // Each leaf has at least one link to each spine, so no spine takes more leafs than ports.
    let most = most.min(u64::from(request.skus.iter().map(|sku| sku.radix).max().unwrap_or(0)));
    (1..=most)
        .flat_map(|count| {
            let rest = request.endpoints - count * u64::from(one.down);
            let leafs = [
                Leafs { sku: first, count, shape: one },
                Leafs { sku: second, count: rest.div_ceil(u64::from(two.down)), shape: two },
            ];
            below_spines(request, ceiling, &leafs, spines, fewer)
        })
        .collect()
}

/// The leafs below `spines` spines, once for each model that has the ports for it and would not
/// have had them with `fewer` spines.
fn below_spines(
    request: &RailRequest<'_>,
    ceiling: &Ceiling,
    leafs: &[Leafs],
    spines: u32,
    fewer: u32,
) -> Vec<Build> {
    let links = uplinks(leafs);
    let ports = |sku: usize, spines: u32| u64::from(spines) * u64::from(request.skus[sku].radix);
    (0..request.skus.len())
        .filter(|sku| ports(*sku, fewer) < links && links <= ports(*sku, spines))
        .filter(|sku| {
            ceiling.admits(|scale| {
                weight_of_leafs(request, scale, leafs) + f64::from(spines) * scale.of(*sku)
            })
        })
        .map(|sku| {
            let radix = request.skus[sku].radix;
            let count = u64::from(spines);
            let spine = layer(TierName::Spine, sku, count, (radix, 0), links);
            rail(request, leafs, vec![spine], 0)
        })
        .collect()
}

/// Weight of leafs with all their links, downwards and upwards.
pub(super) fn weight_of_leafs(request: &RailRequest<'_>, scale: &Scale, leafs: &[Leafs]) -> f64 {
    let switches: f64 = leafs.iter().map(|of| scale.of(of.sku) * of.count as f64).sum();
    let up = |shape: &LeafShape| u64::from(shape.up) + u64::from(shape.across);
    let links: u64 = leafs.iter().map(|of| of.count * up(&of.shape)).sum();
    switches + scale.link * (request.endpoints + links) as f64
}

/// Leafs that only have uplinks to a spine across rails: a rail-optimized fabric.
fn without_spines(request: &RailRequest<'_>) -> Vec<Build> {
    let mut builds = Vec::new();
    for (sku, model) in request.skus.iter().enumerate() {
        let most = shared(request, model.radix, 1).map_or(0, |shape| shape.across);
        for stripe in 1..=most {
            if let Some(shape) = shared(request, model.radix, stripe) {
                builds.push(rail(request, &alike(request, sku, shape), Vec::new(), 0));
            }
        }
    }
    builds
}

/// Links of all leafs to the spines of the rail.
pub(super) fn uplinks(leafs: &[Leafs]) -> u64 {
    leafs.iter().map(|leafs| leafs.count * u64::from(leafs.shape.up)).sum()
}

/// Alike switches above the leafs.
pub(super) const fn layer(
    tier: TierName,
    sku: usize,
    count: u64,
    (down, up): (u32, u32),
    ports_used: u64,
) -> Layer {
    Layer { tier, sku, count, down, up, across: 0, ports_used }
}

/// A rail of given leafs and given switches above them.
pub(super) fn rail(
    request: &RailRequest<'_>,
    leafs: &[Leafs],
    above: Vec<Layer>,
    spine_core_links: u64,
) -> Build {
    let mut layers = Vec::with_capacity(leafs.len() + above.len());
    let mut left = request.endpoints;
    for leafs in leafs {
        let LeafShape { down, up, across } = leafs.shape;
        let hosts = left.min(leafs.count * u64::from(down));
        left -= hosts;
        layers.push(Layer {
            tier: TierName::Leaf,
            sku: leafs.sku,
            count: leafs.count,
            down,
            up,
            across,
            ports_used: hosts + leafs.count * (u64::from(up) + u64::from(across)),
        });
    }
    layers.extend(above);
    let least = |ratio: fn(&LeafShape) -> Ratio| {
        leafs.iter().map(|leafs| ratio(&leafs.shape)).min().unwrap_or(Ratio::ONE)
    };
    let narrowest = leafs.iter().map(|leafs| leafs.shape.down).min().unwrap_or(0);
    Build {
        rails: 1,
        layers,
        host_links: request.endpoints,
        leaf_spine_links: uplinks(leafs),
        spine_core_links,
        across_links: leafs.iter().map(|l| l.count * u64::from(l.shape.across)).sum(),
        leaf_endpoints: request.endpoints.min(u64::from(narrowest)) as u32,
        // Without spines of its own, a rail's traffic takes the spine across rails.
        within: least(|shape| {
            let up = if shape.up == 0 { shape.across } else { shape.up };
            Ratio::uplinks_per_downlink(up, shape.down)
        }),
        across: least(|shape| Ratio::uplinks_per_downlink(shape.across, shape.down)),
    }
}

//! Rails whose leafs also have ports towards a spine across rails, with spines of their own or
//! without: what a partial spine is put above.

use super::leaf::{LeafShape, private, shared};
use super::{Build, Ceiling, Layer, RailRequest, Scale};
use crate::fabric::{Ratio, TierName};

/// Leafs of one shape below every number of spines of one model, and leafs without spines of
/// their own. There are as few leafs as their ports allow, each with as few links as its share of
/// the endpoints asks for; ports beyond stay dark.
pub(super) fn builds(request: &RailRequest<'_>, ceiling: &Ceiling) -> Vec<Build> {
    let mut builds = Vec::new();
    let most_spines = request.skus.iter().map(|sku| sku.radix).max().unwrap_or(0);
    for (sku, model) in request.skus.iter().enumerate() {
        for spines in 1..most_spines {
            let Some(widest) = private(request, model.radix, spines, 1) else { continue };
            // Ports across rails come in multiples of every stripe: a shared spine has to
            // divide them.
            for stripe in 1..=widest.across.max(1) {
                if let Some(shape) = private(request, model.radix, spines, stripe) {
                    let leafs = Leafs::few(request, sku, shape, (spines, stripe));
                    builds.extend(below_spines(request, ceiling, leafs, spines));
                }
            }
        }
        let most = shared(request, model.radix, 1).map_or(0, |shape| shape.across);
        for stripe in 1..=most {
            if let Some(shape) = shared(request, model.radix, stripe) {
                let leafs = Leafs::few(request, sku, shape, (0, stripe));
                builds.push(leafs.rail(request, Vec::new()));
            }
        }
    }
    builds
}

/// Alike leafs of a rail.
#[derive(Clone, Copy)]
struct Leafs {
    sku: usize,
    count: u64,
    shape: LeafShape,
}

impl Leafs {
    /// As few as the widest shape allows, each with what its share of the endpoints needs: ports
    /// up in multiples of the first stripe, or none where that is zero, and across in multiples of
    /// the second.
    fn few(
        request: &RailRequest<'_>,
        sku: usize,
        widest: LeafShape,
        (up, across): (u32, u32),
    ) -> Self {
        let count = request.endpoints.div_ceil(u64::from(widest.down));
        let down = request.endpoints.div_ceil(count);
        let (within, beyond) = (request.within.ceil_of(down), request.across.ceil_of(down));
        let multiple = |of: u64, stripe: u32| of.next_multiple_of(stripe.into()) as u32;
        let shape = if up == 0 {
            let links = (within + beyond).min(down).max(1);
            LeafShape { down: down as u32, up: 0, across: multiple(links, across) }
        } else {
            let up = multiple(within.max(1), up);
            LeafShape { down: down as u32, up, across: multiple(beyond, across) }
        };
        Self { sku, count, shape }
    }

    fn uplinks(&self) -> u64 {
        self.count * u64::from(self.shape.up)
    }

    fn across_links(&self) -> u64 {
        self.count * u64::from(self.shape.across)
    }

    /// Weight with all links, downwards and upwards.
    fn weight(&self, request: &RailRequest<'_>, scale: &Scale) -> f64 {
        let links = request.endpoints + self.uplinks() + self.across_links();
        scale.of(self.sku) * self.count as f64 + scale.link * links as f64
    }

    /// The rail below given switches.
    fn rail(&self, request: &RailRequest<'_>, above: Vec<Layer>) -> Build {
        let LeafShape { down, up, across } = self.shape;
        let links = self.uplinks() + self.across_links();
        let leafs = Layer {
            tier: TierName::Leaf,
            sku: self.sku,
            count: self.count,
            down,
            up,
            across,
            ports_used: request.endpoints + links,
        };
        // Without spines of its own, a rail's traffic takes the spine across rails.
        let within = if up == 0 { across } else { up };
        Build {
            rails: 1,
            filling: super::Filling::OneRail,
            layers: std::iter::once(leafs).chain(above).collect(),
            host_links: request.endpoints,
            leaf_spine_links: self.uplinks(),
            spine_core_links: 0,
            across_links: self.across_links(),
            leaf_endpoints: request.endpoints.min(u64::from(down)) as u32,
            within: Ratio::uplinks_per_downlink(within, down),
            across: Ratio::uplinks_per_downlink(across, down),
        }
    }
}

/// The leafs below `spines` spines, once for each model that has the ports for it.
fn below_spines(
    request: &RailRequest<'_>,
    ceiling: &Ceiling,
    leafs: Leafs,
    spines: u32,
) -> Vec<Build> {
    let links = leafs.uplinks();
    let ports = |sku: usize| u64::from(spines) * u64::from(request.skus[sku].radix);
    (0..request.skus.len())
        .filter(|sku| links <= ports(*sku))
        .filter(|sku| {
            ceiling
                .admits(|scale| leafs.weight(request, scale) + f64::from(spines) * scale.of(*sku))
        })
        .map(|sku| {
            let spine = Layer {
                tier: TierName::Spine,
                sku,
                count: u64::from(spines),
                down: request.skus[sku].radix,
                up: 0,
                across: 0,
                ports_used: links,
            };
            leafs.rail(request, vec![spine])
        })
        .collect()
}

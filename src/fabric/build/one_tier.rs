//! Builds of one tier: one switch holds one or several whole rails and keeps them apart.

use super::{Build, Filling, Layer, RailRequest};
use crate::fabric::{Ratio, TierName, uplinks_from};

/// A switch of k ports holds up to ⌊k / (n + ⌈σ·n⌉)⌋ rails; a build for each number of them, so
/// that a cover with builds can be exact.
pub(super) fn builds(request: &RailRequest<'_>) -> Vec<Build> {
    let across = request.across.ceil_of(request.endpoints);
    let mut builds = Vec::new();
    for (sku, model) in request.skus.iter().enumerate() {
        let radix = u64::from(model.radix);
        for rails in 1..=radix / (request.endpoints + across) {
            let down = rails * request.endpoints;
            let least = rails * across;
            // More ports than there are endpoints behind them carry nothing more.
            let most = (radix - down).min(down).max(least);
            let choices =
                if least == 0 { vec![0] } else { uplinks_from(least as u32, most as u32) };
            builds
                .extend(choices.into_iter().map(|up| switch(request, sku, rails, down as u32, up)));
        }
    }
    builds
}

fn switch(request: &RailRequest<'_>, sku: usize, rails: u64, down: u32, across: u32) -> Build {
    Build {
        rails: rails as u32,
        filling: Filling::WholeRails,
        layers: vec![Layer {
            tier: TierName::Leaf,
            sku,
            count: 1,
            down: request.skus[sku].radix - across,
            up: 0,
            across,
            ports_used: u64::from(down) + u64::from(across),
        }],
        host_links: u64::from(down),
        leaf_spine_links: 0,
        spine_core_links: 0,
        across_links: u64::from(across),
        leaf_endpoints: request.endpoints as u32,
        within: Ratio::ONE,
        across: Ratio::uplinks_per_downlink(across, down),
    }
}

/// All rails on one switch that joins them, once for each model that has the ports.
#[must_use]
pub fn joined_switches(rails: u32, endpoints: u64, skus: &[super::Sku]) -> Vec<Build> {
    let ports = u64::from(rails) * endpoints;
    let fits = |(_, sku): &(usize, &super::Sku)| u64::from(sku.radix) >= ports;
    let joined = |(sku, model): (usize, &super::Sku)| Build {
        rails,
        filling: Filling::InOrder,
        layers: vec![Layer {
            tier: TierName::Leaf,
            sku,
            count: 1,
            down: model.radix,
            up: 0,
            across: 0,
            ports_used: ports,
        }],
        host_links: ports,
        leaf_spine_links: 0,
        spine_core_links: 0,
        across_links: 0,
        leaf_endpoints: endpoints as u32,
        within: Ratio::ONE,
        across: Ratio::ONE,
    };
    skus.iter().enumerate().filter(fits).map(joined).collect()
}

/// Rails on one switch that keeps them apart, for every number of rails that a model has ports for.
#[must_use]
pub fn shared_switches(endpoints: u64, skus: &[super::Sku]) -> Vec<Build> {
    if endpoints == 0 {
        return Vec::new();
    }
    builds(&RailRequest {
        endpoints,
        skus,
        within: Ratio::ONE,
        across: Ratio::ZERO,
        models_per_rail: None,
    })
}

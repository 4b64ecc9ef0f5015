//! Builds of one tier: one switch holds one or several whole rails and keeps them apart.

use super::pruning::ModelWorth;
use super::{Build, BuildEffort, BuildLayer, Filling, RailRequest, WeightCeiling, WeightScale};
use crate::fabric::{Ratio, TierName, uplink_counts_to_try};

/// A switch of k ports holds up to ⌊k / (n + ⌈σ·n⌉)⌋ rails; a build for each number of them, so
/// that a cover with builds can be exact. Only of models that are worth the ports, and where those
/// alone count with ports across rails, only switches that are no heavier than as many known rails.
pub(super) fn one_tier_builds(
    request: &RailRequest<'_>,
    ceiling: &WeightCeiling,
    worth: &ModelWorth,
    effort: &mut BuildEffort,
) -> Vec<Build> {
    let across = request.across.ceil_times(request.endpoints);
    let mut builds = Vec::new();
    for (sku, model) in request.skus.iter().enumerate() {
        let radix = u64::from(model.radix);
        for rails in 1..=radix / (request.endpoints + across) {
            let down = rails * request.endpoints;
            let least = rails * across;
            // More ports than there are endpoints behind them carry nothing more.
            let most = (radix - down).min(down).max(least);
            if !effort.has_spent_steps(1) {
                return builds;
            }
            let weight = |scale: &WeightScale| {
                (scale.switch_weight(sku) + scale.link * (down + least) as f64) / rails as f64
            };
            if across > 0 && ceiling.only_weight && !ceiling.can_admit_build(weight) {
                continue;
            }
            if !effort.has_spent_steps(least) {
                return builds;
            }
            let choices =
                if least == 0 { vec![0] } else { uplink_counts_to_try(least as u32, most as u32) };
            let choices =
                choices.into_iter().filter(|up| worth.is_worth_ports(sku, down + u64::from(*up)));
            builds.extend(
                choices.map(|up| single_switch_build(request, sku, rails, down as u32, up)),
            );
        }
    }
    builds
}

fn single_switch_build(
    request: &RailRequest<'_>,
    sku: usize,
    rails: u64,
    down: u32,
    across: u32,
) -> Build {
    Build {
        rails: rails as u32,
        filling: Filling::WholeRails,
        layers: vec![BuildLayer {
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
pub fn joined_switches(rails: u32, endpoints: u64, skus: &[super::SwitchModel]) -> Vec<Build> {
    let ports = u64::from(rails) * endpoints;
    let fits = |(_, sku): &(usize, &super::SwitchModel)| u64::from(sku.radix) >= ports;
    let joined = |(sku, model): (usize, &super::SwitchModel)| Build {
        rails,
        filling: Filling::InOrder,
        layers: vec![BuildLayer {
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

/// Rails on one switch that keeps them apart, for every number of rails that a model has ports for
/// and is worth them.
#[must_use]
pub fn shared_switches(
    endpoints: u64,
    skus: &[super::SwitchModel],
    ceiling: &WeightCeiling,
) -> Vec<Build> {
    if endpoints == 0 {
        return Vec::new();
    }
    let request = RailRequest {
        endpoints,
        skus,
        within: Ratio::ONE,
        across: Ratio::ZERO,
        models_per_rail: None,
    };
    // A build of one switch has one model whatever the limit on them.
    one_tier_builds(
        &request,
        ceiling,
        &ModelWorth::new(skus, ceiling, None),
        &mut BuildEffort::with_unlimited_steps(),
    )
}

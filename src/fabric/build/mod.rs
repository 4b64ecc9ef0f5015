//! Complete builds of a rail: the columns of the integer program. Each is one way to join the
//! endpoints of a rail (or of several rails on one switch), counted to the last port.
//!
//! Every ratio, ceiling, divisor and product of two choices is settled here, so that a solver
//! only adds up. Nothing is priced, so nothing is dropped for its price: a build goes only where
//! another one needs no more of every model and no more links.

mod assembly;
mod build;
mod dominance;
mod leaf_capacity;
mod occupied_links;
mod one_tier;
mod partial_spine;
mod pruning;
mod three_tiers;
mod tree_request;
mod two_tier_bounds;
mod two_tiers;

pub(super) use assembly::seat_endpoints;
pub use assembly::{Assembly, SpineOption, spine_options, spine_options_within};
pub use build::{Build, BuildLayer, Filling, RailRequest, SwitchModel};
pub use one_tier::{joined_switches, shared_switches};
pub use pruning::{BuildEffort, ModelWorth, WeightCeiling, WeightScale};
pub use three_tiers::{leaf_shapes_at_ratio, tree_builds, tree_builds_within, tree_may_be};
pub use tree_request::{SurvivedLosses, TreeRequest};

use super::Ratio;

/// Every build of a rail that no other one makes needless, in an order that depends on the
/// request alone: by rails served, then by ports across rails, then by links.
///
/// Rails on one switch; leafs of one or two models, in any shapes that keep the ratio, below spines
/// of any one model; three tiers of one model each. Builds with a spine across rails have leafs of
/// one shape. Empty where no endpoints or no models of 2 to 4,096 ports are given, or where a rail
/// would need four tiers.
#[must_use]
pub fn rail_builds(request: &RailRequest<'_>) -> Vec<Build> {
    rail_builds_below(request, &WeightCeiling::default())
}

/// The builds of [`rail_builds`] without those of several tiers that are too heavy for a ceiling;
/// most of them are then never made. Builds of one tier all stay, but where nothing but weight
/// speaks for a switch.
#[must_use]
pub fn rail_builds_below(request: &RailRequest<'_>, ceiling: &WeightCeiling) -> Vec<Build> {
    rail_builds_within(request, ceiling, &mut BuildEffort::with_unlimited_steps())
}

/// As `rail_builds_below`, as far as an effort goes: where it ends, some builds may be left out,
/// and
/// [`BuildEffort::is_spent`] tells.
#[must_use]
pub fn rail_builds_within(
    request: &RailRequest<'_>,
    ceiling: &WeightCeiling,
    effort: &mut BuildEffort,
) -> Vec<Build> {
    if request.endpoints == 0 || request.endpoints > MOST_ENDPOINTS {
        return Vec::new();
    }
    let skus = usable_models(request.skus);
    let request = &RailRequest { skus: &skus, ..*request };
    let worth = ModelWorth::new(&skus, ceiling, request.models_per_rail);
    let mut builds = one_tier::one_tier_builds(request, ceiling, &worth, effort);
    if ceiling.can_admit_build(|scale| least_of_several_tiers(request, scale)) {
        if request.across > Ratio::ZERO {
            builds.extend(partial_spine::partial_spine_builds(request, ceiling, &worth, effort));
        } else {
            let widest: Vec<Vec<u32>> =
                skus.iter().map(|sku| leaf_shapes_at_ratio(request.within, sku.radix)).collect();
            let tree = TreeRequest {
                rails: 1,
                endpoints: request.endpoints,
                filling: Filling::OneRail,
                skus: &skus,
                widest: &widest,
                losses: None,
                max_models: request.models_per_rail,
                across: 0,
                width: 1,
                alike: false,
            };
            builds.extend(tree_builds_within(&tree, ceiling, effort));
        }
    }
    if let Some(most) = request.models_per_rail {
        builds.retain(|build| count_switch_models(build) <= most as usize);
    }
    match ceiling.only_scale() {
        Some(scale) => dominance::keep_lightest_builds(builds, scale, request.skus, &ceiling.lanes),
        None => dominance::drop_dominated_builds(builds, request.skus, &ceiling.lanes),
    }
}

/// The models whose ports can be counted; the others have none.
fn usable_models(skus: &[SwitchModel]) -> Vec<SwitchModel> {
    let usable = |sku: &SwitchModel| SwitchModel {
        name: sku.name.clone(),
        radix: if sku.radix > MOST_PORTS { 0 } else { sku.radix },
    };
    skus.iter().map(usable).collect()
}

/// A weight that no build of several tiers stays below: two leafs and a spine, or leafs for all
/// endpoints, and the uplinks that the level asks for.
fn least_of_several_tiers(request: &RailRequest<'_>, scale: &WeightScale) -> f64 {
    let endpoints = request.endpoints as f64;
    let lightest = scale.lightest_switch(request.skus.len());
    let widest = request.skus.iter().map(|sku| sku.radix).max().unwrap_or(0).max(1);
    let leafs = (endpoints / f64::from(widest)).max(2.0);
    endpoints * scale.link * (1.0 + request.within.to_f64()) + (leafs + 1.0) * lightest
}

/// The divisions (down, up) of a switch's ports that a level of oversubscription can have:
/// `up` from none to half the ports.
pub fn oversubscription_levels(radix: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..=radix / 2).map(move |up| (radix - up, up))
}

/// Most endpoints of a rail; beyond any cluster, and low enough that no count overflows.
const MOST_ENDPOINTS: u64 = 1 << 32;
/// Most ports of a model; larger than any switch at any rate, small enough to try every stripe.
const MOST_PORTS: u32 = 4096;

/// Different models of a build.
fn count_switch_models(build: &Build) -> usize {
    let mut skus: Vec<usize> = build.layers.iter().map(|layer| layer.sku).collect();
    skus.sort_unstable();
    skus.dedup();
    skus.len()
}

//! Trees of leaf switches below spines, each over one rail or over several: what is asked for,
//! and every build that no other one makes needless. Says nothing about why a leaf may have a
//! shape: whoever asks brings the table of shapes.

use super::ceiling::WeightCeiling;
use super::effort::BuildEffort;
use super::front::UndominatedPlans;
use super::nouns::{Build, SwitchModel};
use super::plan::TreePlan;
use super::tree_request::TreeRequest;
use super::{three_tiers, two_tiers};
use crate::fabric::Ratio;

/// Every tree of two or three tiers that no other one makes needless, in an order that depends on
/// the request alone.
///
/// Two tiers: leafs of at most two models, each with any shape of the table, below spines of one
/// model whose number divides the uplinks of every leaf. Three tiers: leafs alike, each layer of
/// one model, and none with ports across rails. A build goes where another one needs no more of
/// anything that counts (switches of each model and links; or what the ceiling weighs, where that
/// alone counts), and where it is too heavy for the ceiling.
#[must_use]
pub fn tree_builds(request: &TreeRequest<'_>, ceiling: &WeightCeiling) -> Vec<Build> {
    tree_builds_within(request, ceiling, &mut BuildEffort::with_unlimited_steps())
}

/// Likewise, as far as an effort goes: where it ends, some trees may be left out, and
/// [`BuildEffort::is_spent`] tells.
#[must_use]
pub fn tree_builds_within(
    request: &TreeRequest<'_>,
    ceiling: &WeightCeiling,
    effort: &mut BuildEffort,
) -> Vec<Build> {
    if request.units_per_part() < 2 || request.host_links() > super::MOST_ENDPOINTS {
        return Vec::new();
    }
    let below_spine = request.across > 0;
    let mut front =
        UndominatedPlans::new(ceiling, request.skus, request.models, effort, below_spine);
    two_tiers::two_tier_plans(request, &mut front);
    if request.across == 0 {
        three_tiers::three_tier_plans(request, &mut front);
    }
    front.into_builds(|plan| match plan {
        TreePlan::TwoTiers(plan) => two_tiers::build_two_tiers(request, plan),
        TreePlan::ThreeTiers(plan) => Some(three_tiers::build_three_tiers(request, plan)),
    })
}

/// False where every tree over so many endpoints is too heavy for a ceiling, whatever the shapes of
/// its leafs: two leafs at least, each with one uplink, and one spine.
#[must_use]
pub fn tree_may_be(endpoints: u64, skus: &[SwitchModel], ceiling: &WeightCeiling) -> bool {
    let endpoints = endpoints as f64;
    let down = |sku: usize| f64::from(skus[sku].radix.saturating_sub(1).max(1));
    let widest = (0..skus.len()).map(down).fold(1.0, f64::max);
    let leafs = (endpoints / widest).max(2.0);
    ceiling.can_admit_build(|scale| {
        let lightest = scale.lightest_switch(skus.len());
        let each = (0..skus.len()).map(|sku| scale.switch_weight(sku) / down(sku));
        let carried = endpoints * each.fold(f64::INFINITY, f64::min);
        carried.max(2.0 * lightest) + lightest + scale.link * (endpoints + leafs)
    })
}

/// The shapes of leafs of `radix` ports that keep a least ratio of uplinks to endpoints: entry u
/// is the most endpoints beside u uplinks.
#[must_use]
pub fn leaf_shapes_at_ratio(within: Ratio, radix: u32) -> Vec<u32> {
    let fits = |up: u32, down: u32| within.ceil_times(down.into()) <= u64::from(up);
    (0..radix)
        .map(|up| {
            if up == 0 {
                return 0;
            }
            // What is needed upwards never falls as endpoints are added.
            let (mut low, mut high) = (0, radix - up);
            while low < high {
                let middle = low + (high - low).div_ceil(2);
                if fits(up, middle) { low = middle } else { high = middle - 1 }
            }
            low
        })
        .collect()
}

//! Three-tier trees; entry for trees of any depth.

use super::build::{Build, BuildLayer, LeafShape, SwitchModel, ThreeTiers, TreePlan};
use super::dominance::{PlanGrade, PlanNeeds, UndominatedPlans};
use super::pruning::{BuildEffort, WeightCeiling, WeightScale};
use super::tree_request::{TreeRequest, assemble_tree};
use super::two_tiers;
use crate::fabric::pods::UpperTiers;
use crate::fabric::upper_tiers::three_tiers;
use crate::fabric::{Occupancy, Ratio, TierName};

/// Every shape of leaf in the table, below every pair of models for spines and cores. Pods are as
/// large as spines allow, or balanced.
fn three_tier_plans(request: &TreeRequest<'_>, front: &mut UndominatedPlans<'_>) {
    for leaf in 0..request.skus.len() {
        for (up, units) in (0_u32..).zip(&request.widest[leaf]) {
            if up == 0 || *units == 0 || !request.can_survive_switch_loss(*units, up, 1) {
                continue;
            }
            if !front.has_spent_steps(1) {
                return;
            }
            let leafs = request.units_per_part().div_ceil(u64::from(*units)) * request.part_count();
            if leafs < 2 {
                continue;
            }
            let uplinks = leafs * u64::from(up);
            // No fewer links lead from spines to cores.
            let links = request.host_links() + 2 * uplinks;
            let least = |scale: &WeightScale| {
                scale.switch_weight(leaf) * leafs as f64 + scale.link * links as f64
            };
            if !front.may_improve(least) {
                continue;
            }
            let down = (u64::from(*units) * request.ports_per_unit()) as u32;
            let shape = LeafShape { down, up, across: 0 };
            for spine in 0..request.skus.len() {
                let half = u64::from(request.links_above(spine) / 2).max(1);
                let least = |scale: &WeightScale| {
                    scale.switch_weight(spine) * uplinks.div_ceil(half) as f64 + least(scale)
                };
                if !front.has_spent_steps(1) {
                    return;
                }
                if front.may_improve(least) {
                    plan_three_tier_trees(request, front, leaf, leafs, shape, spine);
                }
            }
        }
    }
}

/// The trees with given leafs and a given model of spine.
fn plan_three_tier_trees(
    request: &TreeRequest<'_>,
    front: &mut UndominatedPlans<'_>,
    leaf: usize,
    leafs: u64,
    shape: LeafShape,
    spine: usize,
) {
    let uplinks = leafs * u64::from(shape.up);
    let grade = || PlanGrade { within: request.rail_uplink_ratio(shape), layers: 3 };
    for half in pod_sizes_to_try(leafs, request.links_above(spine) / 2) {
        for core in 0..request.skus.len() {
            let radix = request.links_above(core);
            if !front.has_spent_steps(shape.up.into()) {
                return;
            }
            let upper = three_tiers(leafs, shape.up, 2 * half, radix, Ratio::ONE);
            let Some(upper) = upper else { continue };
            if !can_survive_upper_loss(request, shape, &upper) {
                continue;
            }
            let switches = [(leaf, leafs), (spine, upper.spines), (core, upper.cores)];
            let UpperTiers { spines, cores, spine_core, .. } = upper;
            let links = request.host_links() + uplinks + spine_core;
            let needs = PlanNeeds { switches: &switches, links, across: 0 };
            let lanes = &front.weight_ceiling().lanes;
            let idle = || {
                request.idle_lane_range(lanes, |even| {
                    three_tier_occupancy(request, leafs, shape, &upper, even)
                })
            };
            front.insert_plan(&needs, idle, grade, || {
                TreePlan::ThreeTiers(ThreeTiers {
                    leaf,
                    leafs,
                    shape,
                    spine,
                    half,
                    spines,
                    core,
                    cores,
                    spine_core,
                })
            });
        }
    }
}

/// The links of a tree, whose leafs are filled one after the other, or evenly.
fn three_tier_occupancy(
    request: &TreeRequest<'_>,
    leafs: u64,
    shape: LeafShape,
    upper: &UpperTiers,
    even: bool,
) -> Occupancy {
    let parts = request.part_count();
    let (endpoints, leafs_of_part) = (request.host_links() / parts, leafs / parts);
    let down = u64::from(shape.down);
    let down = if even { down.min(endpoints.div_ceil(leafs_of_part)) } else { down };
    let mut part = Occupancy::default();
    part.add_leafs(leafs_of_part, down, endpoints, shape.up.into());
    let mut all = Occupancy::default();
    all.add(&part, parts);
    upper.add_links_of_tiers(&mut all, leafs, shape.up);
    all
}

/// True where leafs below these switches can lose any link or switch above them that has to be
/// survived.
fn can_survive_upper_loss(request: &TreeRequest<'_>, shape: LeafShape, upper: &UpperTiers) -> bool {
    let pods = [upper.pods.full, upper.pods.last].map(|pod| pod.switches);
    let fewest = pods.into_iter().filter(|spines| *spines > 0).min().unwrap_or(1);
    let units = (u64::from(shape.down) / request.ports_per_unit()) as u32;
    let joined = upper.cores > 1 || request.survives_alone(units, shape.up);
    joined && request.can_survive_switch_loss(units, shape.up, shape.up.div_ceil(fewest))
}

/// Leafs of a pod to try: as many as a spine has links for, and as many as make pods of that
/// number, or of one more, alike.
fn pod_sizes_to_try(leafs: u64, most: u32) -> Vec<u32> {
    if most == 0 {
        return Vec::new();
    }
    let pods = leafs.div_ceil(most.into());
    let alike = [pods, pods + 1].map(|pods| leafs.div_ceil(pods).min(most.into()) as u32);
    let mut all = vec![most, alike[0], alike[1]];
    all.dedup();
    all
}

/// The tree that was planned.
fn build_three_tiers(request: &TreeRequest<'_>, plan: &ThreeTiers) -> Build {
    let (links, up) = (plan.leafs * u64::from(plan.shape.up), plan.spine_core);
    let layer = |tier, sku, count, (down, up), ports_used| BuildLayer {
        tier,
        sku,
        count,
        down,
        up,
        across: 0,
        ports_used,
    };
    let core_ports = (request.skus[plan.core].radix, 0);
    let half = request.ports_for_links(plan.half.into()) as u32;
    let [below, above] = [request.ports_for_links(links + up), request.ports_for_links(up)];
    let above = vec![
        layer(TierName::Spine, plan.spine, plan.spines, (half, half), below),
        layer(TierName::Core, plan.core, plan.cores, core_ports, above),
    ];
    assemble_tree(request, &[(plan.leaf, plan.leafs, plan.shape)], above, up)
}

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

/// As `tree_builds`, as far as an effort goes: where it ends, some trees may be left out, and
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
        UndominatedPlans::new(ceiling, request.skus, request.max_models, effort, below_spine);
    two_tiers::two_tier_plans(request, &mut front);
    if request.across == 0 {
        three_tier_plans(request, &mut front);
    }
    front.into_builds(|plan| match plan {
        TreePlan::TwoTiers(plan) => two_tiers::build_two_tiers(request, plan),
        TreePlan::ThreeTiers(plan) => Some(build_three_tiers(request, plan)),
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

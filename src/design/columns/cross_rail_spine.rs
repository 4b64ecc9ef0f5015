//! Fabrics whose rails a spine joins that carries only a part of what they could send across. There
//! are thousands for a large cluster, so they are weighed before any is put together.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::cache::SizingCache;
use super::column::{BuiltFabric, FabricColumn, column_burdens, occupancy_of_builds};
use super::context::ColumnContext;
use super::cross_rail_ports::{CrossRailNeeds, least_weight, may_be_light};
use super::four_tier_trees::{UntimedFabric, fabrics_as_columns};
use crate::design::job::machine::Level;
use crate::fabric::{
    Build, BuildEffort, Filling, ModelWorth, Occupancy, Ratio, SpineOption, TreeRequest,
    WeightCeiling, WeightScale, spine_options_within,
};
use crate::sizing::Column;
use crate::units::Seconds;

/// Rails joined by a partial spine, at every pair of levels that is just fast enough; none that
/// weighs more than the ceiling of all rails of a plane.
pub(in crate::design) fn partial_spine_columns(
    context: &ColumnContext<'_>,
    ceiling: WeightCeiling,
    cache: &mut SizingCache,
) -> Vec<FabricColumn> {
    let needs = CrossRailNeeds::needs_of_all_leaf_switches(context, &ceiling, cache);
    let worth = ModelWorth::new(context.skus, &ceiling, context.limits.models_per_rail);
    let mut found = PartialSpinePool { light: UndominatedFabrics::default(), ceiling, worth };
    for (within, across) in needs.uplink_pairs(context, &found.ceiling) {
        // What was joined since may have lowered it.
        if !may_be_light(within, across, context, &found.ceiling) {
            continue;
        }
        let builds =
            cache.rail_builds(context, within, across, &found.weight_ceiling_of_rail(context));
        found.add_joined_rails(context, &builds, cache);
    }
    for across in needs.least_across().into_iter().flat_map(|least| least..) {
        let of_a_rail = found.weight_ceiling_of_rail(context);
        let builds = unlike_leafs(context, &needs, across, &of_a_rail, cache);
        let Some(builds) = builds else { break };
        found.add_joined_rails(context, &builds, cache);
    }
    let joints = found.light.0.values().flatten();
    let untimed = joints.map(|(_, joint)| joint.finish_fabric(context, cache)).collect();
    fabrics_as_columns(context, cache, untimed)
}

/// Fabrics so far, and what others may weigh.
struct PartialSpinePool {
    light: UndominatedFabrics,
    /// Of all rails of a plane.
    ceiling: WeightCeiling,
    worth: ModelWorth,
}

impl PartialSpinePool {
    /// What a rail may weigh with its part of the spine, were all alike.
    fn weight_ceiling_of_rail(&self, context: &ColumnContext<'_>) -> WeightCeiling {
        let joined = context.job.machine.node.nics.max(1);
        let rails = f64::from(joined);
        let of_a_rail = |scale: &WeightScale| WeightScale {
            known_weight: scale.known_weight / rails,
            ..scale.clone()
        };
        let WeightCeiling { scales, bound, only_weight: all, lanes, .. } = &self.ceiling;
        let scales = scales.iter().map(of_a_rail).collect();
        let bound = bound.as_ref().map(of_a_rail);
        WeightCeiling { scales, bound, lanes: *lanes, only_weight: *all, joined: joined.into() }
    }

    /// Builds of a rail on all rails, below every spine that is light enough.
    fn add_joined_rails(
        &mut self,
        context: &ColumnContext<'_>,
        builds: &[Build],
        cache: &mut SizingCache,
    ) {
        for build in builds {
            let all =
                spine_options_above(context, build, &self.ceiling, &self.worth, &mut cache.effort);
            for spine in all {
                self.lower_weight_ceiling(context, build, &spine, cache);
                self.light.add(context, build, spine, &mut cache.effort);
            }
        }
    }

    /// Where the lightest fabric alone counts, heavier ones than one that is fast enough are of no
    /// use.
    fn lower_weight_ceiling(
        &mut self,
        context: &ColumnContext<'_>,
        build: &Build,
        spine: &SpineOption,
        cache: &mut SizingCache,
    ) {
        if self.ceiling.only_scale().is_none()
            || !context.is_fast_enough(slowest_leaf_level(context, build, cache).1)
        {
            return;
        }
        let occupancy = JoinedRails::occupancy_with_spine(context, build, spine);
        let Column { pieces: switches, links, .. } =
            JoinedRails::column_coefficients(context, build, spine, &occupancy);
        let idle = occupancy.idle_lanes(&context.parts.lanes);
        for scale in &mut self.ceiling.scales {
            let weight = scale.build_weight(&switches, links) + idle.weighted_sum(&scale.idle);
            let weight = weight / f64::from(context.planes);
            scale.known_weight = scale.known_weight.min(weight);
        }
    }
}

/// The level of a rail's slowest leaf switch, and the time of a step on it.
fn slowest_leaf_level(
    context: &ColumnContext<'_>,
    build: &Build,
    cache: &mut SizingCache,
) -> (Level, Seconds) {
    if !build.has_borders() {
        let level = Level { across: build.across.to_f64(), ..Level::FULL };
        return (level, cache.blended_step_time(context, level));
    }
    let balance = context.job.machine.balance;
    let (uneven, planes) = (!balance.is_even(), balance.planes_that_wait(context.planes));
    let levels = build.leaf_ratios().map(|(down, within, across)| Level {
        leaf_domains: (within < Ratio::ONE || across < Ratio::ONE || uneven).then_some(down),
        within: within.to_f64(),
        across: across.to_f64(),
        planes,
        member: None,
    });
    let timed = levels.map(|level| (level, cache.blended_step_time(context, level)));
    timed.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((Level::FULL, Seconds::ZERO))
}

/// Rails of two tiers whose leaf switches, of at most two models and in any shapes, have so many
/// ports across rails each; `None` where so many or more are too heavy.
fn unlike_leafs(
    context: &ColumnContext<'_>,
    needs: &CrossRailNeeds,
    across: u32,
    of_rails: &WeightCeiling,
    cache: &mut SizingCache,
) -> Option<Rc<Vec<Build>>> {
    let radix = context.skus.iter().map(|sku| sku.radix).max().unwrap_or(0);
    // A port down and one up are left at least.
    let down = radix.checked_sub(across + 1).filter(|down| *down > 0)?;
    let endpoints = u64::from(context.job.networked_domains());
    let rails = f64::from(context.job.machine.node.nics.max(1));
    let above = f64::from(across) / f64::from(down);
    let light = of_rails.can_admit_build(|scale| least_weight(context, scale, above) / rails);
    if !light {
        return None;
    }
    // Many models have as many ports.
    let mut tables: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut table = |radix: u32| {
        tables.entry(radix).or_insert_with(|| needs.max_endpoints(radix, across)).clone()
    };
    let widest: Vec<Vec<u32>> = context.skus.iter().map(|sku| table(sku.radix)).collect();
    let request = TreeRequest {
        rails: 1,
        endpoints,
        filling: Filling::OneRail,
        skus: context.skus,
        widest: &widest,
        losses: None,
        max_models: context.limits.models_per_rail,
        across,
        width: 1,
        alike: context.is_regular(),
    };
    Some(cache.tree_builds(&request, of_rails))
}

/// A build on all rails below a spine.
struct JoinedRails {
    build: Build,
    spine: SpineOption,
}

impl JoinedRails {
    /// Builds of one plane.
    fn builds_per_plane(context: &ColumnContext<'_>, build: &Build) -> u64 {
        u64::from(context.job.machine.node.nics / build.rails.max(1))
    }

    /// The links of its switches.
    fn occupancy_with_spine(
        context: &ColumnContext<'_>,
        build: &Build,
        spine: &SpineOption,
    ) -> Occupancy {
        let copies = Self::builds_per_plane(context, build);
        let planes = u64::from(context.planes);
        let leafs = build.across_ports().map(|(count, ports)| (count * copies, ports));
        let leafs: Vec<(u64, u32)> = leafs.collect();
        let mut occupancy = occupancy_of_builds(context, &[(build, copies * planes)]);
        occupancy.add(&spine.occupancy(context.skus, context.parts.width, &leafs), planes);
        occupancy
    }

    /// What it takes with those links of its switches, without counting its ports.
    fn column_coefficients(
        context: &ColumnContext<'_>,
        build: &Build,
        spine: &SpineOption,
        occupancy: &Occupancy,
    ) -> Column {
        let planes = u64::from(context.planes);
        let copies = Self::builds_per_plane(context, build) * planes;
        let above = build.leaf_spine_links + build.spine_core_links + build.across_links;
        let switches = |sku| build.switches_of(sku) * copies + spine.switches_of(sku) * planes;
        let hosts = context.job.endpoints() * planes;
        let links = hosts + above * copies + spine.spine_core_links * planes;
        let switches = (0..context.skus.len()).map(switches).collect();
        Column {
            rails: u64::from(context.job.machine.node.nics) * planes,
            pieces: context.parts.parts_used(switches, hosts, links, occupancy),
            links,
            bisection: 0.0,
        }
    }

    /// The finished fabric, as fast as its slowest leaf switch.
    fn finish_fabric(&self, context: &ColumnContext<'_>, cache: &mut SizingCache) -> UntimedFabric {
        let planes = u64::from(context.planes);
        let copies = Self::builds_per_plane(context, &self.build) * planes;
        let fabric = BuiltFabric::from_builds(
            context,
            &[(&self.build, copies)],
            Some((&self.spine, planes)),
        );
        UntimedFabric::new(context, fabric)
            .with_level(slowest_leaf_level(context, &self.build, cache).0)
    }
}

/// All that step time and bisection see of a build: whether its leafs have borders, and of each of
/// their shapes the endpoints and the shares within and across.
type DominanceKey = (bool, Vec<(u32, Ratio, Ratio)>);

/// Of the fabrics that give the same bandwidth, those that no other of them makes needless, with
/// their burdens. The first of equal ones stays.
#[derive(Default)]
struct UndominatedFabrics(BTreeMap<DominanceKey, Vec<(Vec<f64>, JoinedRails)>>);

impl UndominatedFabrics {
    fn add(
        &mut self,
        context: &ColumnContext<'_>,
        build: &Build,
        spine: SpineOption,
        effort: &mut BuildEffort,
    ) {
        let occupancy = JoinedRails::occupancy_with_spine(context, build, &spine);
        let burden = column_burdens(
            context,
            &JoinedRails::column_coefficients(context, build, &spine, &occupancy),
        );
        let mut shapes: Vec<(u32, Ratio, Ratio)> = build.leaf_ratios().collect();
        shapes.sort_unstable();
        shapes.dedup();
        let known = self.0.entry((build.has_borders(), shapes)).or_default();
        if !effort.has_spent_steps(1 + (known.len() * burden.len()) as u64) {
            return;
        }
        let no_heavier = |one: &[f64], other: &[f64]| one.iter().zip(other).all(|(a, b)| a <= b);
        if known.iter().any(|(other, _)| no_heavier(other, &burden)) {
            return;
        }
        known.retain(|(other, _)| !no_heavier(&burden, other));
        known.push((burden, JoinedRails { build: build.clone(), spine }));
    }
}

/// The ways to build a spine across rails above a build, which has to divide the rails, where a
/// plane of both is light enough.
fn spine_options_above(
    context: &ColumnContext<'_>,
    build: &Build,
    ceiling: &WeightCeiling,
    worth: &ModelWorth,
    effort: &mut BuildEffort,
) -> Vec<SpineOption> {
    let nics = context.job.machine.node.nics;
    if !nics.is_multiple_of(build.rails.max(1)) {
        return Vec::new();
    }
    let copies = JoinedRails::builds_per_plane(context, build);
    let leafs: Vec<(u64, u32)> =
        build.across_ports().map(|(count, ports)| (count * copies, ports)).collect();
    let read = |scale: &WeightScale, sku: usize| scale.switches.get(sku).copied().unwrap_or(0.0);
    let admits = |switches: &[(usize, u64)], links: u64| {
        ceiling.can_admit_build(|scale| {
            let below =
                build.layers.iter().map(|layer| read(scale, layer.sku) * layer.count as f64);
            let above = switches.iter().map(|(sku, count)| read(scale, *sku) * *count as f64);
            let all = build.link_count() * copies + links;
            below.sum::<f64>() * copies as f64 + above.sum::<f64>() + scale.link * all as f64
        })
    };
    spine_options_within(&leafs, context.skus, worth, effort, admits)
}

//! Fabrics whose rails a spine joins that carries only a part of what they could send across. There
//! are thousands for a large cluster, so they are weighed before any is put together.

use std::collections::BTreeMap;

use super::cache::Cache;
use super::column::{Column, Fabric};
use super::context::Context;
use super::dominance::burdens;
use super::trees::{Whole, timed};
use crate::design::candidate::machine::Level;
use crate::fabric::{
    Build, Ceiling, Effort, Ratio, Scale, SpineOption, Worth, spine_options_within,
};
use crate::sizing::Column as Coefficients;

/// Rails joined by a partial spine, at every pair of levels that is just fast enough; none that
/// weighs more than the ceiling of all rails of a plane.
pub(super) fn partial_spines(
    context: &Context<'_>,
    ceiling: &Ceiling,
    cache: &mut Cache,
) -> Vec<Column> {
    let pairs = least_pairs(context, ceiling, cache);
    if pairs.is_empty() {
        return Vec::new();
    }
    let rails = f64::from(context.job.machine.node.nics.max(1));
    let of_a_rail = |scale: &Scale| Scale { most: scale.most / rails, ..scale.clone() };
    let scales = ceiling.scales.iter().map(of_a_rail).collect();
    let bound = ceiling.bound.as_ref().map(of_a_rail);
    let of_rails = Ceiling { scales, bound, all: ceiling.all };
    let worth = Worth::new(context.skus, ceiling, context.limited.models_per_rail);
    let mut light = Lightest::default();
    for (within, across) in pairs {
        for build in cache.builds(context, within, across, &of_rails).iter() {
            for spine in spines(context, build, (ceiling, &worth), &mut cache.effort) {
                light.add(context, build, spine);
            }
        }
    }
    let whole = |joint: &Joint| Whole::new(context, joint.fabric(context));
    let untimed = light.0.values().flatten().map(|(_, joint)| whole(joint)).collect();
    timed(context, cache, untimed)
}

/// For every number of endpoints below a leaf switch, and of its uplinks within a rail, the least that it
/// needs across rails, as shares of the endpoints; none that is too heavy for the ceiling.
///
/// Beside uplinks within a rail what is fast enough without a spine across rails is left out: the same
/// leaf switches without it need less.
fn least_pairs(context: &Context<'_>, ceiling: &Ceiling, cache: &mut Cache) -> Vec<(Ratio, Ratio)> {
    let mut pairs = Vec::new();
    let widest = context.skus.iter().map(|sku| sku.radix).max().unwrap_or(0);
    let share = |ports: u32, down: u32| Ratio::uplinks_per_downlink(ports, down);
    let mut fits = |down: u32, up: u32, across: u32| {
        let share = |ports| share(ports, down).as_f64();
        let leaf_domains = (up < down).then_some(down);
        let level = Level { leaf_domains, within: share(up), across: share(across) };
        context.admits(cache.time(context, level))
    };
    let light = |down: u32, uplinks: u32| {
        let above = share(uplinks, down).as_f64();
        ceiling.admits(|scale| least_weight(context, scale, above))
    };
    for down in 1..widest.min(context.job.domains.saturating_add(1)) {
        // Uplinks of a leaf switch that are not too heavy: ever more of them are.
        let payable = first(1, widest, |uplinks| !light(down, uplinks)).map_or(widest, |n| n - 1);
        let free = (widest - down).min(payable);
        if free == 0 {
            continue;
        }
        // Leaf switches without spines of their own reach the rest of their rail by the shared ones.
        let shared = first(1, free.min(down), |up| fits(down, up, up));
        pairs.extend(shared.map(|up| (Ratio::ZERO, share(up, down))));
        // Step time falls as uplinks are added: fewer than `enough` need a spine across rails.
        let enough = first(1, down, |up| fits(down, up, 0)).unwrap_or(down + 1);
        // With fewer uplinks within a rail no fewer are enough across rails.
        let mut least = 1;
        for up in (1..enough).rev() {
            // A rail on one leaf switch needs no uplinks within it.
            let most = if up == down { free } else { free.saturating_sub(up) };
            match first_from(least, most.min(down), |across| fits(down, up, across)) {
                Ok(across) => {
                    pairs.push((share(up, down), share(across, down)));
                    least = across;
                }
                Err(more) => least = more,
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// What all rails of a plane weigh at least where each endpoint has so many uplinks of its leaf switch:
/// every port in use, of the model whose ports weigh least, and every link.
fn least_weight(context: &Context<'_>, scale: &Scale, uplinks: f64) -> f64 {
    let ports = context.skus.iter().map(|sku| f64::from(sku.radix.max(1)));
    let each = scale.switches.iter().zip(ports).map(|(switch, ports)| switch / ports);
    let port = each.fold(f64::INFINITY, f64::min);
    let port = if port.is_finite() { port } else { 0.0 };
    let endpoints = context.job.endpoints() as f64;
    endpoints * ((1.0 + 2.0 * uplinks) * port + (1.0 + uplinks) * scale.link)
}

/// The first of some numbers that will do, where all after it do; `None` where the last does not.
fn first(from: u32, to: u32, mut will_do: impl FnMut(u32) -> bool) -> Option<u32> {
    if from > to || !will_do(to) {
        return None;
    }
    let (mut low, mut high) = (from, to);
    while low < high {
        let middle = low.midpoint(high);
        if will_do(middle) { high = middle } else { low = middle + 1 }
    }
    Some(high)
}

/// The first of some numbers that will do, where all after it do and it is thought to be near `from`.
///
/// # Errors
/// Where none up to `to` does: the least that may.
fn first_from(from: u32, to: u32, mut will_do: impl FnMut(u32) -> bool) -> Result<u32, u32> {
    let (mut low, mut step) = (from, 1);
    while low <= to {
        let probe = (low + step - 1).min(to);
        if will_do(probe) {
            return Ok(first(low, probe, will_do).unwrap_or(probe));
        }
        low = probe + 1;
        step *= 2;
    }
    Err(low)
}

/// A build on all rails below a spine.
struct Joint {
    build: Build,
    spine: SpineOption,
}

impl Joint {
    /// Builds of one plane.
    fn copies(context: &Context<'_>, build: &Build) -> u64 {
        u64::from(context.job.machine.node.nics / build.rails.max(1))
    }

    /// What it takes, without counting its ports.
    fn coefficients(context: &Context<'_>, build: &Build, spine: &SpineOption) -> Coefficients {
        let planes = u64::from(context.planes);
        let copies = Self::copies(context, build) * planes;
        let above = build.leaf_spine_links + build.spine_core_links + build.across_links;
        let switches = |sku| build.switches_of(sku) * copies + spine.switches_of(sku) * planes;
        Coefficients {
            rails: u64::from(context.job.machine.node.nics) * planes,
            switches: (0..context.skus.len()).map(switches).collect(),
            links: context.job.endpoints() * planes
                + above * copies
                + spine.spine_core_links * planes,
            across_links: 0,
            bisection: 0.0,
        }
    }

    fn fabric(&self, context: &Context<'_>) -> Fabric {
        let planes = u64::from(context.planes);
        let copies = Self::copies(context, &self.build) * planes;
        Fabric::assembled(context, &[(&self.build, copies)], Some((&self.spine, planes)))
    }
}

/// All that step time and bisection see of a build: leaf, share within and share across.
type Sight = (Option<u32>, Ratio, Ratio);

/// Of the fabrics that give the same bandwidth, those that no other of them makes needless, with
/// their burdens. The first of equal ones stays.
#[derive(Default)]
struct Lightest(BTreeMap<Sight, Vec<(Vec<f64>, Joint)>>);

impl Lightest {
    fn add(&mut self, context: &Context<'_>, build: &Build, spine: SpineOption) {
        let burden = burdens(context, &Joint::coefficients(context, build, &spine));
        let leaf = build.has_borders().then_some(build.leaf_endpoints);
        let known = self.0.entry((leaf, build.within, build.across)).or_default();
        let no_heavier = |one: &[f64], other: &[f64]| one.iter().zip(other).all(|(a, b)| a <= b);
        if known.iter().any(|(other, _)| no_heavier(other, &burden)) {
            return;
        }
        known.retain(|(other, _)| !no_heavier(&burden, other));
        known.push((burden, Joint { build: build.clone(), spine }));
    }
}

/// The ways to build a spine across rails above a build, which has to divide the rails, where a
/// plane of both is light enough.
fn spines(
    context: &Context<'_>,
    build: &Build,
    (ceiling, worth): (&Ceiling, &Worth),
    effort: &mut Effort,
) -> Vec<SpineOption> {
    let nics = context.job.machine.node.nics;
    if !nics.is_multiple_of(build.rails.max(1)) {
        return Vec::new();
    }
    let copies = Joint::copies(context, build);
    let leafs: Vec<(u64, u32)> =
        build.across_ports().map(|(count, ports)| (count * copies, ports)).collect();
    let of = |scale: &Scale, sku: usize| scale.switches.get(sku).copied().unwrap_or(0.0);
    let admits = |switches: &[(usize, u64)], links: u64| {
        ceiling.admits(|scale| {
            let below = build.layers.iter().map(|layer| of(scale, layer.sku) * layer.count as f64);
            let above = switches.iter().map(|(sku, count)| of(scale, *sku) * *count as f64);
            let all = build.links() * copies + links;
            below.sum::<f64>() * copies as f64 + above.sum::<f64>() + scale.link * all as f64
        })
    };
    spine_options_within(&leafs, context.skus, worth, effort, admits)
}

#[cfg(test)]
mod tests {
    use super::{first, first_from};

    #[test]
    fn the_first_that_will_do_is_found_from_either_end() {
        for least in 1..=40_u32 {
            for to in 1..=40 {
                let will_do = |number: u32| number >= least;
                let expected = (least <= to).then_some(least);
                assert_eq!(first(1, to, will_do), expected, "{least} of {to}");
                for from in 1..=least {
                    let near = first_from(from, to, will_do);
                    assert_eq!(near.ok(), expected.filter(|_| from <= to), "{least} from {from}");
                    assert!(near.err().is_none_or(|more| more <= least), "{least} from {from}");
                }
            }
        }
    }
}

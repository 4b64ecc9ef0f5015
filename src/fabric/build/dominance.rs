//! Drops builds that another one makes needless.

use std::cmp::Reverse;

use super::{Build, SwitchModel, WeightScale};
use crate::fabric::{Idle, Lanes, Ratio};

/// The builds that no other one of as many rails, the same ports and links across rails and leafs of the
/// same size beats: none needs no more of *every* model and no more links. Among equals the one with more bandwidth
/// within the rail stays, then the one with fewer layers.
///
/// Never across models: stock may make the dearer one free. Never across different ports or links to a
/// spine across rails: they decide by which numbers of spines these can be divided, and how large it is. Never
/// across sizes of leafs that block: which messages leave a leaf decides how long a step takes.
pub(super) fn drop_dominated_builds(
    builds: Vec<Build>,
    skus: &[SwitchModel],
    lanes: &Lanes,
) -> Vec<Build> {
    let mut keyed: Vec<(BuildKey, Build)> = builds
        .into_iter()
        .map(|build| (BuildKey::from_build(&build, skus, lanes), build))
        .collect();
    keyed.sort_by(|(a, x), (b, y)| {
        a.group
            .cmp(&b.group)
            .then(a.links.cmp(&b.links))
            .then_with(|| a.switches.cmp(&b.switches))
            .then(Reverse(x.within).cmp(&Reverse(y.within)))
            .then(x.layers.len().cmp(&y.layers.len()))
    });
    let mut kept: Vec<(BuildKey, Build)> = Vec::new();
    let mut group_start = 0;
    for (key, build) in keyed {
        if kept.get(group_start).is_some_and(|(first, _)| first.group != key.group) {
            group_start = kept.len();
        }
        // Those before it have no more links, so only the switches are left to compare.
        if !kept[group_start..].iter().any(|(other, _)| other.needs_no_more_than(&key)) {
            kept.push((key, build));
        }
    }
    kept.into_iter().map(|(_, build)| build).collect()
}

/// Dominance by weight alone: the builds that no other one of as many rails, equal ports and links across
/// rails and leafs of the same size beats in weight and bandwidth within the rail.
pub(super) fn keep_lightest_builds(
    builds: Vec<Build>,
    scale: &WeightScale,
    skus: &[SwitchModel],
    lanes: &Lanes,
) -> Vec<Build> {
    let weight = |build: &Build| {
        let switches =
            build.layers.iter().map(|layer| scale.switch_weight(layer.sku) * layer.count as f64);
        let idle = idle_lanes_of_build(build, skus, lanes).weighted_sum(&scale.idle);
        switches.sum::<f64>() + scale.link * build.link_count() as f64 + idle
    };
    let group =
        |build: &Build| (build.rails, ports_across(build), build.across_links, blocked_at(build));
    let mut weighed: Vec<(_, f64, Build)> =
        builds.into_iter().map(|build| (group(&build), weight(&build), build)).collect();
    weighed.sort_by(|(group, a, x), (other, b, y)| {
        group
            .cmp(other)
            .then(a.total_cmp(b))
            .then(Reverse(x.within).cmp(&Reverse(y.within)))
            .then(x.link_count().cmp(&y.link_count()))
            .then(x.layers.len().cmp(&y.layers.len()))
    });
    let mut kept: Vec<Build> = Vec::new();
    let mut last = None;
    for (group, _, build) in weighed {
        // Lighter ones of its group stand before it, the last of them with the most bandwidth.
        let alike = last.as_ref() == Some(&group);
        if !alike || kept.last().is_none_or(|other| other.within < build.within) {
            kept.push(build);
        }
        last = Some(group);
    }
    kept
}

/// Endpoints under a leaf whose uplinks can't carry all that it sends, where a spine joins rails; 0
/// where none blocks.
fn blocked_at(build: &Build) -> u32 {
    let blocks = build.within < Ratio::ONE && build.across > Ratio::ZERO;
    if blocks { build.leaf_endpoints } else { 0 }
}

/// The different numbers of ports across rails that its leafs have.
fn ports_across(build: &Build) -> Vec<u32> {
    let mut across: Vec<u32> = build.across_ports().map(|(_, ports)| ports).collect();
    across.sort_unstable();
    across.dedup();
    across
}

/// What builds are compared by.
struct BuildKey {
    /// Only builds of one group are compared: rails, endpoints under a leaf that blocks, and the links and
    /// ports across of each kind of leaf.
    group: (u32, u32, u64, Vec<u32>),
    links: u64,
    /// Switches of each model.
    switches: Vec<u64>,
    /// Lanes that are lit.
    lit: [u64; 4],
}

/// Lanes that stay idle; all links are alike here.
fn idle_lanes_of_build(build: &Build, skus: &[SwitchModel], lanes: &Lanes) -> Idle<u64> {
    match lanes.are_own() {
        true => Idle::default(),
        false => build.occupancy(skus, 1, build.rails).idle_lanes(lanes),
    }
}

impl BuildKey {
    fn from_build(build: &Build, skus: &[SwitchModel], lanes: &Lanes) -> Self {
        let switches = (0..skus.len()).map(|sku| build.switches_of(sku)).collect();
        Self {
            group: (build.rails, blocked_at(build), build.across_links, ports_across(build)),
            links: build.link_count(),
            switches,
            lit: idle_lanes_of_build(build, skus, lanes)
                .lit_lanes_above_hosts(build.link_count(), lanes)
                .lane_kinds(),
        }
    }

    fn needs_no_more_than(&self, other: &Self) -> bool {
        let no_more = |(mine, theirs): (&u64, &u64)| mine <= theirs;
        self.switches.iter().zip(&other.switches).all(no_more)
            && self.lit.iter().zip(&other.lit).all(no_more)
    }
}

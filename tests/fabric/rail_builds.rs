//! The generator of rail builds against trying everything.

use planner::fabric::{
    Build, BuildLayer, RailRequest, Ratio, SwitchModel, TierName, oversubscription_levels,
    rail_builds,
};
use proptest::prelude::*;

fn skus(radices: &[u32]) -> Vec<SwitchModel> {
    let named = |radix: &u32| SwitchModel { name: format!("k{radix}"), radix: *radix };
    radices.iter().map(named).collect()
}

/// Switches of each model, and links.
type Needs = (Vec<u64>, u64);

fn needs(build: &Build, models: usize) -> Needs {
    ((0..models).map(|sku| build.switches_of(sku)).collect(), build.link_count())
}

fn no_more(a: &Needs, b: &Needs) -> bool {
    a.1 <= b.1 && a.0.iter().zip(&b.0).all(|(a, b)| a <= b)
}

/// Every rail of one or two tiers without a spine across rails, by brute force: all shapes of
/// leafs, with all numbers of them of one or two models, below all numbers of spines.
fn everything(endpoints: u64, skus: &[SwitchModel], within: Ratio) -> Vec<Needs> {
    let mut all = Vec::new();
    let models = skus.len();
    let count = |sku: usize, n: u64| {
        let mut counts = vec![0; models];
        counts[sku] += n;
        counts
    };
    let sum = |a: Vec<u64>, b: Vec<u64>| a.iter().zip(&b).map(|(a, b)| a + b).collect::<Vec<u64>>();
    for (sku, model) in skus.iter().enumerate() {
        if endpoints <= u64::from(model.radix) {
            all.push((count(sku, 1), endpoints));
        }
    }
    let shapes: Vec<(usize, u64, u64)> = (0..models)
        .flat_map(|sku| (1..skus[sku].radix).map(move |up| (sku, up)))
        .map(|(sku, up)| (sku, u64::from(skus[sku].radix - up), u64::from(up)))
        .filter(|(_, down, up)| *up >= within.ceil_times(*down))
        .collect();
    for (first, down, up) in &shapes {
        for (second, other_down, other_up) in &shapes {
            for leafs in 1..=endpoints.div_ceil(*down) {
                let rest = endpoints.saturating_sub(leafs * down);
                let others = rest.div_ceil(*other_down);
                // One model has one shape: leafs of a model are bought and set up alike.
                if others > 0 && first == second {
                    continue;
                }
                let links = leafs * up + others * other_up;
                for spines in 1..=*up {
                    if up % spines != 0 || others > 0 && other_up % spines != 0 {
                        continue;
                    }
                    for (sku, spine) in skus.iter().enumerate() {
                        if leafs * down + others * other_down >= endpoints
                            && links <= spines * u64::from(spine.radix)
                        {
                            let below = sum(count(*first, leafs), count(*second, others));
                            all.push((sum(below, count(sku, spines)), endpoints + links));
                        }
                    }
                }
            }
        }
    }
    all
}

/// Ports of every switch within its radix, ratios kept, links at both ends.
fn sound(build: &Build, request: &RailRequest<'_>) {
    let read = |tier: TierName| build.layers.iter().filter(move |layer| layer.tier == tier);
    let total = |tier, ports: fn(&BuildLayer) -> u64| read(tier).map(ports).sum::<u64>();
    for layer in &build.layers {
        let radix = request.skus[layer.sku].radix;
        assert!(layer.down + layer.up + layer.across <= radix, "{build:?}");
        assert!(layer.ports_used <= layer.count * u64::from(radix), "{build:?}");
    }
    let leafs = total(TierName::Leaf, |layer| layer.count);
    let seats = total(TierName::Leaf, |layer| layer.count * u64::from(layer.down));
    let rails = u64::from(build.rails);
    assert!(seats >= rails * request.endpoints, "{build:?}");
    assert_eq!(build.host_links, rails * request.endpoints);
    let up = total(TierName::Leaf, |layer| layer.count * u64::from(layer.up));
    let across = total(TierName::Leaf, |layer| layer.count * u64::from(layer.across));
    assert_eq!((up, across), (build.leaf_spine_links, build.across_links));
    assert_eq!(total(TierName::Leaf, |l| l.ports_used), build.host_links + up + across);
    assert_eq!(total(TierName::Spine, |l| l.ports_used), up + build.spine_core_links);
    assert_eq!(total(TierName::Core, |l| l.ports_used), build.spine_core_links);
    assert!(build.within >= request.within, "{build:?}");
    assert!(build.across >= request.across, "{build:?}");
    if leafs > 1 && request.across == Ratio::ZERO {
        assert!(up > 0, "several leafs need a spine: {build:?}");
    }
    if build.spine_core_links == 0 {
        let spines = total(TierName::Spine, |layer| layer.count);
        for leaf in read(TierName::Leaf).filter(|_| spines > 0) {
            assert_eq!(u64::from(leaf.up) % spines, 0, "{build:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_build_of_one_or_two_tiers_beats_all_generated_ones(
        endpoints in 1..70_u64,
        radices in prop::collection::vec(2..14_u32, 1..=2),
        up in 0..5_u32,
    ) {
        let skus = skus(&radices);
        let within = Ratio::new(up, 4).expect("not over zero").min(Ratio::ONE);
        let across = Ratio::ZERO;
        let request =
            RailRequest { endpoints, skus: &skus, within, across, models_per_rail: None };
        let builds = rail_builds(&request);
        let made: Vec<Needs> =
            builds.iter().filter(|b| b.rails == 1).map(|b| needs(b, skus.len())).collect();
        for possible in everything(endpoints, &skus, within) {
            prop_assert!(
                made.iter().any(|made| no_more(made, &possible)),
                "{possible:?} is not beaten by any of {made:?}"
            );
        }
    }

    #[test]
    fn builds_keep_every_port_budget(
        endpoints in 1..3000_u64,
        radices in prop::collection::vec(0..65_u32, 1..=3),
        within in (0..9_u32, 8..9_u32),
        across in (0..9_u32, 8..9_u32),
    ) {
        let skus = skus(&radices);
        let ratio = |(over, under)| Ratio::new(over, under).expect("not over zero");
        let request = RailRequest {
            endpoints,
            skus: &skus,
            within: ratio(within),
            across: ratio(across),
            models_per_rail: None,
        };
        let builds = rail_builds(&request);
        for build in &builds {
            sound(build, &request);
        }
        prop_assert_eq!(&builds, &rail_builds(&request));
    }
}

#[test]
fn no_build_in_the_list_makes_another_one_needless() {
    let skus = skus(&[64, 128, 40]);
    for endpoints in [57, 128, 129, 300, 2048, 5000] {
        let (within, across) = (Ratio::ONE, Ratio::ZERO);
        let request = RailRequest { endpoints, skus: &skus, within, across, models_per_rail: None };
        let builds = rail_builds(&request);
        assert!(!builds.is_empty());
        for (i, a) in builds.iter().enumerate() {
            for (j, b) in builds.iter().enumerate().filter(|(_, b)| a.rails == b.rails) {
                let needless = no_more(&needs(a, 3), &needs(b, 3));
                assert!(i == j || !needless, "{a:?} makes {b:?} needless");
            }
        }
    }
}

#[test]
fn odd_requests_have_no_builds() {
    let none = |endpoints, radices: &[u32]| {
        let skus = skus(radices);
        let (within, across) = (Ratio::ONE, Ratio::ZERO);
        let request = RailRequest { endpoints, skus: &skus, within, across, models_per_rail: None };
        assert!(rail_builds(&request).is_empty(), "{endpoints} {radices:?}");
    };
    none(0, &[64]);
    none(5, &[]);
    none(5, &[0]);
    none(5, &[1]);
    none(u64::MAX, &[64]);
    none(5, &[u32::MAX]);
    none(1 << 40, &[64]);
}

#[test]
fn levels_are_all_divisions_down_to_half() {
    assert_eq!(oversubscription_levels(4).collect::<Vec<_>>(), [(4, 0), (3, 1), (2, 2)]);
    assert_eq!(oversubscription_levels(0).collect::<Vec<_>>(), [(0, 0)]);
}

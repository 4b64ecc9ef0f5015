//! Fabrics of worked cases with real parts: 64×800G switches split to 128×400G or 256×200G.
//! Expected switches and transceivers were computed apart from this program, by the rules of
//! docs/equations.md; dollars only serve to compare designs as an architect would.

use planner::fabric::{
    Assembly, Build, Counts, FabricKind, RailRequest, Ratio, Request, Split, SwitchChoice,
    SwitchModel, TierName, rail_builds, spine_options, tree_counts,
};
use planner::hardware::Switch;
use planner::units::{Bandwidth, Watts};

const SWITCH_USD: f64 = 51_999.0;
const OPTIC_USD: f64 = 659.0;

fn spectrum() -> Switch {
    Switch {
        protocol: planner::hardware::Protocol::Ethernet,
        name: "s128".into(),
        ports: 64,
        port_bandwidth: Bandwidth::from_gigabits(800.0),
        max_split: 8,
        reduces: false,
        power: Watts::from_f64(940.0),
        rack_units: None,
        cage: None,
        cages: None,
        quote_only: false,
    }
}

fn ndr() -> Bandwidth {
    Bandwidth::from_gigabits(400.0)
}

fn ratio(over: u32, under: u32) -> Ratio {
    Ratio::new(over, under).expect("not over zero")
}

/// Dollars, with optics in proportion to their rate.
fn cost(counts: &Counts) -> f64 {
    let optics: f64 = counts
        .transceivers_by_rate()
        .iter()
        .map(|(rate, ends)| OPTIC_USD * (*rate / ndr()) * *ends as f64)
        .sum();
    counts.switch_count() as f64 * SWITCH_USD + optics
}

#[track_caller]
fn case(request: Request<'_>, switches: u64, transceivers: u64) {
    let counts = tree_counts(&request).expect("the case can be built");
    assert_eq!((counts.switch_count(), counts.transceiver_count()), (switches, transceivers));
}

fn requested(kind: FabricKind, gpus: u64, rails: u32, radix: u32) -> Request<'static> {
    Request::new(kind, gpus, rails, SwitchChoice::Radix(radix), ndr())
}

fn at(share: Ratio) -> Split {
    Split::AtLeast(share)
}

#[test]
fn nine_thousand_gpus_in_racks_of_72() {
    let gpus = 9216;
    case(requested(FabricKind::RailOnly, gpus, 72, 128), 72, 18_432);
    // Nine pods have 14 links to each of 74 cores, or 7 to each of 147: 72 and 144 have the ports,
    // but not equal links for every pod.
    case(requested(FabricKind::Clos, gpus, 72, 128), 362, 55_296);
    case(requested(FabricKind::Clos, gpus, 72, 64), 723, 55_296);
    case(requested(FabricKind::Clos, gpus, 72, 128).split_into_planes(2), 272, 2 * 36_864);
    let seven = at(ratio(1, 7));
    case(requested(FabricKind::Clos, gpus, 72, 128).with_split(seven), 99, 21_088);
}

#[test]
fn two_thousand_gpus_in_nodes_of_8_save_nothing_by_rails() {
    for (radix, switches) in [(64, 96), (128, 48)] {
        case(requested(FabricKind::RailOnly, 2048, 8, radix), switches, 8192);
        case(requested(FabricKind::Clos, 2048, 8, radix), switches, 8192);
    }
    case(requested(FabricKind::RailOnly, 2048, 8, 128).split_into_planes(2), 16, 8192);
}

#[test]
fn sixteen_thousand_gpus_in_nodes_of_8() {
    let gpus = 16_384;
    let rails = requested(FabricKind::RailOnly, gpus, 8, 128);
    case(requested(FabricKind::Clos, gpus, 8, 128), 640, 98_304);
    case(requested(FabricKind::Clos, gpus, 8, 128).split_into_planes(2), 384, 131_072);
    case(rails, 384, 65_536);
    case(rails.with_split(Split::Uplinks(18)), 176, 38_240);
    case(rails.with_split(Split::Uplinks(8)), 160, 35_072);
    case(requested(FabricKind::RailOnly, 16_416, 72, 128).split_into_planes(2), 144, 65_664);
}

/// 44 leafs of 16 + 16 ports in pods of up to 16: 15, 15 and 14 take 16 spines each with 15 links up, not
/// 16 of which the third pod needs 12; 24 cores have 10 of them from each pod. 35 leafs of 8 + 8 ports in
/// five pods of 7: 40 spines with 7 links up, 19 cores with 3 of the 56 from each pod.
#[test]
fn pods_are_as_nearly_of_one_size_as_they_can_be() {
    let links = [44 * 16, 44 * 16, 3 * 16 * 15];
    case(requested(FabricKind::Clos, 704, 1, 32), 44 + 48 + 24, 2 * links.iter().sum::<u64>());
    case(requested(FabricKind::Clos, 280, 1, 16), 35 + 40 + 19, 2 * 3 * 280);
}

/// 384 switches of 51.2T in two planes, hosts at 200G below switches that are joined at 400G.
#[test]
fn hpn_joins_200g_hosts_by_400g_links() {
    let switch = spectrum();
    let clos = Request::new(FabricKind::Clos, 16_384, 8, SwitchChoice::Model(&switch), ndr())
        .split_into_planes(2);
    let counts =
        tree_counts(&Request { ports_per_uplink: 2, ..clos }).expect("the case can be built");
    assert_eq!(counts.switch_count(), 384);
    let slow = Bandwidth::from_gigabits(200.0);
    assert_eq!(counts.transceivers_by_rate(), vec![(slow, 65_536), (ndr(), 32_768)]);
}

/// A 7:1 Clos in two planes of 256 ports: of all numbers of uplinks the cheapest.
#[test]
fn a_few_more_uplinks_can_save_switches() {
    let clos = requested(FabricKind::Clos, 16_384, 8, 128).split_into_planes(2);
    let uplinks = (32..=64).filter_map(|up| tree_counts(&clos.with_split(Split::Uplinks(up))).ok());
    let best = uplinks.min_by(|a, b| cost(a).total_cmp(&cost(b))).expect("two planes can be built");
    assert_eq!((best.switch_count(), best.transceiver_count()), (170, 75_304));
}

fn k128() -> [SwitchModel; 1] {
    [SwitchModel { name: "s128".into(), radix: 128 }]
}

fn rails_of(endpoints: u64, skus: &[SwitchModel], within: Ratio, across: Ratio) -> Vec<Build> {
    rail_builds(&RailRequest { endpoints, skus, within, across, models_per_rail: None })
}

/// Rails of 2,048 on 128-port switches: the cost of eight rails by uplinks of a leaf, in M$.
#[test]
fn the_cost_of_a_rail_is_not_monotone_in_its_uplinks() {
    let skus = k128();
    for (uplinks, millions) in [(40, 45.0), (41, 59.0), (43, 61.2), (44, 48.2)] {
        let request = requested(FabricKind::RailOnly, 16_384, 8, 128);
        let counts = tree_counts(&request.with_split(Split::Uplinks(uplinks))).expect("two tiers");
        assert!((cost(&counts) / 1e6 - millions).abs() < 0.05, "{uplinks}: {}", cost(&counts));

        // The generator takes a dearer level's cheaper neighbour.
        let level = Ratio::uplinks_per_downlink(uplinks, 128 - uplinks);
        let builds = rails_of(2048, &skus, level, Ratio::ZERO);
        let best = builds.iter().map(|build| 8.0 * build_cost(build)).fold(f64::MAX, f64::min);
        assert!(best <= cost(&counts) + 1.0, "{uplinks}");
        assert!(builds.iter().all(|build| build.within >= level));
        if uplinks == 41 {
            let next = [42, 44, 48].map(|up| {
                let split = request.with_split(Split::Uplinks(up));
                cost(&tree_counts(&split).expect("two tiers"))
            });
            assert!(next.iter().all(|cost| best <= cost + 1.0), "{best} {next:?}");
        }
    }
}

fn build_cost(build: &Build) -> f64 {
    build.switches_of(0) as f64 * SWITCH_USD + 2.0 * build.link_count() as f64 * OPTIC_USD
}

/// 57 racks of 72: two rails share a leaf whose last 14 ports make a partial spine of 7.
#[test]
fn a_partial_spine_is_found_in_the_ports_left_over() {
    let skus = k128();
    let builds = rails_of(57, &skus, Ratio::ONE, ratio(12, 100));
    let fabric = |rails: u32, across: u32| {
        let build = builds
            .iter()
            .find(|b| b.rails == rails && b.layers[0].across == across)
            .expect("the build is among the undominated ones");
        let count = u64::from(72 / rails);
        let spine = &spine_options(&[(count, across)], &skus)[0];
        Assembly {
            rails: 72,
            endpoints: 4104,
            planes: 1,
            link: ndr(),
            width: 1,
            skus: &skus,
            builds: &[(build, count)],
            spine: Some((spine, 1)),
        }
        .assembly_counts()
    };
    let partial = fabric(2, 14);
    assert_eq!((partial.switch_count(), partial.link_count()), (43, 4608));
    assert_eq!(partial.switches_in_tier(TierName::Spine), 7);
    assert_eq!(partial.kind, FabricKind::RailOptimized);
    assert!((partial.across_rails - 14.0 / 114.0).abs() < 1e-12);
    assert!((cost(&partial) / 1e6 - 8.31).abs() < 0.005);
    let quarter = rails_of(57, &skus, Ratio::ONE, ratio(1, 4));
    assert!(quarter.iter().all(|build| build.rails == 1), "two rails no longer fit a leaf");
    case(requested(FabricKind::RailOnly, 4104, 72, 128), 36, 8208);
    let seven = at(ratio(1, 7));
    case(requested(FabricKind::Clos, 4104, 72, 128).with_split(seven), 45, 9392);
    // 65 leafs with all their uplinks: 4,160 links to the spines, not one for each endpoint.
    case(requested(FabricKind::Clos, 4104, 72, 128), 129, 2 * (4104 + 4160));
}

/// Owned 64-port switches as leafs beside 128-port ones: 4 + 30, 8 + 28, 12 + 26 leafs of a rail.
#[test]
fn leafs_of_two_models_mix_below_spines_that_divide_both() {
    let skus = [
        SwitchModel { name: "q64".into(), radix: 64 },
        SwitchModel { name: "s128".into(), radix: 128 },
    ];
    let builds = rails_of(2048, &skus, Ratio::ONE, Ratio::ZERO);
    for (small, large) in [(4, 30), (8, 28), (12, 26)] {
        let found = builds.iter().any(|build| {
            let leafs = |sku| {
                let leafs = build.layers.iter().filter(|l| l.tier == TierName::Leaf);
                leafs.filter(|l| l.sku == sku).map(|l| l.count).sum::<u64>()
            };
            (leafs(0), leafs(1), build.switches_of(1)) == (small, large, large + 16)
        });
        assert!(found, "{small} + {large}");
    }
    let one = RailRequest {
        endpoints: 2048,
        skus: &skus,
        within: Ratio::ONE,
        across: Ratio::ZERO,
        models_per_rail: Some(1),
    };
    let counts: Vec<[u64; 2]> =
        rail_builds(&one).iter().map(|b| [b.switches_of(0), b.switches_of(1)]).collect();
    assert_eq!(counts, [[0, 48], [96, 0]]);
}

//! The fullest of a leaf switch's uplinks: against trying every assignment, against drawing them at
//! random, against published ratios; and what the clock makes of it.

use planner::collective::{FlatAlgorithm, Policy};
use planner::hardware::Node;
use planner::parallel::Zero;
use planner::scenario::LoadBalancing;
use planner::spec::presets;
use planner::step::Step;
use planner::timing::{Clock, NetworkModel, UplinkBalance, expected_max_load};
use planner::workload::Algorithms;

use crate::support::job::{framework, layout, model, training};

/// Mean of the fullest link over all assignments of flows to links, each as likely as any other.
fn tried(flows: u32, links: u64) -> f64 {
    let all = links.pow(flows);
    let fullest = |mut assignment: u64| {
        let mut on = vec![0_u32; links as usize];
        for _ in 0..flows {
            on[(assignment % links) as usize] += 1;
            assignment /= links;
        }
        on.into_iter().max().unwrap_or(0)
    };
    (0..all).map(|count| f64::from(fullest(count))).sum::<f64>() / all as f64
}

#[test]
fn the_expectation_is_the_mean_over_all_assignments() {
    for (flows, links) in
        [(1, 5), (2, 2), (3, 3), (4, 4), (5, 3), (6, 6), (7, 2), (7, 5), (8, 4), (10, 3)]
    {
        let own = expected_max_load(flows.into(), links, 1);
        let mean = tried(flows, links.into());
        assert!((own / mean - 1.0).abs() < 1e-9, "{flows} on {links}: {own}, not {mean}");
    }
}

#[test]
fn the_expectation_is_near_the_mean_of_many_draws() {
    const DRAWS: u32 = 4000;
    // Numerical Recipes' generator, so that the draws are those of every machine.
    let mut state = 17_u64;
    let mut roll = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for (flows, links, leafs) in
        [(16, 16, 1), (64, 16, 1), (16, 16, 32), (128, 32, 4), (1000, 16, 1), (2500, 12, 1)]
    {
        let mut draw = || {
            let mut most = 0;
            for _ in 0..leafs {
                let mut on = vec![0_u32; links as usize];
                for _ in 0..flows {
                    on[roll(links) as usize] += 1;
                }
                most = most.max(on.into_iter().max().unwrap_or(0));
            }
            f64::from(most)
        };
        let mean = (0..DRAWS).map(|_| draw()).sum::<f64>() / f64::from(DRAWS);
        let own = expected_max_load(flows, links as u32, leafs);
        // Three deviations of the mean of the draws are at most half a percent.
        assert!((own / mean - 1.0).abs() < 0.01, "{flows} on {links}, {leafs}: {own}, not {mean}");
    }
}

/// Of integers without rounding: coefficients of (Σ_{j≤m} x^j/j!)^U to 2,000 and more bits.
#[test]
fn the_expectation_is_that_of_exact_arithmetic() {
    for (flows, links, leafs, exact) in [
        (100, 16, 8192, 19.305_734_394_717_51),
        (255, 16, 8192, 35.551_431_939_423_85),
        (255, 64, 8192, 16.279_822_628_451_23),
    ] {
        let own = expected_max_load(flows, links, leafs);
        assert!(
            (own / exact - 1.0).abs() < 2e-9,
            "{flows} on {links}, {leafs}: {own}, not {exact}"
        );
    }
}

/// Meta, SIGCOMM 2024: with 1,000 flows on 16 links the fullest has "over 1.2" times the mean.
#[test]
fn a_thousand_flows_on_sixteen_links_load_the_fullest_1_23_times_the_mean() {
    let hashed = UplinkBalance { by: LoadBalancing::Ecmp, flows: 1 };
    let ratio = hashed.fullest_over_mean(1000, 16, 1);
    assert!((ratio - 1.2296).abs() < 1e-4, "{ratio}");
    // As often with ten queue pairs of a hundred messages.
    let pairs = UplinkBalance { flows: 10, ..hashed };
    assert_eq!(pairs.fullest_over_mean(100, 16, 1), ratio);
}

/// Expectations of a script of its own, by the number of flows over the number of links.
#[test]
fn the_fullest_of_a_leaf_falls_towards_the_mean_as_flows_are_added() {
    for (links, row) in [
        (4, [1.25, 2.13, 3.54, 6.14, 10.99, 20.20]),
        (8, [1.65, 2.60, 4.20, 7.05, 12.24, 21.91]),
        (16, [2.06, 3.08, 4.83, 7.88, 13.36, 23.44]),
        (32, [2.39, 3.53, 5.41, 8.65, 14.38, 24.82]),
        (64, [2.72, 3.96, 5.97, 9.37, 15.34, 26.10]),
    ] {
        for (doublings, expected) in row.into_iter().enumerate() {
            let flows = (u64::from(links) << doublings) / 2;
            let own = expected_max_load(flows, links, 1);
            assert!((own - expected).abs() <= 0.005 + 1e-9, "{flows} on {links}: {own}");
        }
    }
    for (flows, pairs, links, leafs, expected) in [
        (16, 1, 16, 1, 3.08),
        (16, 4, 16, 1, 1.97),
        (16, 16, 16, 1, 1.46),
        (16, 1, 16, 32, 4.85),
        (16, 4, 16, 32, 2.73),
        (16, 16, 16, 32, 1.81),
        (32, 16, 64, 32, 1.20),
        (64, 16, 64, 32, 1.96),
    ] {
        let own = expected_max_load(flows * pairs, links, leafs) / pairs as f64;
        assert!((own - expected).abs() <= 0.005 + 1e-9, "{flows} x {pairs} on {links}: {own}");
    }
}

#[test]
fn flows_on_the_emptiest_uplink_differ_by_one_at_most() {
    let adaptive = |flows| UplinkBalance { by: LoadBalancing::Adaptive, flows };
    assert_eq!(adaptive(1).fullest_over_mean(16, 16, 9), 1.0);
    assert_eq!(adaptive(1).fullest_over_mean(17, 16, 9), 2.0 * 16.0 / 17.0);
    assert_eq!(adaptive(4).fullest_over_mean(17, 16, 9), 5.0 * 16.0 / 68.0);
    assert_eq!(UplinkBalance::SPRAY.fullest_over_mean(17, 16, 9), 1.0);
}

/// Replicas of a tensor group on 32 machines, half of them under one leaf switch.
fn leafs(node: &Node, uplinks: f64, balance: UplinkBalance) -> NetworkModel {
    let full = NetworkModel::non_blocking(node, &node.nic);
    NetworkModel { leaf_domains: Some(16), within_rail: uplinks / 16.0, balance, ..full }
}

/// Every one of 16 members sends to 16 beyond the border and to 15 on this side: 16·16 messages, the
/// bytes of 16·16/31 interfaces.
#[test]
fn the_clock_waits_for_the_fullest_uplink() {
    let node = &presets::preset_nodes()["dgx-h100"];
    let (gpu, other_layout) = (&node.gpu, layout(8, 32, 1));
    let other_layout = planner::parallel::Layout { zero: Zero::None, ..other_layout };
    let mut step = Step::new(&model(8), &training(&other_layout, 1), &framework(), &other_layout)
        .expect("a layout");
    for communication in &mut step.communications {
        communication.by = Algorithms::Direct;
    }
    let direct = Policy { flat: FlatAlgorithm::Direct, hierarchical: false, ..Policy::default() };
    assert_eq!(Policy::from(Algorithms::Direct), direct);
    let longest_in = |planes: u32, uplinks: f64, by, flows| {
        let network = NetworkModel { planes, ..leafs(node, uplinks, UplinkBalance { by, flows }) };
        let calls = Clock::new(gpu, &network, &framework()).assumed_call_times(&step);
        calls.iter().map(|call| call.time.get()).fold(0.0, f64::max)
    };
    let longest = |uplinks, by, flows| longest_in(1, uplinks, by, flows);
    let free = longest(16.0, LoadBalancing::Spray, 1);
    let at_rate = 16.0 * 16.0 / 31.0;
    for uplinks in [4_u32, 8, 12, 16] {
        let real = f64::from(uplinks);
        let over = |by, flows| longest(real, by, flows) / free;
        let near = |own: f64, expected: f64| {
            assert!((own / expected - 1.0).abs() < 1e-6, "{uplinks}: {own}, not {expected}");
        };
        near(over(LoadBalancing::Spray, 1), (at_rate / real).max(1.0));
        for flows in [1, 4] {
            // Two leaf switches on each of eight rails finish together.
            let all = 256 * u64::from(flows);
            let fullest = expected_max_load(all, uplinks, 16) / all as f64;
            near(over(LoadBalancing::Ecmp, flows), (at_rate * fullest).max(1.0));
            // In each plane the leaf switches draw for themselves, and the slowest of all is waited for.
            let fullest = expected_max_load(all, uplinks, 4 * 16) / all as f64;
            let in_planes = longest_in(4, real, LoadBalancing::Ecmp, flows) / free;
            near(in_planes, (at_rate * fullest).max(1.0));
            let fullest = all.div_ceil(uplinks.into()) as f64 / all as f64;
            near(over(LoadBalancing::Adaptive, flows), (at_rate * fullest).max(1.0));
            let in_planes = longest_in(4, real, LoadBalancing::Adaptive, flows) / free;
            near(in_planes, (at_rate * fullest).max(1.0));
        }
    }
}

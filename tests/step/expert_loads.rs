//! Unlike loads of experts: the fullest rank by putting tokens on ranks one by one, by drawing loads at
//! random, and by published expectations; and what the step makes of it.

use planner::parallel::Layout;
use planner::step::Step;
use planner::workload::{Model, Moe};

use crate::support::experts::even_experts;
use crate::support::job::{framework, layout, model, training};

const EXPERTS: u64 = 16;

fn moe() -> Moe {
    even_experts(EXPERTS, 2, 96)
}

/// Numerical Recipes' generator, so that the draws are those of every machine.
fn dice() -> impl FnMut() -> f64 {
    let mut state = 17_u64;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[test]
fn the_fullest_rank_is_the_one_to_which_most_tokens_go() {
    let loads: Vec<u32> = vec![9, 1, 1, 7, 3, 3, 0, 2, 12, 1, 5, 5, 4, 4, 4, 3];
    let stated = Moe { loads: loads.iter().map(|count| f64::from(*count)).collect(), ..moe() };
    for ranks in [1_u32, 2, 4, 8, 16] {
        // Every token by itself, to the rank of its expert.
        let mut tokens = vec![0_u32; ranks as usize];
        for (expert, load) in loads.iter().enumerate() {
            for _ in 0..*load {
                tokens[expert * ranks as usize / loads.len()] += 1;
            }
        }
        let mean = f64::from(tokens.iter().sum::<u32>()) / f64::from(ranks);
        let most = f64::from(tokens.into_iter().max().unwrap_or(0));
        let own = stated.max_over_mean_load(ranks);
        assert!((own - most / mean).abs() < 1e-12, "{ranks}: {own}");
    }
    // The unit says nothing.
    let scaled = Moe { loads: stated.loads.iter().map(|value| value * 1e6).collect(), ..moe() };
    assert!((scaled.max_over_mean_load(8) - stated.max_over_mean_load(8)).abs() < 1e-12);
}

/// Harter, Biometrika 48 (1961): expected maxima of n standard normal numbers.
#[test]
fn one_expert_a_rank_is_beyond_the_mean_by_published_order_statistics() {
    for (ranks, maximum) in
        [(2, 0.56419), (3, 0.84628), (5, 1.16296), (10, 1.53875), (100, 2.50759)]
    {
        let one_each = Moe { experts: ranks, load_deviation: 0.1, top_k: 1, ..moe() };
        let own = (one_each.max_over_mean_load(ranks as u32) - 1.0) / 0.1;
        assert!((own - maximum).abs() < 1e-5, "{ranks}: {own}");
    }
}

#[test]
fn drawn_loads_fill_the_fullest_rank_as_expected() {
    const DRAWS: u32 = 40_000;
    let mut dice = dice();
    // Box and Muller 1958.
    let mut normal = || {
        let radius = (-2.0 * (1.0 - dice()).ln()).sqrt();
        radius * (std::f64::consts::TAU * dice()).cos()
    };
    for (ranks, deviation) in [(2_u32, 0.1), (4, 0.3), (8, 0.2), (16, 0.3)] {
        let mut sum = 0.0;
        for _ in 0..DRAWS {
            let loads: Vec<f64> = (0..EXPERTS).map(|_| 1.0 + deviation * normal()).collect();
            let held = loads.len() / ranks as usize;
            let of_ranks =
                loads.chunks(held).map(|values| values.iter().sum::<f64>() / held as f64);
            sum += of_ranks.fold(f64::MIN, f64::max);
        }
        let own = Moe { load_deviation: deviation, ..moe() }.max_over_mean_load(ranks);
        let mean = sum / f64::from(DRAWS);
        assert!((own / mean - 1.0).abs() < 0.003, "{ranks}, {deviation}: {own}, not {mean}");
    }
}

#[test]
fn no_rank_receives_more_than_a_copy_for_each_of_its_experts() {
    let wild = Moe { load_deviation: 100.0, ..moe() };
    // Two experts a token: where a rank has one of 16, at most every other copy comes to it.
    assert_eq!(wild.max_over_mean_load(16), 8.0);
    assert_eq!(wild.max_over_mean_load(8), 8.0);
    assert_eq!(wild.max_over_mean_load(2), 2.0);
    assert_eq!(wild.max_over_mean_load(1), 1.0);
}

/// What is computed, sent and kept is that of a fullest rank of the same fullness.
#[test]
fn a_step_waits_for_the_fullest_rank() {
    let layout = Layout { expert: 4, ..layout(1, 4, 1) };
    let step = |moe: Moe| {
        let model = Model { moe: Some(moe), ..model(4) };
        Step::new(&model, &training(&layout, 1), &framework(), &layout).expect("a layout")
    };
    let mut loads = vec![1.0; EXPERTS as usize];
    loads[5] = 13.0;
    // Experts 4 to 7 have 16 of 28 tokens, and the mean of four ranks is 7.
    let fullest = 16.0 / 7.0;
    let stated = step(Moe { loads, ..moe() });
    assert_eq!(stated, step(Moe { capacity_factor: fullest, ..moe() }));
    assert_ne!(stated, step(moe()));
    assert_eq!(step(Moe { loads: vec![5.0; EXPERTS as usize], ..moe() }), step(moe()));
}

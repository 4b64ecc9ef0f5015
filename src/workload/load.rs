//! How many tokens the fullest rank with experts receives over the mean of all ranks: from loads that were
//! counted, or from how far they scatter (docs/equations.md §3.20). It moves no token.

use super::Moe;

/// Deviations beyond which a normal number is not looked for, and points for each deviation.
const FARTHEST: u32 = 8;
const POINTS: u32 = 128;

impl Moe {
    /// True where ranks with experts receive unlike numbers of tokens, as far as is stated.
    #[must_use]
    pub fn is_uneven(&self) -> bool {
        !self.loads.is_empty() || self.load_deviation > 0.0 || self.capacity_factor > 1.0
    }

    /// These experts, evenly loaded.
    #[must_use]
    pub fn evenly_loaded(&self) -> Self {
        Self { loads: Vec::new(), load_deviation: 0.0, capacity_factor: 1.0, ..self.clone() }
    }

    /// Tokens of the fullest of so many ranks over the mean of the ranks, which hold as many experts
    /// each, one after the other; 1 where loads are even, or one rank holds all experts.
    #[must_use]
    pub fn max_over_mean_load(&self, ranks: u32) -> f64 {
        let ranks = ranks.max(1);
        let stated = if !self.loads.is_empty() {
            fullest_rank_load(&self.loads, ranks)
        } else if self.load_deviation > 0.0 {
            self.expected_fullest_load(ranks)
        } else {
            1.0
        };
        stated * self.capacity_factor
    }

    /// Loads of experts as independent normal numbers about their mean: the expected maximum of the
    /// ranks' means. No rank receives more than one copy of a token for each of its experts.
    fn expected_fullest_load(&self, ranks: u32) -> f64 {
        let held = (self.experts as f64 / f64::from(ranks)).max(1.0);
        let all = f64::from(ranks) * (held / self.top_k.max(1) as f64).min(1.0);
        let beyond = self.load_deviation / held.sqrt() * expected_maximum(ranks);
        (1.0 + beyond).min(all.max(1.0))
    }
}

/// The fullest of so many ranks by the loads of all experts.
fn fullest_rank_load(loads: &[f64], ranks: u32) -> f64 {
    let held = loads.len().div_ceil(ranks as usize).max(1);
    let all: f64 = loads.iter().sum();
    let of_ranks = loads.chunks(held).map(|values| values.iter().sum::<f64>());
    let fullest = of_ranks.fold(0.0, f64::max);
    if all > 0.0 { fullest * f64::from(ranks) / all } else { 1.0 }
}

/// Expected maximum of so many independent normal numbers of mean 0 and deviation 1: with Φ their
/// distribution, ∫₀^∞ 1 − Φⁿ − (1 − Φ)ⁿ. The integrand is flat at both ends, so that the trapezoid rule is
/// exact to many digits; Φ is summed up by Simpson's rule on the way.
fn expected_maximum(count: u32) -> f64 {
    let count = f64::from(count);
    let density = |x: f64| (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
    let width = 1.0 / f64::from(POINTS);
    let height = |below: f64| 1.0 - below.powf(count) - (1.0 - below).max(0.0).powf(count);
    let (mut below, mut area) = (0.5, height(0.5) / 2.0);
    for point in 1..=FARTHEST * POINTS {
        let to = f64::from(point) * width;
        let mean = density(to - width) + 4.0 * density(to - width / 2.0) + density(to);
        below = f64::min(below + mean * width / 6.0, 1.0);
        area += height(below);
    }
    area * width
}

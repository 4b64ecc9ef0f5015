//! Pieces that are down or asked for at once, where failures come independently: Poisson, as by
//! Palm's theorem for any distribution of repair times (docs/equations.md §11.3, §9.7). Each answer
//! takes a number of terms that grows with the square root of the mean, whatever the fleet.

use std::f64::consts::PI;

/// Probability that at most `count` events happen where `mean` are expected. 1 for a mean of 0.
#[must_use]
pub fn poisson_cdf(count: u64, mean: f64) -> f64 {
    if mean.is_nan() || mean <= 0.0 {
        return 1.0;
    }
    if mean > COUNTED {
        return if count >= far_above(mean) { 1.0 } else { 0.0 };
    }
    if (count as f64) < mean { lower_tail(count, mean) } else { 1.0 - upper_tail(count, mean) }
}

/// The fewest pieces that suffice with probability `share` where `mean` are asked for; a share
/// of 1 or more counts as all but one in 10¹².
///
/// No pieces where none are asked for, or for a share of 0. Ten standard deviations more than asked
/// for where more than 10¹³ are: no fleet has as many.
#[must_use]
pub fn poisson_quantile(mean: f64, share: f64) -> u64 {
    const NEVER_SURE: f64 = 1.0 - 1e-12;
    if mean.is_nan() || mean <= 0.0 {
        return 0;
    }
    if mean > COUNTED {
        return far_above(mean);
    }
    let share = share.min(NEVER_SURE);
    // Each tail is compared by itself, so that no digits are lost near 1.
    let enough = |count: u64| {
        if (count as f64) < mean {
            lower_tail(count, mean) >= share
        } else {
            upper_tail(count, mean) <= 1.0 - share
        }
    };
    // From the mean on in growing steps to either side of the answer.
    let start = mean.floor() as u64;
    let mut step = mean.sqrt().ceil() as u64;
    let (mut short, mut long) = if enough(start) { (None, start) } else { (Some(start), start) };
    while short.is_some() && !enough(long) {
        short = Some(long);
        long = long.saturating_add(step);
        step = step.saturating_mul(2);
    }
    while short.is_none() && long > 0 {
        let below = long.saturating_sub(step);
        step = step.saturating_mul(2);
        if enough(below) { long = below } else { short = Some(below) }
    }
    let Some(mut short) = short else { return 0 };
    while long - short > 1 {
        let middle = short.midpoint(long);
        if enough(middle) { long = middle } else { short = middle }
    }
    long
}

/// Largest mean whose terms are summed: a few million terms.
const COUNTED: f64 = 1e13;

/// Ten standard deviations above the mean: no share is missing there but by rounding.
fn far_above(mean: f64) -> u64 {
    (mean + 10.0 * mean.sqrt() + 30.0).ceil() as u64
}

/// P(X ≤ count) below the mean: the last term, and those before it as shares of it, largest first.
fn lower_tail(count: u64, mean: f64) -> f64 {
    let ratios = (0..count).map(|before| (count - before) as f64 / mean);
    poisson_term(count, mean) * sum_of_products(ratios)
}

/// P(X > count) from the mean on, likewise: the first term beyond, and those after it.
fn upper_tail(count: u64, mean: f64) -> f64 {
    let first = count.saturating_add(1);
    let ratios = (1..).map(|after: u64| mean / (first as f64 + after as f64));
    poisson_term(first, mean) * sum_of_products(ratios)
}

/// 1 + r₁ + r₁·r₂ + …, up to what a sum no longer notices; every ratio is below 1.
fn sum_of_products(ratios: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut product) = (1.0, 1.0);
    for ratio in ratios {
        product *= ratio;
        sum += product;
        // All that follow are at most a geometric series.
        if product < sum * (1.0 - ratio) * f64::EPSILON / 4.0 {
            break;
        }
    }
    sum
}

/// P(X = count): e^−(δ(k) + D(k, m)) / √(2πk), with Stirling's error δ and deviance D, so that no
/// large logarithms cancel (C. Loader, Fast and Accurate Computation of Binomial Probabilities,
/// 2000). Of no events e^−m.
fn poisson_term(count: u64, mean: f64) -> f64 {
    if count == 0 {
        return (-mean).exp();
    }
    let k = count as f64;
    (-stirling_error(count) - deviance(k, mean)).exp() / (2.0 * PI * k).sqrt()
}

/// δ(k) = ln k! − ln(√(2πk)·(k/e)^k): summed for small k, else the first terms of its series.
fn stirling_error(count: u64) -> f64 {
    /// From here on the first term left out is below 10⁻¹⁶.
    const LARGE: u64 = 32;
    let k = count as f64;
    if count < LARGE {
        let factorial: f64 = (2..=count).map(|factor| (factor as f64).ln()).sum();
        return factorial - (k + 0.5) * k.ln() + k - 0.5 * (2.0 * PI).ln();
    }
    let square = k * k;
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / (1680.0 * square)) / square) / square) / k
}

/// D(k, m) = k·ln(k/m) + m − k: near the mean by the series of the logarithm in (k − m)/(k + m),
/// whose first terms have cancelled.
fn deviance(k: f64, mean: f64) -> f64 {
    let (difference, sum) = (k - mean, k + mean);
    if difference.abs() >= 0.1 * sum {
        return k * (k / mean).ln() - difference;
    }
    let share = difference / sum;
    let mut total = difference * share;
    let mut power = 2.0 * k * share;
    for odd in (3..).step_by(2) {
        power *= share * share;
        let next = total + power / f64::from(odd);
        if next == total {
            break;
        }
        total = next;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::{poisson_cdf, poisson_quantile};

    /// The fewest that suffice and their share, term by term from none on: for means that e^−m can
    /// still be told for.
    fn plain(mean: f64, share: f64) -> (u64, f64) {
        let (mut term, mut count) = ((-mean).exp(), 0_u64);
        let mut sum = term;
        while sum < share {
            count += 1;
            term *= mean / count as f64;
            sum += term;
        }
        (count, sum)
    }

    #[test]
    fn small_means_agree_with_plain_summation() {
        for mean in [1e-9_f64, 0.01, 0.3, 0.999, 1.0, 4.74, 31.5, 32.0, 99.99, 301.6, 600.0] {
            for share in [0.0, 1e-6, 0.1, 0.5, 0.9, 0.99, 0.999_9, 1.0 - 1e-9] {
                let (count, sum) = plain(mean, share);
                assert_eq!(poisson_quantile(mean, share), count, "{mean}, {share}");
                let at = poisson_cdf(count, mean);
                assert!((at - sum).abs() <= 1e-12 * sum, "{mean}: {at} and {sum}");
            }
        }
    }

    /// Quantiles of the Poisson distribution by SciPy 1.17.1 (`scipy.stats.poisson.ppf`); the last
    /// by sums of 40 digits, where SciPy is one short.
    #[test]
    fn large_means_agree_with_a_library() {
        for (mean, share, count) in LIBRARY {
            assert_eq!(poisson_quantile(mean, share), count, "{mean}, {share}");
            assert!(poisson_cdf(count, mean) >= share, "{mean}");
            assert!(poisson_cdf(count - 1, mean) < share, "{mean}");
        }
    }

    /// Mean, share, quantile.
    const LIBRARY: [(f64, f64, u64); 12] = [
        (745.5, 0.99, 810),
        (1e3, 0.99, 1_074),
        (1e3, 0.999_999, 1_154),
        (12_274.0, 0.5, 12_274),
        (12_274.0, 0.99, 12_532),
        (54_321.5, 0.999_999, 55_433),
        (1e6, 0.99, 1_002_327),
        (1e6, 0.999_999, 1_004_757),
        (2.5e7, 0.95, 25_008_225),
        (3.3e8, 0.01, 329_957_741),
        (1.6e9, 0.99, 1_600_093_055),
        (1.6e9, 0.999_999, 1_600_190_141),
    ];

    /// Sums of the tails from either side meet, and no step is lost in between.
    #[test]
    fn shares_grow_with_the_count() {
        for mean in [0.5_f64, 20.0, 31.7, 1e4, 1e7] {
            let spread = mean.sqrt();
            let from = (mean - 3.0 * spread).max(0.0) as u64;
            let mut last = 0.0;
            for count in (from..).take((6.0 * spread) as usize + 5) {
                let share = poisson_cdf(count, mean);
                assert!(share > last && share <= 1.0, "{mean}: {count}");
                last = share;
            }
            assert!(last > 0.99);
        }
    }

    #[test]
    fn nothing_and_everything() {
        assert_eq!(poisson_quantile(0.0, 0.99), 0);
        assert_eq!(poisson_quantile(f64::NAN, 0.5), 0);
        assert_eq!(poisson_quantile(3.0, 0.0), 0);
        assert!(poisson_quantile(5.0, 1.0) > 20);
        assert_eq!(poisson_cdf(3, 0.0), 1.0);
        assert_eq!(poisson_cdf(0, f64::INFINITY), 0.0);
        assert_eq!(poisson_quantile(f64::INFINITY, 0.5), u64::MAX);
        assert!(poisson_quantile(1e15, 0.99) > 1_000_000_000_000_000);
    }
}

//! Pieces that are down or asked for at once, where failures come independently: Poisson, as by
//! Palm's theorem for any distribution of repair times (docs/equations.md §11.3, §9.7).

/// Probability that at most `count` events happen where `mean` are expected. 1 for a mean of 0.
#[must_use]
pub fn at_most(count: u64, mean: f64) -> f64 {
    if mean <= 0.0 {
        return 1.0;
    }
    if count as f64 >= far_above(mean) {
        return 1.0;
    }
    // In logarithms, as e^-mean underflows for large fleets.
    let mut term = -mean;
    let mut sum = term.exp();
    for k in 1..=count {
        term += mean.ln() - (k as f64).ln();
        sum += term.exp();
    }
    sum.min(1.0)
}

/// The fewest pieces that suffice with probability `share` where `mean` are asked for; a share
/// of 1 or more counts as all but one in 10¹². Ten standard deviations more than asked for where
/// more than a million are.
#[must_use]
pub fn standby(mean: f64, share: f64) -> u64 {
    const NEVER_SURE: f64 = 1.0 - 1e-12;
    if mean.is_nan() || mean <= 0.0 {
        return 0;
    }
    if mean > MANY {
        return far_above(mean) as u64;
    }
    let share = share.min(NEVER_SURE);
    let (mut term, mut count) = (-mean, 0_u64);
    let mut sum = term.exp();
    let most = far_above(mean) as u64;
    while sum < share && count < most {
        count += 1;
        term += mean.ln() - (count as f64).ln();
        sum += term.exp();
    }
    count
}

/// Beyond so many nobody counts one by one.
const MANY: f64 = 1e6;

/// Ten standard deviations above the mean: no share is missing there but by rounding.
fn far_above(mean: f64) -> f64 {
    (mean + 10.0 * mean.sqrt() + 30.0).ceil()
}

#[cfg(test)]
mod tests {
    use super::{at_most, standby};

    #[track_caller]
    fn case(mean: f64, share: f64, count: u64) {
        assert_eq!(standby(mean, share), count);
        assert!(at_most(count, mean) >= share);
        assert!(count == 0 || at_most(count - 1, mean) < share);
    }

    #[test]
    fn the_fewest_pieces_that_suffice() {
        case(0.0, 0.99, 0);
        case(1.0, 0.99, 4);
        case(4.74, 0.99, 10);
        case(1000.0, 0.99, 1074);
        assert_eq!(standby(f64::NAN, 0.5), 0);
        assert!(standby(5.0, 1.0) > 20);
    }
}

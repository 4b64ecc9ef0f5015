//! How many pieces to keep in store so that a failed one can be replaced at once. Counts pieces;
//! what they cost is the bill's business.

use crate::reliability::poisson_quantile;
use crate::units::Seconds;

/// Seconds of a year of 365 days.
const YEAR: f64 = 365.0 * Seconds::DAY.get();

/// The smallest stock S with P(Poisson(λ) ≤ S) ≥ `fill_rate`, where λ failures are expected among
/// `pieces` until a new piece has come (docs/equations.md §9.7).
///
/// No pieces, no failures or no lead time need none. A fill rate is below 1: certainty has no
/// finite stock.
#[must_use]
pub fn spare_stock(pieces: u64, failures_per_year: f64, lead: Seconds, fill_rate: f64) -> u64 {
    let expected = pieces as f64 * failures_per_year * lead.get() / YEAR;
    poisson_quantile(expected, fill_rate)
}

#[cfg(test)]
mod tests {
    use super::spare_stock;
    use crate::units::Seconds;

    const WEEKS_8: f64 = 8.0 * 7.0 * 86_400.0;

    #[track_caller]
    fn case(pieces: u64, failures: f64, fill_rate: f64, expected: u64) {
        assert_eq!(spare_stock(pieces, failures, Seconds::from_f64(WEEKS_8), fill_rate), expected);
    }

    /// Worked out by hand and with tables of the Poisson distribution.
    #[test]
    fn stocks_of_published_fleets() {
        case(640, 0.0061, 0.99, 3); // λ = 0.60
        case(384, 0.0061, 0.99, 2); // λ = 0.36
        case(98_304, 0.02, 0.99, 343); // λ = 301.6: λ + 2.33·√λ = 342.0
        case(65_536, 0.02, 0.99, 235); // λ = 201.1
        case(4_000_000, 0.02, 0.99, 12_532); // λ = 12,274: far beyond e^-746
    }

    #[test]
    fn nothing_to_fail_needs_no_stock() {
        case(0, 0.02, 0.99, 0);
        case(1_000, 0.0, 0.99, 0);
        assert_eq!(spare_stock(1_000, 0.02, Seconds::ZERO, 0.99), 0);
    }

    #[test]
    fn a_higher_fill_rate_and_a_larger_fleet_never_need_less() {
        let lead = Seconds::from_f64(WEEKS_8);
        let mut last = 0;
        for fill_rate in [0.5, 0.9, 0.99, 0.999, 0.999_999, 1.0 - 1e-12] {
            let stock = spare_stock(5_000, 0.02, lead, fill_rate);
            assert!(stock >= last, "{fill_rate}");
            last = stock;
        }
        assert!(spare_stock(10_000, 0.02, lead, 0.99) >= spare_stock(5_000, 0.02, lead, 0.99));
    }
}

//! Published rates of failure, each with its source. Estimates nothing.

use crate::units::Seconds;

/// Events per year of one piece, or of many together.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct PerYear(f64); // Invariant: finite and not negative.

/// Seconds of a mean year.
const YEAR_SECONDS: f64 = YEAR_DAYS * Seconds::DAY.get();
/// Days of a mean year.
const YEAR_DAYS: f64 = 365.25;
/// Months of a year.
const YEAR_MONTHS: f64 = 12.0;

impl PerYear {
    /// So many events a year; what is negative or no number counts as none.
    #[must_use]
    pub fn of(events: f64) -> Self {
        Self(if events.is_finite() { events.max(0.0) } else { 0.0 })
    }

    /// From a share of pieces that fail in a month.
    #[must_use]
    pub fn monthly(share: f64) -> Self {
        Self::of(share * YEAR_MONTHS)
    }

    /// Events that were seen among so many pieces over some days, per piece.
    #[must_use]
    pub fn seen(events: u32, pieces: u32, days: f64) -> Self {
        Self::of(f64::from(events) / f64::from(pieces.max(1)) / days * YEAR_DAYS)
    }

    /// Events a year.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// Of so many pieces together.
    #[must_use]
    pub fn times(self, pieces: u64) -> Self {
        Self::of(self.0 * pieces as f64)
    }

    /// Of both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self::of(self.0 + other.0)
    }

    /// Events that are expected in a time.
    #[must_use]
    pub fn during(self, time: Seconds) -> f64 {
        self.0 * time.get() / YEAR_SECONDS
    }

    /// Probability of at least one event in a time, where events are independent.
    #[must_use]
    pub fn chance(self, time: Seconds) -> f64 {
        -(-self.during(time)).exp_m1()
    }
}

/// What fails, and how often one piece of it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Faults of a GPU that ask for its replacement.
    pub gpu: PerYear,
    /// Interruptions by everything else, network apart, per GPU: software, hosts, storage.
    pub other: PerYear,
    /// Links, cable and transceivers together.
    pub link: PerYear,
    /// Switches.
    pub switch: PerYear,
}

impl Rates {
    /// Rates that were published.
    ///
    /// - GPUs and others: Llama 3 (arXiv 2407.21783, Table 5): 419 interruptions in 54 days on
    ///   16,384 H100; 148 of GPUs, 72 of their memory, 19 of their SRAM and 17 of their system
    ///   processors; 35 of switches and cables, which are counted by parts here instead.
    /// - Links and switches: Alibaba HPN (SIGCOMM 2024, doi 10.1145/3651890.3672265, §2): 0.057 %
    ///   of links between NIC and leaf and 0.051 % of leafs fail in a month; taken for all links
    ///   and switches.
    #[must_use]
    pub fn published() -> Self {
        const GPUS: u32 = 16_384;
        const DAYS: f64 = 54.0;
        const ALL: u32 = 419;
        const GPU: u32 = 148 + 72 + 19 + 17;
        const NETWORK: u32 = 35;
        const LINK_A_MONTH: f64 = 0.000_57;
        const SWITCH_A_MONTH: f64 = 0.000_51;
        Self {
            gpu: PerYear::seen(GPU, GPUS, DAYS),
            other: PerYear::seen(ALL - GPU - NETWORK, GPUS, DAYS),
            link: PerYear::monthly(LINK_A_MONTH),
            switch: PerYear::monthly(SWITCH_A_MONTH),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PerYear, Rates, Seconds};

    #[test]
    fn a_tenth_of_all_gpus_fail_in_a_year() {
        let rates = Rates::published();
        assert!((rates.gpu.get() - 0.1057).abs() < 1e-4);
        assert!((rates.gpu.times(16_384).get() - 1731.6).abs() < 0.5);
        assert!((rates.link.times(16_384).get() - 112.1).abs() < 0.1);
    }

    #[test]
    fn a_chance_never_exceeds_one() {
        let year = Seconds::of(super::YEAR_SECONDS);
        assert!((PerYear::of(1e6).chance(year) - 1.0).abs() < 1e-12);
        assert!((PerYear::of(0.01).chance(year) - 0.009_950).abs() < 1e-6);
        assert_eq!(PerYear::of(f64::NAN).get(), 0.0);
    }
}

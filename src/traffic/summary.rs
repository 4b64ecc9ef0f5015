//! The traffic matrix in a few numbers.

use crate::parallel::Locality;
use crate::step::TrafficKind;
use crate::units::Bytes;

/// Sums over the whole matrix of one step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrafficSummary {
    /// All bytes that any GPU sends.
    pub total: Bytes,
    /// Ordered pairs of different GPUs.
    pub pairs: u128,
    /// Pairs that carry nothing.
    pub idle_pairs: u128,
    /// Bytes by kind and locality: `by[kind as usize][locality as usize]`.
    by: [[Bytes; 3]; 5],
    /// The largest volume of any pair.
    pub largest_pair: Bytes,
}

impl TrafficSummary {
    /// Adds bytes of one kind and locality.
    pub fn add(&mut self, kind: TrafficKind, locality: Locality, bytes: Bytes) {
        self.by[kind as usize][locality as usize] += bytes;
        self.total += bytes;
    }

    /// Bytes of one kind.
    #[must_use]
    pub fn bytes_of_kind(&self, kind: TrafficKind) -> Bytes {
        self.by[kind as usize].into_iter().sum()
    }

    /// Bytes of one locality.
    #[must_use]
    pub fn bytes_of_locality(&self, locality: Locality) -> Bytes {
        self.by.iter().map(|row| row[locality as usize]).sum()
    }

    /// Bytes of one kind and locality.
    #[must_use]
    pub const fn bytes_at(&self, kind: TrafficKind, locality: Locality) -> Bytes {
        self.by[kind as usize][locality as usize]
    }

    /// Share of pairs that carry nothing; 0 where there is no pair.
    #[must_use]
    pub fn idle_share(&self) -> f64 {
        if self.pairs == 0 { 0.0 } else { self.idle_pairs as f64 / self.pairs as f64 }
    }
}

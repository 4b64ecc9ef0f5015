//! How pair volumes are distributed: exact, over all pairs at once.

use std::collections::BTreeMap;

use super::matrix::TrafficMatrix;
use super::overlay::overlay_patches;
use crate::units::Bytes;

/// How many ordered pairs carry how much. A step has few different volumes, so all are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distribution {
    volumes: BTreeMap<Bytes, u128>, // Invariant: no count is zero.
}

/// Pairs whose volume lies from `low` to before `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// Least volume: a power of two.
    pub low: Bytes,
    /// The next power of two.
    pub high: Bytes,
    /// Ordered pairs.
    pub pairs: u128,
}

impl Distribution {
    /// Pairs that carry anything.
    #[must_use]
    pub fn busy_pairs(&self) -> u128 {
        self.volumes.values().sum()
    }

    /// Every volume with its number of pairs, ascending.
    pub fn volumes_with_pairs(&self) -> impl Iterator<Item = (Bytes, u128)> {
        self.volumes.iter().map(|(bytes, pairs)| (*bytes, *pairs))
    }

    /// The least volume that at least `share` of the busy pairs do not exceed; 0.5 is the median.
    /// `None` where no pair is busy; shares beyond 0 to 1 count as the nearest end.
    #[must_use]
    pub fn volume_percentile(&self, share: f64) -> Option<Bytes> {
        let wanted = (self.busy_pairs() as f64 * share.clamp(0.0, 1.0)).ceil() as u128;
        let mut seen = 0;
        self.volumes
            .iter()
            .find(|(_, pairs)| {
                seen += **pairs;
                seen >= wanted
            })
            .or_else(|| self.volumes.last_key_value())
            .map(|(bytes, _)| *bytes)
    }

    /// Busy pairs by powers of two, ascending; empty bins between others are kept.
    #[must_use]
    pub fn histogram(&self) -> Vec<Bin> {
        let exponent = |bytes: &Bytes| bytes.count().ilog2();
        let (Some(first), Some(last)) = (self.volumes.keys().next(), self.volumes.keys().last())
        else {
            return Vec::new();
        };
        (exponent(first)..=exponent(last))
            .map(|power| {
                let low = Bytes::new(1 << power);
                let high = low + low;
                let pairs = self.volumes.range(low..high).map(|(_, pairs)| pairs).sum();
                Bin { low, high, pairs }
            })
            .collect()
    }
}

impl TrafficMatrix {
    /// How many pairs carry how much.
    #[must_use]
    pub fn volume_distribution(&self) -> Distribution {
        let mut volumes: BTreeMap<Bytes, u128> = BTreeMap::new();
        overlay_patches(self.patches(), self.placed_ranks().grid().digits(), |pairs, patches| {
            let bytes = patches.iter().map(|patch| patch.bytes).sum();
            *volumes.entry(bytes).or_default() += pairs;
        });
        Distribution { volumes }
    }
}

#[cfg(test)]
mod tests {
    use super::Distribution;
    use crate::units::bytes::Bytes;

    #[test]
    fn percentiles_and_bins_count_pairs() {
        let volumes = [(Bytes::new(3), 2), (Bytes::new(20), 6), (Bytes::new(21), 2)];
        let distribution = Distribution { volumes: volumes.into_iter().collect() };
        let percentiles =
            [0.0, 0.2, 0.5, 0.81, 1.0].map(|share| distribution.volume_percentile(share));
        assert_eq!(percentiles, [3, 3, 20, 21, 21].map(|bytes| Some(Bytes::new(bytes))));
        let pairs: Vec<u128> = distribution.histogram().iter().map(|bin| bin.pairs).collect();
        assert_eq!(pairs, [2, 0, 0, 8]);
        assert_eq!(Distribution::default().volume_percentile(0.5), None);
        assert_eq!(Distribution::default().histogram(), []);
    }
}

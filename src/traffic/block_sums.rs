//! Sums over blocks of GPUs; percentiles and histogram of pair volumes.

use std::collections::BTreeMap;

use super::border_crossing::BorderCrossing;
use super::matrix::{ByKind, TrafficMatrix};
use super::patch::Patch;
use super::patch_counts::{Localities, overlay_patches};
use crate::parallel::{Axis, Digit};
use crate::units::Bytes;

/// What GPUs are put together by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockAxis {
    /// Each for itself.
    Gpu,
    /// HB domain.
    Domain,
    /// Rail.
    Rail,
    /// Pipeline stage.
    Stage,
}

/// A square matrix of sums: bytes from one block of GPUs to another, by kind. Inside a block
/// counts too, so that the sum over all blocks is that of the matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    side: u32,
    merged: u32,
    sums: Vec<ByKind>, // Invariant: `side` rows of `side` columns.
}

impl Blocks {
    /// Blocks in a row.
    #[must_use]
    pub const fn blocks_per_side(&self) -> u32 {
        self.side
    }

    /// Neighbouring GPUs, domains, rails or stages that one block holds; the last block may hold
    /// fewer.
    #[must_use]
    pub const fn ids_per_block(&self) -> u32 {
        self.merged
    }

    /// Bytes from one block to another; nothing beyond the last.
    #[must_use]
    pub fn bytes_between(&self, from: u32, to: u32) -> ByKind {
        if from.max(to) >= self.side {
            return ByKind::default();
        }
        self.sums[(from as usize) * self.side as usize + to as usize]
    }

    fn new(keys: u32, most: u32) -> Self {
        let merged = keys.div_ceil(most.max(1)).max(1);
        let side = keys.div_ceil(merged);
        Self { side, merged, sums: vec![ByKind::default(); (side as usize).pow(2)] }
    }

    /// Adds the pairs of a patch between two keys.
    fn add_pairs(&mut self, from: u32, to: u32, patch: &Patch, pairs: u64) {
        let row = (from / self.merged) as usize;
        let cell = row * self.side as usize + (to / self.merged) as usize;
        self.sums[cell].add(patch.kind, patch.bytes * u128::from(pairs));
    }
}

impl TrafficMatrix {
    /// Sums by blocks, neighbours put together until there are at most `most` a side. Exact;
    /// the cost is that of the blocks times the matrix's patches.
    #[must_use]
    pub fn sum_by_blocks(&self, by: BlockAxis, most: u32) -> Blocks {
        let placement = self.placed_ranks().placement();
        let mut sums = match by {
            BlockAxis::Gpu => Blocks::new(self.rank_count(), most),
            BlockAxis::Domain => Blocks::new(placement.domains_for_ranks(self.rank_count()), most),
            BlockAxis::Rail => Blocks::new(placement.rails(), most),
            BlockAxis::Stage => Blocks::new(self.stage_count(), most),
        };
        match by {
            BlockAxis::Gpu => self.add_runs(&mut sums, 1),
            BlockAxis::Domain => self.add_runs(&mut sums, placement.used_gpus_per_domain()),
            BlockAxis::Rail => self.add_rails(&mut sums),
            BlockAxis::Stage => self.add_stages(&mut sums),
        }
        sums
    }

    /// Blocks of consecutive ranks, `unit` ranks to a key. A patch moves a block of sources onto
    /// at most two blocks of targets.
    fn add_runs(&self, sums: &mut Blocks, unit: u32) {
        let digits = self.placed_ranks().grid().digits();
        let size = i64::from(unit) * i64::from(sums.merged);
        for patch in self.patches() {
            let senders = BorderCrossing::from_patch(patch, 0, digits);
            let distance = senders.domain_distance();
            let below = |rank: i64| senders.senders_below(rank.max(0) as u64);
            for block in 0..i64::from(sums.side) {
                let (low, high) = (block * size, (block + 1) * size);
                let first = (low + distance).div_euclid(size);
                let cut = (first + 1) * size - distance; // the first source that hits the next
                for (target, low, high) in [(first, low, cut), (first + 1, cut, high)] {
                    let pairs = below(high) - below(low);
                    if pairs > 0 {
                        let merged = sums.merged;
                        sums.add_pairs(block as u32 * merged, target as u32 * merged, patch, pairs);
                    }
                }
            }
        }
    }

    fn add_rails(&self, sums: &mut Blocks) {
        let placement = self.placed_ranks().placement();
        let used = i64::from(placement.used_gpus_per_domain());
        let mut places = Localities::new(self.placed_ranks());
        for patch in self.patches() {
            let distance = patch.target_distance(self.placed_ranks().grid().digits());
            for (place, pairs) in places.sources_by_place(patch).into_iter().enumerate() {
                if pairs > 0 {
                    let target = (place as i64 + distance).rem_euclid(used) as u32;
                    let from = placement.rail_at(place as u32);
                    sums.add_pairs(from, placement.rail_at(target), patch, pairs);
                }
            }
        }
    }

    fn add_stages(&self, sums: &mut Blocks) {
        let digits = self.placed_ranks().grid().digits();
        let pipeline: Vec<(usize, &Digit)> =
            digits.iter().enumerate().filter(|(_, digit)| digit.axis == Axis::Pipeline).collect();
        for patch in self.patches() {
            let others = patch.sources.iter().zip(digits);
            let alike: u64 = others
                .filter(|(_, digit)| digit.axis != Axis::Pipeline)
                .map(|(values, _)| u64::from(values.value_count()))
                .product();
            for stage in 0..self.stage_count() {
                let (mut rest, mut weight, mut target) = (stage, 1, i64::from(stage));
                let mut sends = true;
                for (k, digit) in &pipeline {
                    sends &= patch.sources[*k].contains(rest % digit.size);
                    target += patch.delta[*k] * weight;
                    rest /= digit.size;
                    weight *= i64::from(digit.size);
                }
                if sends {
                    sums.add_pairs(stage, target as u32, patch, alike);
                }
            }
        }
    }
}

impl Blocks {
    /// The largest sum, and the smallest that is not zero; `None` where nothing is sent.
    #[must_use]
    pub fn sum_range(&self) -> Option<(Bytes, Bytes)> {
        let busy = || self.sums.iter().map(ByKind::total_bytes).filter(|sum| !sum.is_zero());
        Some((busy().min()?, busy().max()?))
    }
}

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
    use crate::units::quantity::Bytes;

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

//! Sums over blocks of GPUs: a matrix small enough to be drawn or printed, at any cluster size.

use super::crossing::BorderCrossing;
use super::matrix::{ByKind, TrafficMatrix};
use super::patch::Patch;
use super::residues::Localities;
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
    fn add(&mut self, (from, to): (u32, u32), patch: &Patch, pairs: u64) {
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
                        sums.add((block as u32 * merged, target as u32 * merged), patch, pairs);
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
                    let rails = (placement.rail_at(place as u32), placement.rail_at(target));
                    sums.add(rails, patch, pairs);
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
                    sums.add((stage, target as u32), patch, alike);
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

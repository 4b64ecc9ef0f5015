//! The channels that NCCL's search finds on a machine, and what each carries.

use super::constants::{Constants, constants_of};
use crate::hardware::NcclGeneration;

/// What the grid of rates that the search tries leaves of NVLink where it limits rings over several
/// domains (22 of 22.8 GB/s a channel), and where 32 heads of NVLS share it (20 of 21.8). Continuous,
/// so that a faster link is never slower.
const RINGS_OF_LINK: f64 = 704.0 * 71.0 / (720.0 * 72.0);
const HEADS_OF_LINK: f64 = 20.0 * 33.0 / 720.0;
/// Most channels that the search gives, and most heads of NVLS.
const MAX_CHANNELS: f64 = 32.0;
/// Ranks of a domain up to which NVLink's channels are those of an 8-GPU board.
const BOARD: u32 = 16;

/// The machines of a call, as NCCL's search sees them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NcclMachine {
    pub generation: NcclGeneration,
    /// Bandwidth of a rank into its HB domain, GB/s: 0.8 of NVLink's line rate.
    pub inside: f64,
    /// Bandwidth of the interfaces of a rank, GB/s: 0.96 of their line rate.
    pub across: f64,
    /// Whether the switches of a domain sum (NVLink SHARP).
    pub has_summing_switches: bool,
}

/// Channels of a graph, and what each carries, GB/s.
#[derive(Clone, Copy, Debug)]
pub(super) struct Channels {
    pub(super) count: f64,
    pub(super) rate: f64,
}

impl Channels {
    pub(super) fn total_rate(self) -> f64 {
        self.count * self.rate
    }
}

impl NcclMachine {
    /// Eight H100 with an interface of 400 Gb/s each, or a rack of Blackwell where more ranks of a
    /// domain take part: what algorithms are chosen on where no machine is known.
    #[must_use]
    pub const fn of_ranks_per_domain(ranks: u32) -> Self {
        if ranks > 8 {
            let generation = NcclGeneration::Blackwell;
            Self { generation, inside: 720.0, across: 48.0, has_summing_switches: true }
        } else {
            let generation = NcclGeneration::Hopper;
            Self { generation, inside: 360.0, across: 48.0, has_summing_switches: true }
        }
    }

    pub(super) const fn generation_constants(&self) -> &'static Constants {
        constants_of(self.generation)
    }

    /// Rings through so many ranks of each of several domains, or of one.
    pub(super) fn ring_channels(&self, ranks: u32, several: bool) -> Channels {
        let own = f64::from(ranks);
        if !several {
            let board = self.generation_constants().ring_channels;
            let count = if ranks > BOARD { MAX_CHANNELS } else { board };
            return Channels { count, rate: self.inside / count };
        }
        let count = own.min(MAX_CHANNELS);
        let interfaces = own * self.across;
        // Of n ranks of a domain n − 1 send inside.
        let links = self.inside * RINGS_OF_LINK * own / (own - 1.0).max(f64::MIN_POSITIVE);
        Channels { count, rate: interfaces.min(links) / count }
    }

    /// Trees: inside two nodes their chains may be as fast as NVLink.
    pub(super) fn tree_channels(&self, ranks: u32, nodes: u32) -> Channels {
        let rings = self.ring_channels(ranks, nodes > 1);
        if self.generation == NcclGeneration::Ampere && nodes == 2 && ranks > 1 {
            return Channels { rate: rings.rate.max(self.inside / rings.count), ..rings };
        }
        rings
    }

    /// NVLS among so many ranks of a domain: a head's link carries what all heads send, and its
    /// own.
    pub(super) fn nvls_channels(&self, ranks: u32) -> Channels {
        let heads = f64::from(ranks).min(MAX_CHANNELS);
        let left = if ranks > BOARD { HEADS_OF_LINK } else { 1.0 };
        let rate = self.inside * left / (heads + 1.0);
        Channels { count: heads, rate: rate.min(self.generation_constants().nvls_head) }
    }
}

//! The channels that NCCL's search finds on a machine, and what each carries.

use super::constants::{Constants, constants_of};
use crate::hardware::NcclGeneration;

/// Rates that the search tries for a channel, GB/s.
const CHANNEL_RATES: [f64; 17] = [
    96.0, 86.0, 80.0, 70.0, 60.0, 50.0, 48.0, 45.0, 42.0, 40.0, 30.0, 24.0, 22.0, 20.0, 18.0, 15.0,
    12.0,
];
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
    pub(super) fn total(self) -> f64 {
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

    pub(super) const fn constants(&self) -> &'static Constants {
        constants_of(self.generation)
    }

    /// Rings through so many ranks of each of several domains, or of one.
    pub(super) fn ring_channels(&self, ranks: u32, several: bool) -> Channels {
        let own = f64::from(ranks);
        if !several {
            let board = self.constants().ring_channels;
            let count = if ranks > BOARD { MAX_CHANNELS } else { board };
            return Channels { count, rate: self.inside / count };
        }
        let count = own.min(MAX_CHANNELS);
        let interfaces = own * self.across;
        // Of n ranks of a domain n − 1 send inside.
        let links = if ranks > 1 { self.inside * own / (own - 1.0) } else { f64::INFINITY };
        if interfaces <= links {
            return Channels { count, rate: interfaces / count };
        }
        Channels { count, rate: searched_rate(links / count) }
    }

    /// Trees: inside two nodes their chains may be as fast as NVLink.
    pub(super) fn tree_channels(&self, ranks: u32, nodes: u32) -> Channels {
        let rings = self.ring_channels(ranks, nodes > 1);
        if self.generation == NcclGeneration::Ampere && nodes == 2 && ranks > 1 {
            let inside = searched_rate(self.inside / rings.count);
            return Channels { rate: rings.rate.max(inside), ..rings };
        }
        rings
    }

    /// NVLS among so many ranks of a domain: a head's link carries what all heads send, and its
    /// own.
    pub(super) fn nvls_channels(&self, ranks: u32) -> Channels {
        let heads = f64::from(ranks).min(MAX_CHANNELS);
        Channels { count: heads, rate: searched_rate(self.inside / (heads + 1.0)) }
    }
}

/// The highest rate that the search tries and a link carries; below all of them what it carries.
fn searched_rate(link: f64) -> f64 {
    const ROUNDING: f64 = 1e-9;
    CHANNEL_RATES.into_iter().find(|rate| *rate <= link * (1.0 + ROUNDING)).unwrap_or(link)
}

//! Which algorithm NCCL runs: the least time by the cost model that its tuner has (NCCL 2.30.7,
//! `src/graph/tuning.cc`), for Hopper on hosts with one interface for each GPU. Not this planner's
//! clock: only the choice is taken from it.
//!
//! Left out: NVLS, whose bytes inside a domain are counted as a ring's; interfaces that offload
//! collectives. CollNet, which needs a plugin of the switches and is off by default, is weighed
//! against trees only.

use crate::units::{Bytes, Seconds};

/// NCCL's version whose constants these are.
pub const VERSION: &str = "2.30.7";

/// How the bytes of a call are carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NcclProtocol {
    /// Four bytes of data with four of flags.
    Ll,
    /// 120 bytes of data with eight of flags.
    Ll128,
    /// Plain buffers.
    Simple,
}

/// What it chooses between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TunerChoice {
    /// Rings through all ranks, one for each interface of a node.
    Ring,
    /// Double binary trees between nodes, chains inside, or NVLS inside (NVLSTree).
    Tree,
    /// Parallel aggregated trees: distances that double, the farthest first.
    Pat,
}

/// Bandwidth of a channel of the search graph of H100 nodes, GB/s.
const CHANNEL: f64 = 48.0;
/// Time that a network post takes at least on Intel hosts, µs; three times for plain buffers.
const POST: f64 = 1.0;
/// Most bandwidth of a channel in trees, GB/s, by nodes: 2, more.
const TREE: [f64; 2] = [41.4, 36.0];
const TREE_LL128: [f64; 2] = [36.7, 29.0];
const NVLS_TREE: [f64; 2] = [57.7, 45.5];
/// Most of a channel's ring in 128-byte lines, and of all rings in eight-byte words, GB/s.
const RING_LL128: f64 = 36.7;
const LL: [f64; 2] = [39.0, 20.4];
/// Share of its links that NVLS uses on Hopper.
const NVLS_EFFICIENCY: f64 = 0.85;
/// Latency over a plain ring's where many nodes keep it waiting.
const PLATEAU: f64 = 1.4;
/// Least bytes for each rank and channel for that.
const PLATEAU_BYTES: f64 = 64.0;
/// Share of bandwidth that trees reach by size, 64 B and its doublings.
const TREE_BY_SIZE: [[f64; 23]; 3] = [
    [
        1.0, 1.0, 1.0, 1.0, 0.9, 0.8, 0.7, 0.7, 0.7, 0.7, 0.6, 0.5, 0.4, 0.4, 0.5, 0.6, 0.7, 0.8,
        0.9, 1.0, 1.0, 1.0, 1.0,
    ],
    [
        1.0, 1.0, 1.0, 1.0, 1.0, 0.9, 0.8, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.8, 0.9,
        0.9, 0.9, 0.9, 1.0, 1.0,
    ],
    [
        0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.8, 0.7, 0.6, 0.6, 0.5, 0.5, 0.5, 0.5, 0.6, 0.7, 0.8,
        0.7, 0.7, 0.8, 0.9, 0.9,
    ],
];

impl NcclProtocol {
    const ALL: [Self; 3] = [Self::Ll, Self::Ll128, Self::Simple];

    /// Latencies of a call, a hop over NVLink and one over the network, µs: of rings, of trees.
    const fn latencies_in_micros(self) -> [[f64; 3]; 2] {
        match self {
            Self::Ll => [[6.6, 0.6, 2.7], [6.8, 0.6, 5.0]],
            Self::Ll128 => [[14.0, 1.9, 4.0], [14.0, 1.25, 8.5]],
            Self::Simple => [[8.4, 3.4, 14.0], [8.4, 4.0, 14.0]],
        }
    }
}

/// A group of as many ranks on each of several nodes, and what it is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TunerQuery {
    /// Ranks x on a node.
    pub inside: u32,
    /// Nodes y, at least 2.
    pub nodes: u32,
    /// An all-reduce, not one of its halves.
    pub both: bool,
    pub payload: Bytes,
}

impl TunerQuery {
    /// The algorithm of the least time.
    #[must_use]
    pub fn fastest_algorithm(&self) -> TunerChoice {
        self.fastest_candidate().0
    }

    /// True where sums by the switches between nodes (CollNet direct) take less than trees of any
    /// protocol: what NCCL's model finds best where `NCCL_COLLNET_ENABLE=1` and
    /// `NCCL_ALGO=allreduce:collnetdirect,tree` allow these two. Neither is a default of NCCL.
    #[must_use]
    pub fn prefers_switch_reduction(&self) -> bool {
        let trees = NcclProtocol::ALL.map(|protocol| self.tree_micros(protocol));
        self.both && self.collnet_micros() < trees.into_iter().fold(f64::INFINITY, f64::min)
    }

    fn fastest_candidate(&self) -> (TunerChoice, f64) {
        let mut best = (TunerChoice::Ring, f64::INFINITY);
        let mut weigh = |choice, micros: f64| {
            if micros < best.1 {
                best = (choice, micros);
            }
        };
        for protocol in NcclProtocol::ALL {
            weigh(TunerChoice::Ring, self.ring_micros(protocol));
            if self.both {
                weigh(TunerChoice::Tree, self.tree_micros(protocol));
            }
        }
        if self.both && self.inside > 1 {
            weigh(TunerChoice::Tree, self.nvls_tree());
        }
        if !self.both && self.inside == 1 {
            weigh(TunerChoice::Pat, self.pat_micros());
        }
        best
    }

    /// The least time by its model.
    #[must_use]
    pub fn min_time(&self) -> Seconds {
        Seconds::from_f64(self.fastest_candidate().1 * 1e-6)
    }

    fn payload_bytes(&self) -> f64 {
        self.payload.as_f64()
    }

    fn rank_count(&self) -> f64 {
        f64::from(self.inside) * f64::from(self.nodes)
    }

    /// One channel for each interface.
    fn channel_count(&self) -> f64 {
        f64::from(self.inside)
    }

    /// Hops that wait for each other, and those of them that leave a node.
    fn hop_counts(&self) -> (f64, f64) {
        let times = if self.both { 2.0 } else { 1.0 };
        (times * (self.rank_count() - 1.0), times * (f64::from(self.nodes) - 1.0))
    }

    /// Of limits for two nodes and for more.
    fn limit_by_nodes(&self, [two, more]: [f64; 2]) -> f64 {
        if self.nodes == 2 { two } else { more }
    }

    fn tree_levels(&self) -> f64 {
        f64::from(self.nodes.ilog2())
    }

    fn ring_micros(&self, protocol: NcclProtocol) -> f64 {
        let [[base, inside, across], [_, _, tree]] = protocol.latencies_in_micros();
        // Alone on its node, a rank hides no latency.
        let across = if self.inside == 1 { tree } else { across };
        let post = if protocol == NcclProtocol::Simple { 3.0 * POST } else { POST };
        let (steps, leaving) = self.hop_counts();
        let mut latency = base + (steps - leaving) * inside.max(post) + leaving * across;
        let bus = CHANNEL * self.channel_count();
        let bus = match protocol {
            NcclProtocol::Ll => (bus * 0.5).min(self.limit_by_nodes(LL)),
            NcclProtocol::Ll128 => (bus * 0.92).min(self.channel_count() * RING_LL128),
            NcclProtocol::Simple => bus,
        };
        let each = self.payload_bytes() / (self.channel_count() * self.rank_count());
        if protocol == NcclProtocol::Simple && self.both && each >= PLATEAU_BYTES {
            latency *= PLATEAU;
        }
        latency + transfer_micros(self.payload_bytes(), bus * self.rank_count() / steps)
    }

    fn tree_micros(&self, protocol: NcclProtocol) -> f64 {
        let [_, [base, inside, across]] = protocol.latencies_in_micros();
        let latency =
            base + 2.0 * ((f64::from(self.inside) - 1.0) * inside + self.tree_levels() * across);
        let bus = (CHANNEL * 0.92).min(self.limit_by_nodes(TREE)) * self.channel_count();
        let bus = match protocol {
            NcclProtocol::Ll => (bus / 3.8).min(self.limit_by_nodes(LL)),
            NcclProtocol::Ll128 => {
                (bus * 120.0 / 128.0).min(self.limit_by_nodes(TREE_LL128) * self.channel_count())
            }
            NcclProtocol::Simple => bus,
        };
        let doublings = (self.payload_bytes() / 64.0).max(1.0).log2() as usize;
        let share = TREE_BY_SIZE[protocol as usize].get(doublings).copied().unwrap_or(1.0);
        latency + transfer_micros(self.payload_bytes(), bus * 0.5 * share)
    }

    fn nvls_tree(&self) -> f64 {
        const INSIDE: f64 = 25.0;
        const ACROSS: f64 = 20.9;
        let channels = self.channel_count();
        let two = if self.nodes == 2 { 2.0 } else { 1.0 };
        let inside = CHANNEL * NVLS_EFFICIENCY * (channels - 1.0) / channels * 2.0;
        let channel = inside.min(CHANNEL * two).min(self.limit_by_nodes(NVLS_TREE));
        let latency = INSIDE + 2.0 * self.tree_levels() * ACROSS;
        latency
            + transfer_micros(
                self.payload_bytes(),
                channel * channels * self.rank_count() / self.hop_counts().0,
            )
    }

    /// Plain buffers only: a hop inside to the interface, one up the switches, and back. A rank
    /// alone on its node has no hop inside, and the model takes a tree's hop across for it.
    fn collnet_micros(&self) -> f64 {
        const INSIDE: f64 = 3.7;
        const EACH: f64 = 0.4;
        const ACROSS: f64 = 31.0;
        const EFFICIENCY: f64 = 0.85;
        let latency = match self.inside {
            0 | 1 => NcclProtocol::Simple.latencies_in_micros()[1][2],
            inside => 2.0 * (INSIDE + EACH * (f64::from(inside) - 1.0)) + ACROSS,
        };
        latency
            + transfer_micros(
                self.payload_bytes(),
                CHANNEL * self.channel_count() * 0.5 * EFFICIENCY,
            )
    }

    fn pat_micros(&self) -> f64 {
        const BASE: f64 = 8.0;
        const ACROSS: f64 = 14.0 / 3.5;
        const EACH: f64 = 2.8;
        const EFFICIENCY: f64 = 0.75;
        let latency = BASE + self.tree_levels() * ACROSS + self.rank_count() * EACH;
        latency + transfer_micros(self.payload_bytes(), CHANNEL * self.channel_count() * EFFICIENCY)
    }
}

/// Microseconds of so many bytes at so many GB/s.
fn transfer_micros(bytes: f64, rate: f64) -> f64 {
    bytes / (1000.0 * rate)
}

//! Constants of the cost model by GPU generation. Bandwidths in GB/s, latencies in µs.

use crate::hardware::NcclGeneration;

/// Time that a network post takes at least on Intel hosts; three times for plain buffers.
pub(super) const POST: f64 = 1.0;
/// Bandwidth of LL of all channels over two nodes, and over more, on Intel hosts.
pub(super) const LL_ACROSS: [f64; 2] = [39.0, 20.4];
/// Bytes for each rank and channel from which many nodes keep a ring waiting.
pub(super) const PLATEAU_BYTES: f64 = 64.0;
/// Share of their channels that trees use, and PAT.
pub(super) const TREE_SHARE: f64 = 0.92;
pub(super) const PAT_SHARE: f64 = 0.75;
/// Share of bandwidth that 128-byte lines carry on rings, on trees inside a node and across.
pub(super) const RING_LL128_SHARE: f64 = 0.92;
pub(super) const TREE_LL128_SHARE: [f64; 2] = [7.0 / 9.0, 120.0 / 128.0];
/// Share of bandwidth that trees reach by size, 64 B and its doublings, by protocol.
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

/// How the bytes of a call are carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NcclProtocol {
    /// Four bytes of data with four of flags.
    Ll,
    /// 120 bytes of data with eight of flags.
    Ll128,
    /// Plain buffers.
    Simple,
}

/// Latencies of a call, of a hop over NVLink and of one over the network.
#[derive(Clone, Copy, Debug)]
pub(super) struct Latencies {
    pub(super) base: f64,
    pub(super) inside: f64,
    pub(super) across: f64,
}

impl Latencies {
    const fn new(base: f64, inside: f64, across: f64) -> Self {
        Self { base, inside, across }
    }
}

impl NcclProtocol {
    /// All of them, in NCCL's order.
    pub const ALL: [Self; 3] = [Self::Ll, Self::Ll128, Self::Simple];

    pub(super) const fn ring_latencies(self) -> Latencies {
        match self {
            Self::Ll => Latencies::new(6.6, 0.6, 2.7),
            Self::Ll128 => Latencies::new(14.0, 1.9, 4.0),
            Self::Simple => Latencies::new(8.4, 3.4, 14.0),
        }
    }

    pub(super) const fn tree_latencies(self) -> Latencies {
        match self {
            Self::Ll => Latencies::new(6.8, 0.6, 5.0),
            Self::Ll128 => Latencies::new(14.0, 1.25, 8.5),
            Self::Simple => Latencies::new(8.4, 4.0, 14.0),
        }
    }

    /// Share of a tree's bandwidth that a message of so many bytes reaches; between two sizes of the
    /// table in proportion, where NCCL takes the smaller's and would have more bytes take less time.
    pub(super) fn tree_share(self, bytes: f64) -> f64 {
        let doublings = (bytes / 64.0).max(1.0).log2();
        let share = |place: usize| TREE_BY_SIZE[self as usize].get(place).copied().unwrap_or(1.0);
        let place = doublings as usize;
        (share(place + 1) - share(place)).mul_add(doublings.fract(), share(place))
    }
}

/// NVLS: sums by the switches of a domain.
pub(super) const NVLS: Latencies = Latencies::new(0.0, 25.0, 20.9);
/// Sums by the switches between domains (CollNet direct): to the interface, what each further rank
/// of the domain adds, up the switches and back.
pub(super) const COLLNET: Latencies = Latencies::new(3.7, 0.4, 31.0);
pub(super) const COLLNET_SHARE: f64 = 0.85;
pub(super) const PAT: Latencies = Latencies::new(8.0, 2.8, 14.0 / 3.5);

/// What a call takes beyond the model: its launch, and the filling of the pipeline of chunks, as
/// published tables of nccl-tests have them (docs/equations.md §4.8).
#[derive(Clone, Copy, Debug)]
pub(super) struct Filling {
    /// Before anything moves, µs.
    pub(super) start: f64,
    /// Of the geometric mean of latency and transfer.
    pub(super) share: f64,
    /// Bandwidth that is reached over the model's.
    pub(super) efficiency: f64,
}

impl Filling {
    const fn new(start: f64, share: f64, efficiency: f64) -> Self {
        Self { start, share, efficiency }
    }
}

/// Constants of a generation. Limits by nodes: 1, 2, more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constants {
    /// LL of all channels inside a domain.
    pub(super) ll_inside: f64,
    /// A channel's ring in 128-byte lines.
    pub(super) ring_ll128: f64,
    /// A channel's tree in 128-byte lines, and in plain buffers.
    pub(super) tree_ll128: [f64; 3],
    pub(super) tree_limits: [f64; 3],
    /// A channel of NVLSTree over two nodes, and over more.
    pub(super) nvls_tree: [f64; 2],
    /// Latency over a plain ring's where many nodes keep it waiting.
    pub(super) plateau: f64,
    /// Most that a head of NVLS carries, GB/s.
    pub(super) nvls_head: f64,
    /// Share of its links that NVLS uses; nothing where the GPU lacks it.
    pub(super) nvls: f64,
    /// Channels of a ring inside a domain.
    pub(super) ring_channels: f64,
    pub(super) ring_inside: Filling,
    pub(super) ring_across: Filling,
    pub(super) tree: Filling,
    pub(super) nvls_inside: Filling,
    pub(super) nvls_across: Filling,
    /// What all-to-alls reach on interfaces over the rate of rings. Sites differ
    /// (docs/equations.md §4.8).
    pub(super) exchange_across: f64,
}

/// Of trees from Hopper on, and of sums by the switches between domains.
pub(super) const TREE_FILLING: Filling = Filling::new(13.0, 0.45, 1.0);

/// Of all-to-alls in one domain, and over several: tables of 8 and of 16 B200. What links reach of the
/// model's bandwidth is by generation.
pub(super) const EXCHANGE_INSIDE: Filling = Filling::new(12.0, 1.1, 1.0);
pub(super) const EXCHANGE_ACROSS: Filling = Filling::new(37.0, 0.5, 1.0);

const VOLTA: Constants = Constants {
    ll_inside: 39.0,
    ring_ll128: 20.0,
    tree_ll128: [20.0; 3],
    tree_limits: [26.5, 18.5, 10.0],
    plateau: 1.9,
    ..AMPERE
};
const AMPERE: Constants = Constants {
    ll_inside: 87.7,
    ring_ll128: 20.0,
    tree_ll128: [20.0; 3],
    tree_limits: [24.0, 23.6, 17.8],
    nvls_tree: [0.0; 2],
    plateau: 1.4,
    nvls_head: 40.0,
    nvls: 0.0,
    ring_channels: 12.0,
    ring_inside: Filling::new(5.0, 0.1, 0.98),
    // No public table has the sizes in which chunks count: as on Blackwell.
    ring_across: Filling::new(13.0, 1.0, 1.0),
    tree: Filling::new(13.0, 1.0, 1.0),
    nvls_inside: Filling::new(5.0, 0.8, 1.03),
    nvls_across: Filling::new(13.0, 0.65, 1.05),
    // No public table: as rings do, which steps on four machines of H100 bear out.
    exchange_across: 1.0,
};
const HOPPER: Constants = Constants {
    ll_inside: 141.0,
    ring_ll128: 36.7,
    tree_ll128: [36.7, 36.7, 29.0],
    tree_limits: [38.7, 41.4, 36.0],
    nvls_tree: [57.7, 45.5],
    nvls_head: 60.0,
    nvls: 0.85,
    ring_across: Filling::new(13.0, 0.45, 1.0),
    tree: TREE_FILLING,
    ..AMPERE
};
const BLACKWELL: Constants = Constants {
    ll_inside: 282.0,
    ring_ll128: 40.0,
    tree_ll128: [55.6, 31.67, 20.0],
    tree_limits: [70.0, 42.8, 24.0],
    nvls_tree: [96.0, 80.0],
    plateau: 1.4,
    nvls_head: 90.0,
    nvls: 0.74,
    ring_channels: 16.0,
    ring_inside: Filling::new(5.0, 0.1, 0.94),
    ring_across: Filling::new(13.0, 1.0, 0.86),
    tree: TREE_FILLING,
    nvls_inside: Filling::new(5.0, 1.7, 1.05),
    nvls_across: Filling::new(13.0, 1.4, 1.0),
    // 0.75 of the line rate: one table of 16 B200 whose NCCL was tuned for messages.
    exchange_across: 0.75 / 0.96,
};
/// AMD's fork has tables of its own, which are not restated here: rings and trees with the limits of
/// Hopper, which tables of MI300X bear out at 1 GiB and more; nothing below is known.
const RCCL: Constants = Constants { nvls: 0.0, ..HOPPER };

pub(super) const fn constants_of(generation: NcclGeneration) -> &'static Constants {
    match generation {
        NcclGeneration::Volta => &VOLTA,
        NcclGeneration::Ampere => &AMPERE,
        NcclGeneration::Hopper => &HOPPER,
        NcclGeneration::Blackwell => &BLACKWELL,
        NcclGeneration::Rccl => &RCCL,
    }
}

//! Algorithms and protocols that NCCL weighs for a call, with latency and transfer of each.

use super::constants::{
    COLLNET, COLLNET_SHARE, Filling, LL_ACROSS, NVLS, NcclProtocol, PAT, PAT_SHARE, PLATEAU_BYTES,
    POST, RING_LL128_SHARE, TREE_FILLING, TREE_LL128_SHARE, TREE_SHARE,
};
use super::graph::NcclMachine;
use crate::units::{Bytes, Seconds};

/// What it chooses between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NcclAlgorithm {
    /// Rings through all ranks, one for each interface of a domain.
    Ring,
    /// Double binary trees between domains, chains inside.
    Tree,
    /// All-reduce inside a domain by its switches.
    Nvls,
    /// Double binary trees between domains, the switches of a domain inside.
    NvlsTree,
    /// Parallel aggregated trees: distances that double, the farthest first.
    Pat,
    /// Sums by the switches between domains (CollNet direct).
    SwitchSums,
}

/// A group of as many ranks in each of its HB domains, and what it is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NcclCall {
    /// Ranks x of a domain.
    pub inside: u32,
    /// Domains y.
    pub nodes: u32,
    /// An all-reduce, not one of its halves.
    pub both: bool,
    /// The whole vector.
    pub payload: Bytes,
}

/// One way to run a call.
#[derive(Clone, Copy, Debug)]
pub struct NcclCandidate {
    pub algorithm: NcclAlgorithm,
    pub protocol: NcclProtocol,
    /// µs.
    latency: f64,
    /// µs, as NCCL's model has it.
    transfer: f64,
    filling: Filling,
    /// µs that each domain of many ranks adds.
    rack: f64,
}

/// The ways to run a call on one kind of machine, in NCCL's order.
#[derive(Clone, Copy, Debug)]
pub struct NcclCandidates {
    machine: NcclMachine,
    ways: [NcclCandidate; Self::MOST],
    count: usize,
}

impl NcclCandidates {
    /// Rings and trees in three protocols, and sums by the switches of a domain.
    const MOST: usize = 7;

    const fn from_single(machine: &NcclMachine, way: NcclCandidate) -> Self {
        Self { machine: *machine, ways: [way; Self::MOST], count: 1 }
    }

    const fn add_candidate(&mut self, way: NcclCandidate) {
        self.ways[self.count] = way;
        self.count += 1;
    }

    /// Whether they are for those machines.
    #[must_use]
    pub fn is_for_machine(&self, machine: &NcclMachine) -> bool {
        self.machine == *machine
    }

    /// The fastest way where the bytes between domains take `across` for themselves.
    #[must_use]
    pub fn fastest_candidate(&self, across: Seconds) -> &NcclCandidate {
        self.least_candidate(|way| way.call_time(across))
    }

    /// The first of the ways that take least; `time` is never below their latency.
    fn least_candidate(&self, time: impl Fn(&NcclCandidate) -> Seconds) -> &NcclCandidate {
        let [first, ..] = &self.ways;
        let (mut best, mut least) = (first, time(first));
        for next in &self.ways[1..self.count] {
            if from_micros(next.latency) < least {
                let own = time(next);
                if own < least {
                    (best, least) = (next, own);
                }
            }
        }
        best
    }
}

impl NcclCandidate {
    /// What NCCL's model says.
    #[must_use]
    pub fn modelled_time(&self) -> Seconds {
        from_micros(self.latency + self.transfer)
    }

    /// What it takes where nothing else keeps links busy and the bytes between domains take
    /// `across` for themselves. Start, latency and transfer, and the geometric mean of the last two:
    /// chunks fill the pipeline one after the other, small ones pay latencies, large ones the wait
    /// for the first.
    #[must_use]
    pub fn call_time(&self, across: Seconds) -> Seconds {
        let Filling { start, share, .. } = self.filling;
        let latency = self.latency + self.rack;
        let transfer = self.transfer_time(across).get() * 1e6;
        from_micros(share.mul_add((latency * transfer).sqrt(), start + latency + transfer))
    }

    /// Of that, while bytes move.
    #[must_use]
    pub fn transfer_time(&self, across: Seconds) -> Seconds {
        let Filling { efficiency, .. } = self.filling;
        let own = self.transfer / efficiency;
        from_micros(own.max(across.get() * 1e6 / efficiency.min(1.0)))
    }
}

impl NcclCall {
    /// A call of so many ranks over so many domains.
    #[must_use]
    pub fn of_ranks(ranks: u32, nodes: u32, both: bool, payload: Bytes) -> Self {
        Self { inside: ranks / nodes.max(1), nodes, both, payload }
    }

    /// The algorithm of the least time by NCCL's model, on the machines that bytes are named for.
    #[must_use]
    pub fn tuned_algorithm(&self) -> NcclAlgorithm {
        let machine = NcclMachine::of_ranks_per_domain(self.inside);
        self.candidates_in_order(&machine).least_candidate(NcclCandidate::modelled_time).algorithm
    }

    /// The least time by NCCL's model.
    #[must_use]
    pub fn modelled_time(&self, machine: &NcclMachine) -> Seconds {
        self.candidates_in_order(machine)
            .least_candidate(NcclCandidate::modelled_time)
            .modelled_time()
    }

    /// True where sums by the switches between domains take less than trees of any protocol: what
    /// NCCL's model finds best where `NCCL_COLLNET_ENABLE=1` and
    /// `NCCL_ALGO=allreduce:collnetdirect,tree` allow these two. Neither is a default of NCCL. On the
    /// machines that bytes are named for.
    #[must_use]
    pub fn prefers_switch_sums(&self) -> bool {
        let machine = NcclMachine::of_ranks_per_domain(self.inside);
        let tree = |protocol| self.tree_candidate(&machine, protocol).modelled_time();
        let sums = self.switch_sums_candidate(&machine).modelled_time();
        self.both && NcclProtocol::ALL.map(tree).into_iter().all(|tree| sums < tree)
    }

    /// All ways that NCCL weighs, in its order.
    #[must_use]
    pub fn candidates_in_order(&self, machine: &NcclMachine) -> NcclCandidates {
        let mut all =
            NcclCandidates::from_single(machine, self.ring_candidate(machine, NcclProtocol::Ll));
        for protocol in [NcclProtocol::Ll128, NcclProtocol::Simple] {
            all.add_candidate(self.ring_candidate(machine, protocol));
        }
        if self.both && self.nodes > 1 {
            for protocol in NcclProtocol::ALL {
                all.add_candidate(self.tree_candidate(machine, protocol));
            }
        }
        let sums = self.both && self.inside > 1 && machine.has_summing_switches;
        if sums && machine.generation_constants().nvls > 0.0 {
            all.add_candidate(self.nvls_candidate(machine));
        }
        if !self.both && self.inside == 1 && self.nodes > 1 {
            all.add_candidate(self.pat_candidate(machine));
        }
        all
    }

    /// Sums by the switches between domains, as the only way.
    #[must_use]
    pub fn switch_sums(&self, machine: &NcclMachine) -> NcclCandidates {
        NcclCandidates::from_single(machine, self.switch_sums_candidate(machine))
    }

    fn payload_bytes(&self) -> f64 {
        self.payload.as_f64()
    }

    fn rank_count(&self) -> f64 {
        f64::from(self.inside) * f64::from(self.nodes)
    }

    /// Hops that wait for each other, and those of them that leave a domain.
    fn hop_counts(&self) -> (f64, f64) {
        let times = if self.both { 2.0 } else { 1.0 };
        let leaving = if self.nodes > 1 { f64::from(self.nodes) } else { 1.0 };
        (times * (self.rank_count() - 1.0), times * (leaving - 1.0))
    }

    /// Of limits for one domain, two, and more.
    fn limit_by_nodes(&self, limits: [f64; 3]) -> f64 {
        limits[self.nodes.clamp(1, 3) as usize - 1]
    }

    /// As that, of limits for two domains and for more.
    fn limit_across(&self, [two, more]: [f64; 2]) -> f64 {
        if self.nodes <= 2 { two } else { more }
    }

    fn tree_levels(&self) -> f64 {
        f64::from(self.nodes.max(1).ilog2())
    }

    /// A way of this call over several domains; `rate` is of the vector, GB/s.
    fn build_candidate(
        &self,
        algorithm: NcclAlgorithm,
        protocol: NcclProtocol,
        latency: f64,
        rate: f64,
        filling: Filling,
    ) -> NcclCandidate {
        /// Ranks of a domain up to which it is a board; what each rank beyond eight adds to a call
        /// over several racks; and the bandwidth that racks reach of that of boards (128 GB200 in
        /// two racks, one published table).
        const BOARD: u32 = 16;
        const EACH: f64 = 2.6;
        const REACHED: f64 = 0.95;
        let racks = self.nodes > 1 && self.inside > BOARD;
        let reached = if racks { REACHED } else { 1.0 };
        let filling = Filling { efficiency: filling.efficiency * reached, ..filling };
        let rack = if racks { EACH * f64::from(self.inside - 8) } else { 0.0 };
        let transfer = self.payload_bytes() / (1000.0 * rate.max(f64::MIN_POSITIVE));
        NcclCandidate { algorithm, protocol, latency, transfer, filling, rack }
    }

    fn ring_candidate(&self, machine: &NcclMachine, protocol: NcclProtocol) -> NcclCandidate {
        let own = machine.generation_constants();
        let several = self.nodes > 1;
        let hop = protocol.ring_latencies();
        // Alone in its domain, a rank hides no latency.
        let across = if self.inside == 1 { protocol.tree_latencies().across } else { hop.across };
        let post = if protocol == NcclProtocol::Simple { 3.0 * POST } else { POST };
        let (steps, leaving) = self.hop_counts();
        let inside = if several { hop.inside.max(post) } else { hop.inside };
        let mut latency = hop.base + (steps - leaving) * inside + leaving * across;
        let channels = machine.ring_channels(self.inside, several);
        let bus = match protocol {
            NcclProtocol::Ll => {
                let limit = if several { self.limit_across(LL_ACROSS) } else { own.ll_inside };
                (channels.total_rate() * 0.5).min(limit)
            }
            NcclProtocol::Ll128 => {
                (channels.total_rate() * RING_LL128_SHARE).min(channels.count * own.ring_ll128)
            }
            NcclProtocol::Simple => channels.total_rate(),
        };
        let each = self.payload_bytes() / (2.0 * channels.count * self.rank_count());
        if several && protocol == NcclProtocol::Simple && self.both && each >= PLATEAU_BYTES {
            latency *= own.plateau;
        }
        let filling = if several { own.ring_across } else { own.ring_inside };
        let rate = bus * self.rank_count() / steps.max(1.0);
        self.build_candidate(NcclAlgorithm::Ring, protocol, latency, rate, filling)
    }

    fn tree_candidate(&self, machine: &NcclMachine, protocol: NcclProtocol) -> NcclCandidate {
        let own = machine.generation_constants();
        let hop = protocol.tree_latencies();
        let latency = hop.base
            + 2.0 * ((f64::from(self.inside) - 1.0) * hop.inside + self.tree_levels() * hop.across);
        let channels = machine.tree_channels(self.inside, self.nodes);
        let bus =
            (channels.rate * TREE_SHARE).min(self.limit_by_nodes(own.tree_limits)) * channels.count;
        let bus = match protocol {
            NcclProtocol::Ll => (bus / 3.8).min(self.limit_across(LL_ACROSS)),
            NcclProtocol::Ll128 => (bus * TREE_LL128_SHARE[usize::from(self.nodes > 1)])
                .min(self.limit_by_nodes(own.tree_ll128) * channels.count),
            NcclProtocol::Simple => bus,
        };
        let rate = bus * 0.5 * protocol.tree_share(self.payload_bytes());
        self.build_candidate(NcclAlgorithm::Tree, protocol, latency, rate, own.tree)
    }

    /// Sums by the switches of a domain, and trees between several.
    fn nvls_candidate(&self, machine: &NcclMachine) -> NcclCandidate {
        let own = machine.generation_constants();
        let heads = machine.nvls_channels(self.inside);
        let inside = heads.rate * own.nvls * (heads.count - 1.0) / heads.count * 2.0;
        let (algorithm, channel, latency, filling) = if self.nodes > 1 {
            let interface = machine.across * f64::from(self.inside) / heads.count;
            let twice = if self.nodes == 2 { 2.0 } else { 1.0 };
            let channel = inside.min(interface * twice).min(self.limit_across(own.nvls_tree));
            let latency = NVLS.inside + 2.0 * self.tree_levels() * NVLS.across;
            (NcclAlgorithm::NvlsTree, channel, latency, own.nvls_across)
        } else {
            (NcclAlgorithm::Nvls, inside, NVLS.inside, own.nvls_inside)
        };
        let rate = channel * heads.count * self.rank_count() / self.hop_counts().0.max(1.0);
        self.build_candidate(algorithm, NcclProtocol::Simple, latency, rate, filling)
    }

    /// Plain buffers only: a hop inside to the interface, one up the switches, and back. A rank
    /// alone in its domain has no hop inside, and the model takes a tree's hop across for it.
    fn switch_sums_candidate(&self, machine: &NcclMachine) -> NcclCandidate {
        let latency = match self.inside {
            0 | 1 => NcclProtocol::Simple.tree_latencies().across,
            inside => {
                2.0 * COLLNET.inside.mul_add(f64::from(inside) - 1.0, COLLNET.base) + COLLNET.across
            }
        };
        let rate = machine.ring_channels(self.inside, true).total_rate() * 0.5 * COLLNET_SHARE;
        let algorithm = NcclAlgorithm::SwitchSums;
        self.build_candidate(algorithm, NcclProtocol::Simple, latency, rate, TREE_FILLING)
    }

    fn pat_candidate(&self, machine: &NcclMachine) -> NcclCandidate {
        let latency = PAT.base + self.tree_levels() * PAT.across + self.rank_count() * PAT.inside;
        let rate = machine.ring_channels(self.inside, true).total_rate() * PAT_SHARE;
        let filling = machine.generation_constants().ring_across;
        self.build_candidate(NcclAlgorithm::Pat, NcclProtocol::Simple, latency, rate, filling)
    }
}

fn from_micros(micros: f64) -> Seconds {
    Seconds::from_f64(micros * 1e-6)
}

//! Seconds of a reduction or gather by NCCL's cost model, on the network that it has.

use super::NetworkModel;
use super::call_volumes::RankVolumes;
use super::counted_volumes::TunedMembers;
use super::kernel::GpuClock;
use super::step_time::{CallTime, LinkBusyTime};
use crate::collective::nccl::{NcclCall, NcclCandidates, NcclExchange, NcclMachine};
use crate::collective::{GroupSpread, SwitchReduction};
use crate::hardware::{Calibration, Gpu, NcclGeneration};
use crate::parallel::{Group, Placed};
use crate::step::{Cadence, Collective, Communication, Operation};
use crate::units::{Bandwidth, Bytes, Seconds};

impl RankVolumes<'_> {
    /// Members in a domain and domains of the groups of a communication that NCCL's tuner decides
    /// on; `None` where something else does.
    pub(super) fn tuned_members(&self, communication: &Communication) -> Option<TunedMembers> {
        if let Some(known) = self.fixed_call(communication) {
            return known.tuned_members;
        }
        let reduces = matches!(
            communication.collective,
            Collective::AllReduce | Collective::ReduceScatter | Collective::AllGather
        );
        (reduces && self.algorithm_policy(communication).tuned)
            .then(|| members_and_domains(self.placed_ranks(), communication.group))
    }

    /// One call on a rank of `stage`, as if nothing else ran. `busy` is how long its bytes take of
    /// the links of the domain and of the interfaces, `forwarded` how long those that the domain
    /// forwards to another rail do. The levels are pipelined: the slowest one sets the pace.
    pub(super) fn nccl_call_time(
        &self,
        machine: &GpuClock<'_>,
        communication: &Communication,
        stage: usize,
        members: TunedMembers,
        busy: LinkBusyTime,
        forwarded: Seconds,
    ) -> CallTime {
        let constants = machine.calibration();
        let interfaces = self.interfaces_per_rank(communication);
        let on = nccl_machine(machine.nccl_generation(), constants, self.network, interfaces);
        let weigh = || self.nccl_candidates(&on, communication, stage, members);
        let known = self.fixed_call(communication).and_then(|call| call.candidates.get(stage));
        let known = known.map(|known| known.get_or_init(weigh));
        let count = communication.messages_per_call(stage) as f64;
        let across = busy.across.max(forwarded) * (1.0 / count);
        let fastest = match known {
            Some(known) if known.is_for_machine(&on) => *known.fastest_candidate(across),
            _ => *weigh().fastest_candidate(across),
        };
        let both = communication.collective == Collective::AllReduce;
        let passes = if both { 2.0 } else { 1.0 };
        let skew = wait_for_slowest_rank(constants, communication) * passes;
        let moving = fastest.transfer_time(across) * count;
        CallTime {
            time: (fastest.call_time(across) + skew) * count,
            busy: LinkBusyTime { inside: busy.inside.min(moving), across: busy.across },
        }
    }

    /// The ways that NCCL has for one message of a call.
    fn nccl_candidates(
        &self,
        on: &NcclMachine,
        communication: &Communication,
        stage: usize,
        TunedMembers { inside, nodes }: TunedMembers,
    ) -> NcclCandidates {
        let count = communication.messages_per_call(stage);
        let both = communication.collective == Collective::AllReduce;
        let payload = Bytes::new(communication.payload(stage).count().div_ceil(count.into()));
        let call = NcclCall { inside, nodes, both, payload };
        let sums = self.algorithm_policy(communication).sums == SwitchReduction::Across
            && nodes > 1
            && call.prefers_switch_sums();
        if sums { call.switch_sums(on) } else { call.candidates_in_order(on) }
    }
}

/// One all-to-all by NCCL, as if nothing else ran. `busy` is how long its bytes take of the links of
/// the domain, `forwarded` ones among them, and of the interfaces.
pub(super) fn nccl_exchange_time(
    machine: &GpuClock<'_>,
    communication: &Communication,
    stage: usize,
    busy: LinkBusyTime,
    forwarded: Seconds,
) -> CallTime {
    let count = communication.messages_per_call(stage) as f64;
    let exchange = NcclExchange {
        inside: (busy.inside - forwarded) / count,
        forwarded: forwarded / count,
        across: busy.across / count,
    };
    let skew = wait_for_slowest_rank(machine.calibration(), communication);
    CallTime { time: (exchange.call_time(machine.nccl_generation()) + skew) * count, busy }
}

/// Wait for the slowest rank in a pass of a call, where ranks wait inside a block.
pub(super) const fn wait_for_slowest_rank(
    constants: &Calibration,
    communication: &Communication,
) -> Seconds {
    match communication.cadence {
        Cadence::PerBlock { .. } => constants.collective_skew,
        _ => Seconds::ZERO,
    }
}

/// Time of a call that has machines on a full-bisection fabric to itself, so many interfaces a rank.
/// Of an all-to-all the payload is what a rank sends, itself included.
#[must_use]
pub fn measured_call_time(
    gpu: &Gpu,
    network: &NetworkModel,
    interfaces: f64,
    operation: Operation,
    call: &NcclCall,
) -> Seconds {
    let on = nccl_machine(gpu.nccl, &gpu.calibration, network, interfaces);
    if operation == Operation::AllToAll {
        let (inside, ranks) = (u128::from(call.inside), u128::from(call.inside * call.nodes));
        let share = call.payload.equal_share(ranks);
        let exchange = NcclExchange {
            inside: share * inside.saturating_sub(1) / Bandwidth::from_gigabytes(on.inside),
            forwarded: Seconds::ZERO,
            across: share * ranks.saturating_sub(inside) / Bandwidth::from_gigabytes(on.across),
        };
        return exchange.call_time(gpu.nccl);
    }
    call.candidates_in_order(&on).fastest_candidate(Seconds::ZERO).call_time(Seconds::ZERO)
}

fn nccl_machine(
    generation: NcclGeneration,
    constants: &Calibration,
    network: &NetworkModel,
    interfaces: f64,
) -> NcclMachine {
    let gigabytes = |rate: Bandwidth| rate.get() / 1e9;
    NcclMachine {
        generation,
        inside: gigabytes(network.hb * constants.hb_share),
        across: gigabytes(nccl_interface_rate(network.nic, constants) * interfaces),
        has_summing_switches: network.has_summing_switches,
    }
}

/// Share of the line rate that NCCL's search takes of an interface (48 of 50 GB/s), over the share
/// that whole steps reach where nobody states another (`nic_share`).
pub const CHANNELS_OVER_STEPS: f64 = 0.96 / 0.93;

/// What NCCL's channels take of an interface of that line rate.
pub(super) fn nccl_interface_rate(nic: Bandwidth, constants: &Calibration) -> Bandwidth {
    nic * (constants.nic_share * CHANNELS_OVER_STEPS).min(1.0)
}

/// Members of a group in a domain, and domains that it spans; where borders cut groups unevenly,
/// those of the first group, which starts at a border, in at least two.
fn members_and_domains(placed: &Placed, group: Group) -> TunedMembers {
    let spread = GroupSpread::spread_of_group(placed, group);
    let GroupSpread::Ragged { members } = spread else {
        let (inside, nodes) = spread.members_and_domains();
        return TunedMembers { inside, nodes };
    };
    let nodes = placed.domains_of_first_group(group).max(2);
    TunedMembers { inside: members.div_ceil(nodes), nodes }
}

//! Seconds of one communication on a network. Bytes and steps come from the collective
//! algorithms, constants from the GPU generation; nothing here counts a byte.

use super::NetworkModel;
use super::call_volumes::{RankVolumes, is_message};
use super::kernel::GpuClock;
use super::nccl_call::{nccl_exchange_time, nccl_interface_rate, wait_for_slowest_rank};
use super::step_time::{CallTime, LinkBusyTime};
use crate::collective::{CallVolumes, Policy};
use crate::parallel::share_by_spine;
use crate::step::{Collective, Communication};
use crate::units::{Bandwidth, Seconds};

/// What the clock takes for granted of the network in one call of a communication.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrantedCall {
    pub policy: Policy,
    /// Longest time over all stages of the bytes between domains, at full rate of all links.
    pub time: Seconds,
    /// Share of the bytes between rails that take a spine; the domain forwards the rest.
    pub straight: f64,
    /// Bytes of the fullest uplink of a leaf over the mean of its uplinks; 1 where nothing leaves
    /// one.
    pub fullest: f64,
}

impl RankVolumes<'_> {
    /// One call of a communication on a rank of `stage`, as if nothing else ran. Each of its
    /// messages starts by itself.
    ///
    /// What NCCL's tuner decides on takes what its cost model says, and its all-to-alls what tables of
    /// them say. Elsewhere starts, bytes inside the domain and bytes over the interfaces add up, as the
    /// levels of a hierarchical collective follow each other; an exchange of tokens and a flat ring
    /// pipeline them.
    pub(super) fn call_time(
        &self,
        machine: &GpuClock<'_>,
        communication: &Communication,
        stage: usize,
    ) -> CallTime {
        let volumes = self.call_volumes(communication, stage);
        if volumes.inside.is_zero() && volumes.across.is_zero() {
            return CallTime::default();
        }
        let constants = machine.calibration();
        let ideal = machine.has_ideal_rates();
        let tuned = self.tuned_members(communication).filter(|_| !ideal);
        let exchange = communication.collective == Collective::AllToAll;
        let hb_share = if ideal { 1.0 } else { constants.hb_share };
        let nic = match self.network.nic {
            nic if ideal => nic,
            nic if exchange || tuned.is_some() => nccl_interface_rate(nic, constants),
            nic => nic * constants.nic_share,
        };
        let straight = self.spine_share(communication, &volumes);
        let hb = self.network.hb * hb_share;
        let inside = self.inside_domain_time(&volumes, straight, hb);
        let across = self.across_domains_time(communication, &volumes, straight, nic)
            * self.correction_factor(communication);
        let busy = LinkBusyTime { inside, across };
        let forwarded = self.forwarded_time(&volumes, straight, hb);
        if let Some(members) = tuned {
            return self.nccl_call_time(machine, communication, stage, members, busy, forwarded);
        }
        if exchange && !ideal {
            return nccl_exchange_time(machine, communication, stage, busy, forwarded);
        }
        let bytes = self.time_of_bytes(communication, busy);
        let start = if ideal {
            Seconds::ZERO
        } else {
            start_latency(machine, communication, &volumes)
                * communication.messages_per_call(stage) as f64
        };
        CallTime { time: bytes + start, busy }
    }

    /// What [`RankVolumes::call_time`] takes for granted of the network in one call.
    pub(super) fn assumed_call_time(&self, communication: &Communication) -> GrantedCall {
        let mut granted = GrantedCall {
            policy: self.algorithm_policy(communication),
            time: Seconds::ZERO,
            straight: share_by_spine(self.network.across_rails, self.elsewhere),
            fullest: 1.0,
        };
        for stage in 0..self.step.stages.len() {
            if self.step.calls_per_step(communication, stage) == 0 {
                continue;
            }
            let volumes = self.call_volumes(communication, stage);
            let straight = self.spine_share(communication, &volumes);
            let time =
                self.across_domains_time(communication, &volumes, straight, self.network.nic);
            if time > granted.time {
                let leaf = self.network.leaf_domains;
                let fullest = |leaf| self.fullest_uplink(communication, leaf, 1.0);
                granted =
                    GrantedCall { time, straight, fullest: leaf.map_or(1.0, fullest), ..granted };
            }
        }
        granted
    }

    /// Time of the bytes inside domains: those that stay, and those that are forwarded there.
    fn inside_domain_time(&self, volumes: &CallVolumes, straight: f64, hb: Bandwidth) -> Seconds {
        volumes.inside / hb + self.forwarded_time(volumes, straight, hb)
    }

    /// Time that the domain takes to forward bytes to another rail.
    fn forwarded_time(&self, volumes: &CallVolumes, straight: f64, hb: Bandwidth) -> Seconds {
        volumes.across / hb * self.forwarded_share(volumes, straight)
    }

    /// Time of bytes that keep links so busy: both levels at once, or one after the other.
    fn time_of_bytes(&self, communication: &Communication, busy: LinkBusyTime) -> Seconds {
        if self.is_pipelined(communication) {
            busy.inside.max(busy.across)
        } else {
            busy.inside + busy.across
        }
    }

    /// Time of the bytes between domains. By symmetry where all domains are alike; elsewhere the
    /// fullest interface or leaf border of all stages' calls at once.
    fn across_domains_time(
        &self,
        communication: &Communication,
        volumes: &CallVolumes,
        straight: f64,
        nic: Bandwidth,
    ) -> Seconds {
        if volumes.across.is_zero() {
            return Seconds::ZERO;
        }
        let Some(loads) = self.interface_loads(communication) else {
            let nic = nic * self.interfaces_per_rank(communication);
            return volumes.across / nic * self.uplink_contention(communication, volumes, straight);
        };
        let NetworkModel { nics, domain, within_rail, .. } = *self.network;
        let each = (f64::from(nics) / f64::from(domain.max(1))).max(1.0);
        let leaf = self.network.leaf_domains.filter(|_| self.network.can_queue_at_leaf()).map_or(
            0.0,
            |leaf| {
                let uplinks = (within_rail * f64::from(leaf)).max(f64::MIN_POSITIVE);
                let most = self
                    .leaf_borders(communication, leaf, &loads)
                    .max_border_bytes(straight, self.has_shared_uplinks());
                most / uplinks * self.fullest_uplink(communication, leaf, 1.0)
            },
        );
        Seconds::from_f64(loads.max_nic_bytes(straight).max(leaf) / (nic * each).get())
    }

    /// Share of the bytes to other rails that take a spine, as far as there is one; or none, where
    /// uplinks are better left to what stays on its rail and the domain forwards everything.
    fn spine_share(&self, communication: &Communication, volumes: &CallVolumes) -> f64 {
        let NetworkModel { across_rails, forwards, .. } = *self.network;
        if !forwards {
            return 1.0;
        }
        let off_rail = off_rail(volumes);
        if off_rail <= 0.0 {
            return share_by_spine(across_rails, self.elsewhere);
        }
        let most = (across_rails / off_rail.max(self.elsewhere)).min(1.0);
        if most <= 0.0 || !self.network.can_queue_at_leaf() || !self.has_shared_uplinks() {
            return most;
        }
        let time = |straight: f64| {
            let inside = self.inside_domain_time(volumes, straight, self.network.hb);
            let across =
                self.across_domains_time(communication, volumes, straight, self.network.nic);
            self.time_of_bytes(communication, LinkBusyTime { inside, across })
        };
        if time(0.0) < time(most) { 0.0 } else { most }
    }

    /// True where what goes from rail to rail takes the uplinks of what stays on one.
    fn has_shared_uplinks(&self) -> bool {
        let NetworkModel { within_rail, across_rails, .. } = *self.network;
        (within_rail - across_rails).abs() <= JOINT * within_rail
    }

    /// Bytes that the HB domain forwards to another rail, over all that leave the domain: what the
    /// spine leaves of those to other rails (docs/equations.md §8.2).
    fn forwarded_share(&self, volumes: &CallVolumes, straight: f64) -> f64 {
        let off_rail = off_rail(volumes);
        (off_rail - straight * off_rail.max(self.elsewhere)).max(0.0)
    }

    /// Slowdown by a rail whose leafs have fewer uplinks than downlinks: flows over the border
    /// of a leaf over the flows that its uplinks carry (docs/equations.md §8.5), those that a spine
    /// takes from rail to rail among them.
    fn uplink_contention(
        &self,
        communication: &Communication,
        volumes: &CallVolumes,
        straight: f64,
    ) -> f64 {
        let Some(domains) = self.network.leaf_domains.filter(|_| self.network.can_queue_at_leaf())
        else {
            return 1.0;
        };
        let uplinks = self.network.within_rail * f64::from(domains);
        let by_spine = straight * off_rail(volumes);
        let along = self.leaf_cut(communication, domains) * (1.0 - by_spine);
        let from_rail_to_rail =
            if self.has_shared_uplinks() { by_spine * f64::from(domains) } else { 0.0 };
        let cut = along + from_rail_to_rail;
        let own = self.leaf_cut(communication, domains);
        let more = if own > 0.0 { cut / own } else { 1.0 };
        let cut = cut * self.fullest_uplink(communication, domains, more);
        if cut <= uplinks { 1.0 } else { cut / uplinks.max(f64::MIN_POSITIVE) }
    }
}

/// Relative rounding of a share of uplinks.
const JOINT: f64 = 1e-9;

/// Share of the bytes between domains whose receiver is on another rail.
fn off_rail(volumes: &CallVolumes) -> f64 {
    if volumes.off_rail.is_zero() {
        0.0
    } else {
        volumes.off_rail.as_f64() / volumes.across.as_f64()
    }
}

/// Latencies: the call of a message; or per pass of a collective its start, the wait for the
/// slowest rank where ranks wait inside a block, and each step of the algorithm.
fn start_latency(
    machine: &GpuClock<'_>,
    communication: &Communication,
    volumes: &CallVolumes,
) -> Seconds {
    let constants = machine.calibration();
    if is_message(communication) {
        return constants.message_start;
    }
    let passes = match communication.collective {
        Collective::AllReduce | Collective::EndsAllReduce => 2.0,
        _ => 1.0,
    };
    let skew = wait_for_slowest_rank(constants, communication);
    (constants.collective_start + skew) * passes
        + constants.collective_hop_hb * f64::from(volumes.steps_inside)
        + constants.collective_hop_nic * f64::from(volumes.steps_across)
}

//! Seconds of one communication on a network. Bytes and steps come from the collective
//! algorithms, constants from the GPU generation; nothing here counts a byte.

use std::sync::OnceLock;

use super::Network;
use super::call::{Busy, Call};
use super::cuts::Cuts;
use super::kernel::Machine;
use crate::collective::{Policy, Spread, Volumes, volumes};
use crate::parallel::{Placed, Placement};
use crate::step::{Cadence, Collective, Communication, Step};
use crate::traffic::LeafCuts;
use crate::units::Seconds;
use crate::workload::Framework;

/// A step's ranks on the domains of a network.
pub(super) struct Wires<'a> {
    network: &'a Network,
    step: &'a Step,
    placed: Placed,
    policy: Policy,
    single_ring: bool, // fully sharded parameters use one interface of a domain
    /// Leaf cut of each communication of the step, the same for all stages.
    cuts: Vec<OnceLock<f64>>,
    known: Option<&'a Cuts>,
    /// How many times as long the bytes between domains take, by communication; empty: as long.
    strain: &'a [f64],
}

impl<'a> Wires<'a> {
    /// Lays the ranks on domains such that tensor, expert and context groups stay whole.
    pub(super) fn new(
        network: &'a Network,
        step: &'a Step,
        framework: &Framework,
        known: Option<&'a Cuts>,
    ) -> Self {
        let placement = Placement::aligned(&step.grid, network.domain, network.nics);
        Self {
            network,
            step,
            placed: Placed::new(&step.grid, placement),
            policy: Policy::default(),
            single_ring: framework.single_ring_sharding,
            cuts: vec![OnceLock::new(); step.communications.len()],
            known,
            strain: &[],
        }
    }

    /// This clock where bytes between domains take so many times as long.
    pub(super) fn strained(self, strain: &'a [f64]) -> Self {
        Self { strain, ..self }
    }

    /// One call of a communication on a rank of `stage`, as if nothing else ran. Each of its
    /// messages starts by itself.
    ///
    /// Starts, bytes inside the domain and bytes over the interfaces add up, as the levels of a
    /// hierarchical collective follow each other; an exchange of tokens and a flat ring pipeline
    /// them.
    pub(super) fn call(
        &self,
        machine: &Machine<'_>,
        communication: &Communication,
        stage: usize,
    ) -> Call {
        let volumes = self.volumes(communication, stage);
        if volumes.inside.is_zero() && volumes.across.is_zero() {
            return Call::default();
        }
        let constants = machine.calibration();
        let (hb_share, nic_share) =
            if machine.is_ideal() { (1.0, 1.0) } else { (constants.hb_share, constants.nic_share) };
        let hb = self.network.hb * hb_share;
        let nic = self.network.nic * (nic_share * self.interfaces(communication));
        let inside = volumes.inside / hb + volumes.across / hb * self.forwarded(&volumes);
        let across = volumes.across / nic * self.contention(communication, &volumes);
        let across = across * self.strain(communication);
        let pipelined = matches!(communication.collective, Collective::TokenExchange { .. })
            || self.one_interface(communication)
            || self.is_ragged(communication);
        let bytes = if pipelined { inside.max(across) } else { inside + across };
        let start = if machine.is_ideal() {
            Seconds::ZERO
        } else {
            start(machine, communication, &volumes) * communication.messages(stage) as f64
        };
        Call { time: bytes + start, busy: Busy { inside, across } }
    }

    /// What [`Wires::call`] takes for granted of the network in one call, over all stages: the
    /// algorithms, and the time of the bytes between domains at full rate of all links.
    pub(super) fn granted(&self, communication: &Communication) -> (Policy, Seconds) {
        let policy = self.policy(communication);
        let nic = self.network.nic * self.interfaces(communication);
        let time = |stage: usize| {
            if self.step.calls(communication, stage) == 0 {
                return Seconds::ZERO;
            }
            let volumes = self.volumes(communication, stage);
            volumes.across / nic * self.contention(communication, &volumes)
        };
        let stages = 0..self.step.stages.len();
        (policy, stages.map(time).fold(Seconds::ZERO, Seconds::max))
    }

    /// What one call costs a rank of `stage`.
    pub(super) fn volumes(&self, communication: &Communication, stage: usize) -> Volumes {
        volumes(communication, stage, &self.placed, &self.policy(communication))
    }

    /// A flat ring for fully sharded parameters where the framework runs them so.
    fn policy(&self, communication: &Communication) -> Policy {
        Policy { hierarchical: !self.one_interface(communication), ..self.policy }
    }

    const fn one_interface(&self, communication: &Communication) -> bool {
        self.single_ring && matches!(communication.cadence, Cadence::PerMicroBatch { .. })
    }

    /// Interfaces that one rank has to itself while all ranks of its domain that send at the
    /// same time share them (AxoNN, arXiv 2502.08145, eq. 7). In a collective every member
    /// sends; in a shift only those whose neighbour is elsewhere.
    fn interfaces(&self, communication: &Communication) -> f64 {
        let ranks = f64::from(self.placed.placement().used());
        let nics = f64::from(self.network.nics);
        if self.one_interface(communication) {
            return 1.0;
        }
        let (inside, _) = Spread::of(&self.placed, communication.group).shape();
        // A ragged group runs flat rings, one over each rail that a domain's members sit on.
        let single = is_message(communication) || self.is_ragged(communication);
        let members = if single { 1 } else { inside };
        let stride = self
            .placed
            .grid()
            .group_digits(communication.group)
            .next()
            .map_or(1, |digit| digit.stride);
        let senders = (f64::from(stride) * f64::from(members)).min(ranks).max(1.0);
        let rails = if self.is_ragged(communication) { nics } else { (nics / ranks).max(1.0) };
        (nics / senders).min(rails)
    }

    /// A ring or gather whose members domain borders cut unevenly.
    fn is_ragged(&self, communication: &Communication) -> bool {
        let rings = matches!(
            communication.collective,
            Collective::AllReduce
                | Collective::ReduceScatter
                | Collective::AllGather
                | Collective::GatherEach { .. }
        );
        rings && matches!(Spread::of(&self.placed, communication.group), Spread::Ragged { .. })
    }

    /// Bytes that the HB domain forwards to another rail, over all that leave the domain: the
    /// spine takes a share σ of those (docs/equations.md §8.2).
    fn forwarded(&self, volumes: &Volumes) -> f64 {
        if volumes.off_rail.is_zero() {
            return 0.0;
        }
        let off_rail = volumes.off_rail.as_f64() / volumes.across.as_f64();
        (off_rail - self.network.across_rails).max(0.0)
    }

    /// Slowdown by a rail whose leafs have fewer uplinks than downlinks: flows over the border
    /// of a leaf over the flows that its uplinks carry (docs/equations.md §8.5).
    fn contention(&self, communication: &Communication, volumes: &Volumes) -> f64 {
        let Some(domains) = self.network.leaf_domains.filter(|_| !volumes.across.is_zero()) else {
            return 1.0;
        };
        let uplinks = self.network.within_rail * f64::from(domains);
        if !self.network.blocks() {
            return 1.0;
        }
        let cut = self.cut(communication, domains);
        if cut <= uplinks { 1.0 } else { cut / uplinks.max(f64::MIN_POSITIVE) }
    }
}

/// Flows over the border of a leaf, counted once for each communication of the step.
impl Wires<'_> {
    fn cut(&self, communication: &Communication, domains: u32) -> f64 {
        let policy = self.policy(communication);
        let crossings = || LeafCuts::new(self.step, communication, &self.placed, &policy);
        let Some(place) = self.place(communication) else {
            return crossings().at(domains);
        };
        *self.cuts[place].get_or_init(|| match self.known {
            Some(known) => known.of((place, policy.hierarchical), domains, crossings),
            None => crossings().at(domains),
        })
    }

    fn strain(&self, communication: &Communication) -> f64 {
        if self.strain.is_empty() {
            return 1.0;
        }
        let place = self.place(communication);
        place.and_then(|place| self.strain.get(place)).copied().unwrap_or(1.0)
    }

    /// Place of a communication among those of the step.
    fn place(&self, communication: &Communication) -> Option<usize> {
        self.step.communications.iter().position(|of| std::ptr::eq(of, communication))
    }
}

/// A message between pipeline stages, which the framework sends by a call of its own.
const fn is_message(communication: &Communication) -> bool {
    matches!(communication.cadence, Cadence::PerBoundary { .. })
}

/// Latencies: the call of a message; or per pass of a collective its start, the wait for the
/// slowest rank where ranks wait inside a block, and each step of the algorithm.
fn start(machine: &Machine<'_>, communication: &Communication, volumes: &Volumes) -> Seconds {
    let constants = machine.calibration();
    if is_message(communication) {
        return constants.message_start;
    }
    let passes = match communication.collective {
        Collective::AllReduce | Collective::EndsAllReduce => 2.0,
        _ => 1.0,
    };
    let skew = match communication.cadence {
        Cadence::PerBlock { .. } => constants.collective_skew,
        _ => Seconds::ZERO,
    };
    (constants.collective_start + skew) * passes
        + constants.collective_hop_hb * f64::from(volumes.steps_inside)
        + constants.collective_hop_nic * f64::from(volumes.steps_across)
}

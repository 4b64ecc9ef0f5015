//! A step's ranks on the domains of a network: the bytes of its communications, and what of them
//! crosses interfaces and leafs. No seconds.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::Network;
use super::counted::{Counted, CutsAtLeaf};
use super::known::{FixedCall, KnownCalls};
use crate::collective::{Algorithm, Policy, Spread, Sums, Volumes, volumes};
use crate::parallel::Placed;
use crate::step::{Cadence, Collective, Communication, Step};
use crate::traffic::{Borders, InterfaceLoads, LeafCuts};
use crate::workload::Framework;

/// What was computed before of a step.
#[derive(Clone, Copy)]
struct Known<'a> {
    counted: &'a Counted,
    calls: &'a KnownCalls,
}

/// A step's ranks on the domains of a network.
pub(super) struct Wires<'a> {
    pub(super) network: &'a Network,
    pub(super) step: &'a Step,
    placed: Cow<'a, Placed>,
    /// φ of the placement (docs/equations.md §8.2).
    pub(super) elsewhere: f64,
    single_ring: bool, // fully sharded parameters use one interface of a domain
    /// Leaf cut of each communication of the step, the same for all stages.
    cuts: CutsAtLeaf,
    /// What interfaces carry in each of them, where domain borders cut the ranks unevenly.
    loads: Vec<OnceLock<Option<Arc<InterfaceLoads>>>>,
    known: Option<Known<'a>>,
    /// How many times as long the bytes between domains take, by communication; empty: as long.
    strain: &'a [f64],
}

impl<'a> Wires<'a> {
    /// Lays the ranks on domains such that tensor, expert and context groups stay whole.
    pub(super) fn new(network: &'a Network, step: &'a Step, framework: &Framework) -> Self {
        let placement = network.placement(&step.grid);
        Self {
            network,
            step,
            placed: Cow::Owned(Placed::new(&step.grid, placement)),
            elsewhere: placement.elsewhere(),
            single_ring: framework.single_ring_sharding,
            cuts: Arc::new(vec![OnceLock::new(); step.communications.len()]),
            loads: vec![OnceLock::new(); step.communications.len()],
            known: None,
            strain: &[],
        }
    }

    /// As [`Wires::new`], with what is known of the step whatever its fabric.
    pub(super) fn knowing(
        network: &'a Network,
        step: &'a Step,
        framework: &Framework,
        counted: &'a Counted,
        calls: &'a KnownCalls,
    ) -> Self {
        let count = step.communications.len();
        Self {
            network,
            step,
            placed: Cow::Borrowed(&calls.placed),
            elsewhere: calls.elsewhere,
            single_ring: framework.single_ring_sharding,
            cuts: counted.at_leaf(network.leaf_domains.unwrap_or(0), count),
            loads: Vec::new(),
            known: Some(Known { counted, calls }),
            strain: &[],
        }
    }

    /// Its ranks on domains.
    pub(super) fn placed(&self) -> &Placed {
        &self.placed
    }

    /// What is known of a communication.
    fn fixed_call(&self, communication: &Communication) -> Option<&'a FixedCall> {
        self.known?.calls.calls.get(self.place(communication)?)
    }

    /// The wires where bytes between domains take so many times as long.
    pub(super) fn strained(self, strain: &'a [f64]) -> Self {
        Self { strain, ..self }
    }

    /// What one call costs a rank of `stage`.
    pub(super) fn volumes(&self, communication: &Communication, stage: usize) -> Volumes {
        if let Some(known) = self.fixed_call(communication).and_then(|of| of.volumes.get(stage)) {
            return *known;
        }
        volumes(communication, stage, &self.placed, &self.policy(communication))
    }

    /// What the communication names; a flat ring for fully sharded parameters where the framework
    /// runs them so.
    pub(super) fn policy(&self, communication: &Communication) -> Policy {
        if self.one_interface(communication) {
            return Policy { hierarchical: false, ..Policy::default() };
        }
        Policy::from(communication.by)
    }

    const fn one_interface(&self, communication: &Communication) -> bool {
        self.single_ring && matches!(communication.cadence, Cadence::PerMicroBatch { .. })
    }

    /// Interfaces that one rank has to itself while all ranks of its domain that send at the
    /// same time share them (AxoNN, arXiv 2502.08145, eq. 7). In a collective every member
    /// sends; in a shift only those whose neighbour is elsewhere.
    pub(super) fn interfaces(&self, communication: &Communication) -> f64 {
        if let Some(known) = self.fixed_call(communication) {
            return known.interfaces;
        }
        if self.one_interface(communication) {
            return 1.0;
        }
        let placement = self.placed.placement();
        let ranks = f64::from(placement.used());
        let nics = f64::from(self.network.nics);
        let domain = f64::from(self.network.domain.max(1));
        let senders = f64::from(self.neighbours_that_send(communication)).clamp(1.0, ranks);
        // Interfaces of idle GPUs carry nothing.
        if nics >= domain {
            return (nics / domain * ranks / senders).min(nics / domain);
        }
        if senders >= ranks {
            return 1.0 / f64::from(placement.sharing());
        }
        // They are neighbours, as at a border of the domain: so many rails are theirs.
        let last = placement.used() - 1;
        let first = last.saturating_sub(senders as u32 - 1);
        let rails = placement.rail_at(last) - placement.rail_at(first) + 1;
        (f64::from(rails) / senders).min(1.0)
    }

    /// Neighbouring ranks of a domain that send at the same time. Of a message those of one member of each group. In a
    /// collective those of all members inside, and whoever sits between them, as groups of other ranks run with theirs:
    /// of two pipeline stages in a domain both reduce their gradients over data and context.
    fn neighbours_that_send(&self, communication: &Communication) -> u32 {
        let (inside, _) = Spread::of(&self.placed, communication.group).shape();
        let mut members = if is_message(communication) { 1 } else { inside };
        let mut digits = self.placed.grid().group_digits(communication.group).peekable();
        while let Some(digit) = digits.next() {
            // A digit that is whole inside leaves the domain only over the next one.
            if members < digit.size || digits.peek().is_none() || is_message(communication) {
                return digit.stride.saturating_mul(members);
            }
            members /= digit.size;
        }
        members
    }

    /// Bytes inside and between domains at the same time, not one after the other.
    pub(super) fn is_pipelined(&self, communication: &Communication) -> bool {
        if let Some(known) = self.fixed_call(communication) {
            return known.pipelined;
        }
        matches!(communication.collective, Collective::TokenExchange { .. })
            || self.is_ragged(communication)
            || self.is_one_relation(communication)
    }

    /// Link rate of a domain over what its bytes take of it: switches that sum reach less than rings.
    pub(super) fn inside_rate(&self, communication: &Communication, stage: usize) -> f64 {
        let policy = self.policy(communication);
        if policy.sums != Sums::Inside {
            return 1.0;
        }
        let spread = Spread::of(&self.placed, communication.group);
        let payload = communication.payload(stage);
        match policy.choose(communication.collective, payload, spread) {
            Algorithm::Nvls | Algorithm::NvlsTrees => NVLS_RATE,
            _ => 1.0,
        }
    }

    /// Rings, which move at the pace of their slowest hop, and what all members send at once. The
    /// levels of trees and of hierarchical collectives add, as measured steps have it of tensor
    /// groups over two nodes (docs/equations.md §4.8).
    fn is_one_relation(&self, communication: &Communication) -> bool {
        let reduces = matches!(
            communication.collective,
            Collective::AllReduce | Collective::ReduceScatter | Collective::AllGather
        );
        let policy = self.policy(communication);
        let spread = Spread::of(&self.placed, communication.group);
        let rings = |stage| {
            let payload = communication.payload(stage);
            policy.choose(communication.collective, payload, spread) == Algorithm::RailRings
        };
        reduces && (!policy.hierarchical || (0..self.step.stages.len()).any(rings))
    }

    /// A ring or gather whose members domain borders cut unevenly.
    fn is_ragged(&self, communication: &Communication) -> bool {
        communication.collective.is_ring()
            && matches!(Spread::of(&self.placed, communication.group), Spread::Ragged { .. })
    }
}

/// Flows over the border of a leaf, counted once for each communication of the step.
impl Wires<'_> {
    pub(super) fn cut(&self, communication: &Communication, domains: u32) -> f64 {
        let policy = self.policy(communication);
        let crossings = || LeafCuts::new(self.step, communication, &self.placed, &policy);
        let Some(place) = self.place(communication) else {
            return crossings().at(domains);
        };
        *self.cuts[place].get_or_init(|| match self.known {
            Some(of) => of.counted.cut((place, policy.hierarchical), domains, crossings),
            None => crossings().at(domains),
        })
    }

    /// Bytes of the fullest uplink of any leaf of so many domains over the mean of its uplinks, where
    /// `more` times as much leaves it as stays on its rail.
    pub(super) fn fullest_uplink(
        &self,
        communication: &Communication,
        domains: u32,
        more: f64,
    ) -> f64 {
        let balance = self.network.balance;
        if balance.is_even() {
            return 1.0;
        }
        let policy = self.policy(communication);
        let crossings = || LeafCuts::new(self.step, communication, &self.placed, &policy);
        let place = self.place(communication);
        let messages = match self.known.zip(place) {
            Some((known, place)) => {
                known.counted.messages((place, policy.hierarchical), domains, crossings)
            }
            None => crossings().messages(domains),
        };
        let messages = (messages as f64 * more).ceil() as u64;
        let placement = self.placed.placement();
        let held = placement.domains(self.placed.grid().ranks());
        let of_a_plane = held.div_ceil(domains.max(1)).saturating_mul(self.network.nics);
        let leafs = of_a_plane.saturating_mul(balance.waits_for(self.network.planes));
        let share = |links: u32| {
            let over_mean = match self.known {
                Some(known) => known.counted.fullest(balance, messages, links, leafs),
                None => balance.fullest_over_mean(messages, links, leafs),
            };
            over_mean / f64::from(links)
        };
        // A leaf switch that several rails share may have no whole number of uplinks for each.
        let links = self.network.within_rail * f64::from(domains);
        if links <= 1.0 {
            return 1.0;
        }
        let (fewer, part) = (links.floor() as u32, links.fract());
        let share = if part > 0.0 {
            part.mul_add(share(fewer + 1) - share(fewer), share(fewer))
        } else {
            share(fewer)
        };
        share * links
    }

    /// What interfaces and leafs carry where symmetry does not say it.
    pub(super) fn loads(&self, communication: &Communication) -> Option<Arc<InterfaceLoads>> {
        if self.placed.aligned() {
            return None;
        }
        let policy = self.policy(communication);
        let count = || InterfaceLoads::new(self.step, communication, &self.placed, &policy);
        let Some(place) = self.place(communication) else { return count().map(Arc::new) };
        match self.known {
            Some(known) => known.counted.loads((place, policy.hierarchical), count),
            None => self.loads[place].get_or_init(|| count().map(Arc::new)).clone(),
        }
    }

    /// What crosses the borders of leafs of so many domains.
    pub(super) fn borders(
        &self,
        communication: &Communication,
        domains: u32,
        loads: &InterfaceLoads,
    ) -> Arc<Borders> {
        let policy = self.policy(communication);
        let count = || loads.borders(domains, (self.step, communication), &self.placed, &policy);
        match self.known.zip(self.place(communication)) {
            Some((known, place)) => {
                known.counted.borders((place, policy.hierarchical), domains, count)
            }
            None => Arc::new(count()),
        }
    }

    pub(super) fn strain(&self, communication: &Communication) -> f64 {
        if self.strain.is_empty() {
            return 1.0;
        }
        let place = self.place(communication);
        place.and_then(|place| self.strain.get(place)).copied().unwrap_or(1.0)
    }

    /// Place of a communication among those of the step.
    fn place(&self, communication: &Communication) -> Option<usize> {
        let all = &self.step.communications;
        let (first, of) = (all.as_ptr().addr(), std::ptr::from_ref(communication).addr());
        let place = of.checked_sub(first)? / size_of::<Communication>();
        (place < all.len()).then_some(place)
    }
}

/// Rate at which NVLS moves bytes over that of rings: 1.3 times their bus bandwidth on eight H100 (NVIDIA's
/// and others' nccl-tests), where its bytes alone would make it 2·7/8 times.
const NVLS_RATE: f64 = 1.3 / 1.75;

/// A message between pipeline stages, which the framework sends by a call of its own.
pub(super) const fn is_message(communication: &Communication) -> bool {
    matches!(communication.cadence, Cadence::PerBoundary { .. })
}

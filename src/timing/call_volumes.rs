//! A step's ranks on the domains of a network: the bytes of its communications, and what of them
//! crosses interfaces and leafs. No seconds.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::NetworkModel;
use super::counted_volumes::{CountedVolumes, CutsAtLeaf, FixedCall, KnownCalls};
use crate::collective::{CallVolumes, GroupSpread, Policy, call_volumes};
use crate::parallel::Placed;
use crate::step::{Cadence, Collective, Communication, Step};
use crate::traffic::{InterfaceLoads, LeafBorders, LeafCuts};
use crate::workload::Framework;

/// What was computed before of a step.
#[derive(Clone, Copy)]
struct KnownVolumes<'a> {
    counted: &'a CountedVolumes,
    calls: &'a KnownCalls,
}

/// A step's ranks on the domains of a network.
pub(super) struct RankVolumes<'a> {
    pub(super) network: &'a NetworkModel,
    pub(super) step: &'a Step,
    placed: Cow<'a, Placed>,
    /// φ of the placement (docs/equations.md §8.2).
    pub(super) elsewhere: f64,
    single_ring: bool, // fully sharded parameters use one interface of a domain
    /// Leaf cut of each communication of the step, the same for all stages.
    cuts: CutsAtLeaf,
    /// What interfaces carry in each of them, where domain borders cut the ranks unevenly.
    loads: Vec<OnceLock<Option<Arc<InterfaceLoads>>>>,
    known: Option<KnownVolumes<'a>>,
    /// How many times as long the bytes between domains take, by communication; empty: as long.
    strain: &'a [f64],
}

impl<'a> RankVolumes<'a> {
    /// Lays the ranks on domains such that tensor, expert and context groups stay whole.
    pub(super) fn new(network: &'a NetworkModel, step: &'a Step, framework: &Framework) -> Self {
        let placement = network.place_ranks(&step.grid);
        Self {
            network,
            step,
            placed: Cow::Owned(Placed::new(&step.grid, placement)),
            elsewhere: placement.cross_rail_share(),
            single_ring: framework.single_ring_sharding,
            cuts: Arc::new(vec![OnceLock::new(); step.communications.len()]),
            loads: vec![OnceLock::new(); step.communications.len()],
            known: None,
            strain: &[],
        }
    }

    /// As [`RankVolumes::new`], with what is known of the step whatever its fabric.
    pub(super) fn with_known_calls(
        network: &'a NetworkModel,
        step: &'a Step,
        framework: &Framework,
        counted: &'a CountedVolumes,
        calls: &'a KnownCalls,
    ) -> Self {
        let count = step.communications.len();
        Self {
            network,
            step,
            placed: Cow::Borrowed(&calls.placed),
            elsewhere: calls.elsewhere,
            single_ring: framework.single_ring_sharding,
            cuts: counted.cuts_at_leaf_size(network.leaf_domains.unwrap_or(0), count),
            loads: Vec::new(),
            known: Some(KnownVolumes { counted, calls }),
            strain: &[],
        }
    }

    /// Its ranks on domains.
    pub(super) fn placed_ranks(&self) -> &Placed {
        &self.placed
    }

    /// What is known of a communication.
    pub(super) fn fixed_call(&self, communication: &Communication) -> Option<&'a FixedCall> {
        self.known?.calls.calls.get(self.communication_index(communication)?)
    }

    /// The wires where bytes between domains take so many times as long.
    pub(super) fn with_correction_factors(self, strain: &'a [f64]) -> Self {
        Self { strain, ..self }
    }

    /// What one call costs a rank of `stage`.
    pub(super) fn call_volumes(&self, communication: &Communication, stage: usize) -> CallVolumes {
        if let Some(known) = self.fixed_call(communication).and_then(|call| call.volumes.get(stage))
        {
            return *known;
        }
        call_volumes(communication, stage, &self.placed, &self.algorithm_policy(communication))
    }

    /// What the communication names; a flat ring for fully sharded parameters where the framework
    /// runs them so.
    pub(super) fn algorithm_policy(&self, communication: &Communication) -> Policy {
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
    pub(super) fn interfaces_per_rank(&self, communication: &Communication) -> f64 {
        if let Some(known) = self.fixed_call(communication) {
            return known.interfaces;
        }
        if self.one_interface(communication) {
            return 1.0;
        }
        let placement = self.placed.placement();
        let ranks = f64::from(placement.used_gpus_per_domain());
        let nics = f64::from(self.network.nics);
        let domain = f64::from(self.network.domain.max(1));
        let senders = f64::from(self.neighbours_that_send(communication)).clamp(1.0, ranks);
        // Interfaces of idle GPUs carry nothing.
        if nics >= domain {
            return (nics / domain * ranks / senders).min(nics / domain);
        }
        if senders >= ranks {
            return 1.0 / f64::from(placement.max_ranks_per_rail());
        }
        // They are neighbours, as at a border of the domain: so many rails are theirs.
        let last = placement.used_gpus_per_domain() - 1;
        let first = last.saturating_sub(senders as u32 - 1);
        let rails = placement.rail_at(last) - placement.rail_at(first) + 1;
        (f64::from(rails) / senders).min(1.0)
    }

    /// Neighbouring ranks of a domain that send at the same time. Of a message those of one member
    /// of each group. In a collective those of all members inside, and whoever sits between them,
    /// as groups of other ranks run with theirs: of two pipeline stages in a domain both reduce
    /// their gradients over data and context.
    fn neighbours_that_send(&self, communication: &Communication) -> u32 {
        let mut digits = self.placed.grid().group_digits(communication.group);
        if is_message(communication) {
            return digits.next().map_or(1, |digit| digit.stride);
        }
        let (mut members, _) =
            GroupSpread::spread_of_group(&self.placed, communication.group).members_and_domains();
        let mut senders = members;
        for digit in digits {
            senders = digit.stride.saturating_mul(members);
            // A digit that is whole inside leaves the domain only over the next one.
            if members < digit.size {
                break;
            }
            members /= digit.size;
        }
        senders
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

    /// Rings, which move at the pace of their slowest hop, and what all members send at once. NCCL's
    /// trees pipeline their levels too; those of a hierarchical collective add.
    fn is_one_relation(&self, communication: &Communication) -> bool {
        let reduces = matches!(
            communication.collective,
            Collective::AllReduce | Collective::ReduceScatter | Collective::AllGather
        );
        let policy = self.algorithm_policy(communication);
        reduces && (policy.tuned || !policy.hierarchical)
    }

    /// A ring or gather whose members domain borders cut unevenly.
    fn is_ragged(&self, communication: &Communication) -> bool {
        communication.collective.is_ring()
            && matches!(
                GroupSpread::spread_of_group(&self.placed, communication.group),
                GroupSpread::Ragged { .. }
            )
    }
}

/// Flows over the border of a leaf, counted once for each communication of the step.
impl RankVolumes<'_> {
    pub(super) fn leaf_cut(&self, communication: &Communication, domains: u32) -> f64 {
        let policy = self.algorithm_policy(communication);
        let crossings = || LeafCuts::new(self.step, communication, &self.placed, &policy);
        let Some(place) = self.communication_index(communication) else {
            return crossings().cut_at_leaf_size(domains);
        };
        *self.cuts[place].get_or_init(|| match self.known {
            Some(volumes) => {
                volumes.counted.get_or_count_cut((place, policy.hierarchical), domains, crossings)
            }
            None => crossings().cut_at_leaf_size(domains),
        })
    }

    /// Bytes of the fullest uplink of any leaf of so many domains over the mean of its uplinks,
    /// where
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
        let policy = self.algorithm_policy(communication);
        let crossings = || LeafCuts::new(self.step, communication, &self.placed, &policy);
        let place = self.communication_index(communication);
        let messages = match self.known.zip(place) {
            Some((known, place)) => {
                known.counted.leaf_border_messages((place, policy.hierarchical), domains, crossings)
            }
            None => crossings().fullest_leaf_messages(domains),
        };
        let messages = (messages as f64 * more).ceil() as u64;
        let placement = self.placed.placement();
        let held = placement.domains_for_ranks(self.placed.grid().ranks());
        let of_a_plane = held.div_ceil(domains.max(1)).saturating_mul(self.network.nics);
        let leafs = of_a_plane.saturating_mul(balance.planes_that_wait(self.network.planes));
        let share = |links: u32| {
            let over_mean = match self.known {
                Some(known) => known.counted.fullest_uplink_ratio(balance, messages, links, leafs),
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
    pub(super) fn interface_loads(
        &self,
        communication: &Communication,
    ) -> Option<Arc<InterfaceLoads>> {
        if self.placed.is_aligned() {
            return None;
        }
        let policy = self.algorithm_policy(communication);
        let count = || InterfaceLoads::new(self.step, communication, &self.placed, &policy);
        let Some(place) = self.communication_index(communication) else {
            return count().map(Arc::new);
        };
        match self.known {
            Some(known) => known.counted.interface_loads((place, policy.hierarchical), count),
            None => self.loads[place].get_or_init(|| count().map(Arc::new)).clone(),
        }
    }

    /// What crosses the borders of leafs of so many domains.
    pub(super) fn leaf_borders(
        &self,
        communication: &Communication,
        domains: u32,
        loads: &InterfaceLoads,
    ) -> Arc<LeafBorders> {
        let policy = self.algorithm_policy(communication);
        let count = || loads.leaf_borders(domains, self.step, communication, &self.placed, &policy);
        match self.known.zip(self.communication_index(communication)) {
            Some((known, place)) => {
                known.counted.leaf_borders((place, policy.hierarchical), domains, count)
            }
            None => Arc::new(count()),
        }
    }

    pub(super) fn correction_factor(&self, communication: &Communication) -> f64 {
        if self.strain.is_empty() {
            return 1.0;
        }
        let place = self.communication_index(communication);
        place.and_then(|place| self.strain.get(place)).copied().unwrap_or(1.0)
    }

    /// Place of a communication among those of the step.
    fn communication_index(&self, communication: &Communication) -> Option<usize> {
        let all = &self.step.communications;
        let (first, index) = (all.as_ptr().addr(), std::ptr::from_ref(communication).addr());
        let place = index.checked_sub(first)? / size_of::<Communication>();
        (place < all.len()).then_some(place)
    }
}

/// A message between pipeline stages, which the framework sends by a call of its own.
pub(super) const fn is_message(communication: &Communication) -> bool {
    matches!(communication.cadence, Cadence::PerBoundary { .. })
}

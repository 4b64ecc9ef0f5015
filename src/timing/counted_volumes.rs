//! Leaf cuts and NIC loads kept per leaf size.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::UplinkBalance;
use crate::collective::CallVolumes;
use crate::collective::nccl::NcclCandidates;
use crate::parallel::Placed;
use crate::traffic::{InterfaceLoads, LeafBorders, LeafCuts};

/// A communication of the step by its place, and whether it runs level by level.
type CallKey = (usize, bool);

/// Leaf cuts of each communication by its place, for leafs of one size.
pub(super) type CutsAtLeaf = Arc<Vec<OnceLock<f64>>>;

/// Counts of one step.
#[derive(Debug, Default)]
pub(super) struct CountedVolumes {
    crossings: Mutex<BTreeMap<CallKey, Arc<LeafCuts>>>,
    at_leaf: Mutex<BTreeMap<u32, CutsAtLeaf>>,
    loads: Mutex<BTreeMap<CallKey, Option<Arc<InterfaceLoads>>>>,
    borders: Mutex<BTreeMap<(CallKey, u32), Arc<LeafBorders>>>,
    messages: Mutex<BTreeMap<(CallKey, u32), u64>>,
    fullest: Mutex<BTreeMap<(UplinkBalance, u64, u32, u32), f64>>,
}

impl CountedVolumes {
    /// Cuts of so many communications for leafs of so many domains.
    pub(super) fn cuts_at_leaf_size(&self, domains: u32, communications: usize) -> CutsAtLeaf {
        let none = || Arc::new(vec![OnceLock::new(); communications]);
        Arc::clone(lock_store(&self.at_leaf).entry(domains).or_insert_with(none))
    }

    /// The cut of a communication for leafs of so many domains; `count` makes what is not there.
    pub(super) fn get_or_count_cut(
        &self,
        call: CallKey,
        domains: u32,
        count: impl FnOnce() -> LeafCuts,
    ) -> f64 {
        let crossings = Arc::clone(
            lock_store(&self.crossings).entry(call).or_insert_with(|| Arc::new(count())),
        );
        crossings.cut_at_leaf_size(domains)
    }

    /// Messages over the border of the fullest leaf of so many domains; `count` makes what is not
    /// there.
    pub(super) fn leaf_border_messages(
        &self,
        call: CallKey,
        domains: u32,
        count: impl FnOnce() -> LeafCuts,
    ) -> u64 {
        if let Some(known) = lock_store(&self.messages).get(&(call, domains)) {
            return *known;
        }
        let crossings = Arc::clone(
            lock_store(&self.crossings).entry(call).or_insert_with(|| Arc::new(count())),
        );
        let messages = crossings.fullest_leaf_messages(domains);
        lock_store(&self.messages).insert((call, domains), messages);
        messages
    }

    /// Bytes of the fullest uplink over the mean, as [`UplinkBalance::fullest_over_mean`].
    pub(super) fn fullest_uplink_ratio(
        &self,
        balance: UplinkBalance,
        flows: u64,
        links: u32,
        leafs: u32,
    ) -> f64 {
        let count = || balance.fullest_over_mean(flows, links, leafs);
        *lock_store(&self.fullest).entry((balance, flows, links, leafs)).or_insert_with(count)
    }

    /// What interfaces carry in a communication; `count` makes what is not there.
    pub(super) fn interface_loads(
        &self,
        call: CallKey,
        count: impl FnOnce() -> Option<InterfaceLoads>,
    ) -> Option<Arc<InterfaceLoads>> {
        lock_store(&self.loads).entry(call).or_insert_with(|| count().map(Arc::new)).clone()
    }

    /// What crosses the borders of leafs of so many domains in a communication; `count` makes what
    /// is not there.
    pub(super) fn leaf_borders(
        &self,
        call: CallKey,
        domains: u32,
        count: impl FnOnce() -> LeafBorders,
    ) -> Arc<LeafBorders> {
        let count = || Arc::new(count());
        Arc::clone(lock_store(&self.borders).entry((call, domains)).or_insert_with(count))
    }
}

/// What is stored is complete whenever the lock is free, whoever panicked.
fn lock_store<T>(store: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    store.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A step's ranks on domains, and its communications.
#[derive(Clone, Debug)]
pub(super) struct KnownCalls {
    pub(super) placed: Placed,
    /// φ of the placement (docs/equations.md §8.2).
    pub(super) elsewhere: f64,
    /// Its communications, by place.
    pub(super) calls: Vec<FixedCall>,
}

/// One communication.
#[derive(Clone, Debug)]
pub(super) struct FixedCall {
    /// What a call costs a rank, by stage.
    pub(super) volumes: Vec<CallVolumes>,
    /// Interfaces that a rank has to itself.
    pub(super) interfaces: f64,
    /// Members in a domain and domains, where NCCL's tuner decides.
    pub(super) tuned_members: Option<TunedMembers>,
    /// The ways that NCCL has for one of its messages, by stage; known when asked for.
    pub(super) candidates: Vec<OnceLock<NcclCandidates>>,
    /// Bytes inside and between domains at the same time.
    pub(super) pipelined: bool,
}

/// How many members of a group sit in each of how many domains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TunedMembers {
    pub(super) inside: u32,
    pub(super) nodes: u32,
}

//! What the interfaces and the leafs of a cluster carry in one call of a communication, counted
//! message by message: for grids that domain borders cut unevenly, where no symmetry says it.
//! Knows a leaf only as a number of domains.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::messages::{CallRelations, GroupedCall, Message, MessageRun};
use crate::collective::Policy;
use crate::parallel::Placed;
use crate::step::{Communication, Step};

/// Bytes of one call between domains, by where they leave and enter.
#[derive(Clone, Debug)]
pub struct InterfaceLoads {
    max_loads: Arc<MaxLoads>,
    /// Those bytes from place to place, each pair of places once; where borders were asked for.
    flows: OnceLock<Vec<(Pair, f64)>>,
}

/// The fullest interfaces.
#[derive(Debug)]
struct MaxLoads {
    /// Most bytes that one receives.
    received: f64,
    /// What they send, but for those that send no more than another one either way.
    sent: Vec<SentBytes>,
}

/// What was counted before, by where the ranks lie and by what they send each other; `None` where
/// there are too many messages to count. Layouts, products and interfaces by the dozen have the
/// same.
type Counted = BTreeMap<(Placed, CallRelations), Option<Arc<MaxLoads>>>;

static COUNTED: Mutex<Counted> = Mutex::new(BTreeMap::new());

/// Counts that are kept: a few hundred bytes each.
const MOST_KEPT: usize = 4096;

/// The domains and rails of a sender and a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    from: (u32, u32),
    to: (u32, u32),
}

/// Bytes that one interface sends.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SentBytes {
    /// Where the domain forwards them to the receiver's rail.
    forwarded: f64,
    /// Where a spine takes them to the receiver's rail.
    straight: f64,
}

impl SentBytes {
    /// Those that send no more than another one, whichever way, are left out: the rest is a handful
    /// where interfaces are thousands.
    fn drop_lesser_senders(mut all: Vec<Self>) -> Vec<Self> {
        all.dedup(); // Neighbours mostly send alike.
        all.sort_by(|a, b| {
            b.forwarded.total_cmp(&a.forwarded).then(b.straight.total_cmp(&a.straight))
        });
        let mut least = f64::NEG_INFINITY;
        all.retain(|bytes| {
            let more = bytes.straight > least;
            least = least.max(bytes.straight);
            more
        });
        all.shrink_to_fit();
        all
    }
}

impl MaxLoads {
    /// Of a call; `None` where there are too many messages to count.
    fn from_grouped_call(call: &GroupedCall<'_>) -> Option<Self> {
        if call.max_messages() > MOST_MESSAGES {
            return None;
        }
        let placement = call.placed.placement();
        let (rails, used) = (placement.rails(), placement.used_gpus_per_domain());
        let interfaces = placement.domains_for_ranks(call.placed.grid().ranks()) * rails;
        let mut received = vec![0.0; interfaces as usize];
        let mut sent = vec![SentBytes { forwarded: 0.0, straight: 0.0 }; interfaces as usize];
        let rail: Vec<usize> = (0..used).map(|index| placement.rail_at(index) as usize).collect();
        let first = |rank| (placement.domain_of(rank) * rails) as usize;
        // Whole bytes, so that sums are exact in whichever order.
        call.for_each_run(|MessageRun { from, to, ranks, bytes }| {
            let (sender, receiver) = (first(from), first(to));
            let read = |first| &rail[placement.index_of(first) as usize..][..ranks as usize];
            for (own, other) in read(from).iter().zip(read(to)) {
                received[receiver + other] += bytes.as_f64();
                sent[sender + other].forwarded += bytes.as_f64();
                sent[sender + own].straight += bytes.as_f64();
            }
        });
        Some(Self {
            received: received.into_iter().fold(0.0, f64::max),
            sent: SentBytes::drop_lesser_senders(sent),
        })
    }
}

/// Most messages that are counted one by one.
const MOST_MESSAGES: u64 = 50_000_000;

/// Messages that are kept one by one before they are added up: some megabytes.
const MOST_APART: usize = 1 << 18;

/// Each pair of places once, ascending. Stable, so that its bytes are added in the order in which
/// they are sent.
fn add_up(flows: &mut Vec<(Pair, f64)>) {
    flows.sort_by_key(|(pair, _)| *pair);
    flows.dedup_by(|(pair, bytes), (kept, sum)| {
        let same = pair == kept;
        if same {
            *sum += *bytes;
        }
        same
    });
}

impl InterfaceLoads {
    /// What one call of the communication sends between domains; `None` where there are too many
    /// messages to count.
    #[must_use]
    pub fn new(
        step: &Step,
        communication: &Communication,
        placed: &Placed,
        policy: &Policy,
    ) -> Option<Self> {
        let relations = CallRelations::new(step, communication, placed, policy);
        let key = (placed.clone(), relations);
        let known = || COUNTED.lock().unwrap_or_else(PoisonError::into_inner);
        let before = known().get(&key).cloned();
        let most = before.unwrap_or_else(|| {
            let made =
                MaxLoads::from_grouped_call(&GroupedCall::from_relations(placed, key.1.clone()))
                    .map(Arc::new);
            let mut known = known();
            if known.len() >= MOST_KEPT {
                known.clear();
            }
            known.insert(key, made.clone());
            made
        });
        most.map(|most| Self { max_loads: most, flows: OnceLock::new() })
    }

    /// The bytes of that call from place to place.
    fn bytes_between_places(call: &GroupedCall<'_>, placed: &Placed) -> Vec<(Pair, f64)> {
        let placement = placed.placement();
        let mut flows: Vec<(Pair, f64)> = Vec::new();
        let mut full = MOST_APART;
        call.for_each(|Message { from, to, bytes, .. }| {
            let place = |rank| (placement.domain_of(rank), placement.rail_of(rank));
            flows.push((Pair { from: place(from), to: place(to) }, bytes.as_f64()));
            if flows.len() >= full {
                add_up(&mut flows);
                full = flows.len() + MOST_APART;
            }
        });
        add_up(&mut flows);
        flows
    }

    /// Most bytes that an interface sends or receives, where a spine takes a `straight` share of
    /// what goes to other rails and the domain forwards the rest.
    #[must_use]
    pub fn max_nic_bytes(&self, straight: f64) -> f64 {
        let read = |sent: &SentBytes| sent.forwarded * (1.0 - straight) + sent.straight * straight;
        self.max_loads.sent.iter().map(read).fold(self.max_loads.received, f64::max)
    }

    /// What crosses the borders of leafs that hold one rail of so many consecutive domains each, in
    /// the call of which these are the loads.
    #[must_use]
    pub fn leaf_borders(
        &self,
        leaf: u32,
        step: &Step,
        communication: &Communication,
        placed: &Placed,
        policy: &Policy,
    ) -> LeafBorders {
        let leaf = leaf.max(1);
        let flows = self.flows.get_or_init(|| {
            Self::bytes_between_places(
                &GroupedCall::new(step, communication, placed, policy),
                placed,
            )
        });
        let place = |(domain, rail): (u32, u32)| (rail, domain / leaf);
        let mut over: BTreeMap<(u32, u32), [BorderFlows; 2]> = BTreeMap::new();
        for (Pair { from, to }, bytes) in flows {
            let target = place(*to);
            let (forwarded, straight) = (place((from.0, to.1)), place(*from));
            let along = from.1 == to.1;
            let mut take = |at: (u32, u32), way: usize, add: &dyn Fn(&mut BorderFlows)| {
                add(&mut over.entry(at).or_default()[way]);
            };
            if forwarded != target {
                take(forwarded, 0, &|border_flows| border_flows.forwarded += bytes);
                take(target, 1, &|border_flows| border_flows.forwarded += bytes);
            }
            if straight != target && along {
                take(straight, 0, &|border_flows| border_flows.along += bytes);
                take(target, 1, &|border_flows| border_flows.along += bytes);
            } else if straight != target {
                take(straight, 0, &|border_flows| border_flows.across += bytes);
                take(target, 1, &|border_flows| border_flows.across += bytes);
            }
        }
        let mut all: Vec<BorderFlows> = over.into_values().flatten().collect();
        all.sort_by(|a, b| b.compare_flows(a));
        // Of two that differ, the one that is less in nothing comes first.
        let mut most: Vec<BorderFlows> = Vec::new();
        for crossing in all {
            if !most.iter().any(|border_flows| border_flows.is_no_less(&crossing)) {
                most.push(crossing);
            }
        }
        LeafBorders(most)
    }
}

/// Bytes over one border of a leaf, one way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct BorderFlows {
    /// Where HB domains forward everything to the receiver's rail.
    forwarded: f64,
    /// Where nothing is forwarded: those that stay on their rail,
    along: f64,
    /// and those that go to another.
    across: f64,
}

impl BorderFlows {
    /// True where the other one is more in nothing.
    fn is_no_less(&self, other: &Self) -> bool {
        self.forwarded >= other.forwarded
            && self.along >= other.along
            && self.across >= other.across
    }

    fn compare_flows(&self, other: &Self) -> std::cmp::Ordering {
        let numbers = |flows: &Self| [flows.forwarded, flows.along, flows.across];
        let pairs = numbers(self).into_iter().zip(numbers(other));
        pairs.map(|(a, b)| a.total_cmp(&b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}

/// What crosses the borders of all leafs of one size, but for those that no more crosses than
/// another one in any respect.
#[derive(Clone, Debug, PartialEq)]
pub struct LeafBorders(Vec<BorderFlows>);

impl LeafBorders {
    /// Most bytes over the border of a leaf, either way, where a spine takes a `straight` share of
    /// what goes to other rails. What goes from rail to rail counts where it takes the same links
    /// as what stays on one: where rails are `joint`.
    #[must_use]
    pub fn max_border_bytes(&self, straight: f64, joint: bool) -> f64 {
        let read = |crossing: &BorderFlows| {
            let across = if joint { crossing.across } else { 0.0 };
            crossing.forwarded * (1.0 - straight) + (crossing.along + across) * straight
        };
        self.0.iter().map(read).fold(0.0, f64::max)
    }
}

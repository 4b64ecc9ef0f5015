//! A recorded run held against the matrix: what was sent and not predicted, what was predicted and
//! not sent, by kind, group and pair. Judges nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::measured_bytes::{MeasuredBytes, Pair};
use super::recorded_calls::{Groups, Recording};
use crate::collective::{
    CollectiveFlow, GroupSpread, Policy, RelationShape, Scope, collective_flows,
};
use crate::parallel::{Group, Placed, Rank};
use crate::step::{Collective, Communication, Operation, Step, TrafficKind};
use crate::traffic::TrafficMatrix;
use crate::units::Bytes;

/// Bytes of one step, as recorded and as predicted, of the ranks that recorded anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BytesPair {
    pub recorded: Bytes,
    pub predicted: Bytes,
}

/// Bytes of one kind on one kind of group by one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnGroups {
    pub kind: TrafficKind,
    /// Groups; `None` where the members are none of the layout's.
    pub group: Option<Group>,
    pub operation: Operation,
    /// Calls of a step, of all ranks together: recorded and predicted.
    pub calls: (u64, u64),
    /// Bytes of a step.
    pub bytes: BytesPair,
}

/// Bytes of one kind from one GPU to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnPair {
    pub kind: TrafficKind,
    pub from: Rank,
    /// Receiver; `None` where the record has none and all of the sender's are summed.
    pub to: Option<Rank>,
    /// Bytes of a step.
    pub bytes: BytesPair,
}

/// Recorded calls that no kind of parallelism predicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotPredicted {
    /// What they are, or on which groups.
    pub what: String,
    pub operation: Operation,
    /// Calls of a step, of all ranks together.
    pub calls: u64,
    /// Bytes of a step.
    pub bytes: Bytes,
}

/// A recorded run beside what was predicted.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    pub ranks: u32,
    pub steps: u64,
    pub kinds: Vec<(TrafficKind, BytesPair)>,
    /// Kind by kind, group by group, operation by operation.
    pub groups: Vec<OnGroups>,
    /// Every pair that either has, most different first.
    pub pairs: Vec<OnPair>,
    /// What belongs to no kind, largest first.
    pub not_predicted: Vec<NotPredicted>,
}

impl BytesPair {
    /// Recorded over predicted; `None` where nothing is predicted.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        (!self.predicted.is_zero()).then(|| self.recorded.as_f64() / self.predicted.as_f64())
    }

    /// Bytes by which the two differ.
    #[must_use]
    pub fn bytes_apart(&self) -> Bytes {
        let (a, b) = (self.recorded, self.predicted);
        a.saturating_sub(b).max(b.saturating_sub(a))
    }

    /// True where they differ by no more than that share of what is predicted.
    #[must_use]
    pub fn is_within(&self, share: f64) -> bool {
        self.bytes_apart().as_f64() <= share * self.predicted.as_f64()
    }
}

impl Difference {
    /// A recorded run beside the step whose ranks sit as the matrix says.
    #[must_use]
    pub fn new(recording: &Recording, step: &Step, matrix: &TrafficMatrix) -> Self {
        let placed = matrix.placed_ranks();
        let groups = Groups::new(step, placed);
        let measured = MeasuredBytes::new(&recording.calls, &groups, placed.placement());
        let steps = u128::from(recording.steps.max(1));
        let pairs = compare_pairs(&measured, matrix, steps);
        let mut kinds: BTreeMap<TrafficKind, BytesPair> = BTreeMap::new();
        for pair in &pairs {
            let both = kinds.entry(pair.kind).or_default();
            both.recorded += pair.bytes.recorded;
            both.predicted += pair.bytes.predicted;
        }
        let mut not_predicted: Vec<NotPredicted> = measured
            .left_out
            .iter()
            .map(|((what, operation), (calls, bytes))| NotPredicted {
                what: what.clone(),
                operation: *operation,
                calls: calls.div_ceil(recording.steps.max(1)),
                bytes: Bytes::new(bytes.div_ceil(steps)),
            })
            .collect();
        not_predicted.sort_by_key(|predicted| std::cmp::Reverse(predicted.bytes));
        Self {
            ranks: measured.ranks.len() as u32,
            steps: recording.steps.max(1),
            kinds: kinds.into_iter().collect(),
            groups: sums_by_group(&measured, step, placed, recording.steps.max(1)),
            pairs,
            not_predicted,
        }
    }

    /// True where every kind, and every pair, is within those shares of what is predicted.
    #[must_use]
    pub fn is_within(&self, share: f64) -> bool {
        self.kinds.iter().all(|(_, both)| both.is_within(share))
            && self.pairs.iter().all(|pair| pair.bytes.is_within(share))
    }
}

/// Pairs that either has. Where some receivers of a sender are unknown, all that it sends of that
/// kind is one row.
fn compare_pairs(measured: &MeasuredBytes, matrix: &TrafficMatrix, steps: u128) -> Vec<OnPair> {
    let blind: BTreeSet<(TrafficKind, Rank)> = measured
        .pairs
        .keys()
        .filter(|(.., to)| to.is_none())
        .map(|(kind, from, _)| (*kind, *from))
        .collect();
    let at = |(kind, from, to): Pair| (kind, from, to.filter(|_| !blind.contains(&(kind, from))));
    let mut all: BTreeMap<Pair, (u128, u128)> = BTreeMap::new();
    for (pair, bytes) in &measured.pairs {
        all.entry(at(*pair)).or_default().0 += bytes;
    }
    for from in &measured.ranks {
        for (to, bytes) in matrix.row_of_rank(*from) {
            for kind in TrafficKind::ALL {
                let predicted = bytes.bytes_of_kind(kind).count();
                if predicted > 0 {
                    all.entry(at((kind, *from, Some(to)))).or_default().1 += predicted;
                }
            }
        }
    }
    let mut pairs: Vec<OnPair> = all
        .into_iter()
        .map(|((kind, from, to), (recorded, predicted))| OnPair {
            kind,
            from,
            to,
            bytes: BytesPair {
                recorded: Bytes::new(recorded.div_ceil(steps)),
                predicted: Bytes::new(predicted),
            },
        })
        .collect();
    pairs.sort_by_key(|on_pair| {
        (std::cmp::Reverse(on_pair.bytes.bytes_apart()), on_pair.kind, on_pair.from, on_pair.to)
    });
    pairs
}

/// What calls are summed by.
type OnWhich = (TrafficKind, Option<Group>, Operation);

/// Calls and bytes by kind, group and operation. Predicted ones are those of the ranks that
/// recorded anything.
fn sums_by_group(
    measured: &MeasuredBytes,
    step: &Step,
    placed: &Placed,
    steps: u64,
) -> Vec<OnGroups> {
    let mut all: BTreeMap<OnWhich, [(u64, u128); 2]> = BTreeMap::new();
    for (at, (calls, bytes)) in &measured.calls {
        all.entry(*at).or_default()[0] = (calls.div_ceil(steps), bytes.div_ceil(u128::from(steps)));
    }
    let mut ranks = vec![0_u64; step.stages.len()];
    for rank in &measured.ranks {
        if rank.0 < placed.grid().ranks() {
            ranks[placed.grid().pipeline_stage(*rank) as usize] += 1;
        }
    }
    for communication in &step.communications {
        for (stage, ranks) in ranks.iter().enumerate() {
            let sent = sent_by_stage(step, communication, stage, placed);
            let calls = step.calls_per_step(communication, stage) * ranks;
            if sent == 0 || calls == 0 {
                continue;
            }
            let messages = communication.messages_per_call(stage);
            let at = (
                communication.kind,
                Some(communication.group),
                communication.collective.operation(),
            );
            let predicted = &mut all.entry(at).or_default()[1];
            predicted.0 += calls * messages;
            predicted.1 += sent * u128::from(calls);
        }
    }
    all.into_iter()
        .map(|((kind, group, operation), [recorded, predicted])| OnGroups {
            kind,
            group,
            operation,
            calls: (recorded.0, predicted.0),
            bytes: BytesPair {
                recorded: Bytes::new(recorded.1),
                predicted: Bytes::new(predicted.1),
            },
        })
        .collect()
}

/// Bytes that a rank of a stage sends in one call.
fn sent_by_stage(
    step: &Step,
    communication: &Communication,
    stage: usize,
    placed: &Placed,
) -> u128 {
    let last = step.stages.len() - 1;
    if communication.collective == Collective::EndsAllReduce && stage != 0 && stage != last {
        return 0;
    }
    let spread = GroupSpread::spread_of_group(placed, communication.group);
    let (inside, across) = spread.members_and_domains();
    let sum = |flow: &CollectiveFlow| {
        let n = match flow.scope {
            Scope::Whole => spread.member_count(),
            Scope::Inside => inside,
            Scope::Across => across,
        };
        let targets = match flow.shape {
            RelationShape::EveryOther => u128::from(n - 1),
            // n − 1 edges both ways, on average over all members.
            RelationShape::Tree { .. } => {
                return flow.bytes.count() * 2 * u128::from(n - 1) / u128::from(n);
            }
            _ => 1,
        };
        flow.bytes.count() * targets
    };
    collective_flows(
        communication.collective,
        communication.payload(stage),
        spread,
        &Policy::from(communication.by),
    )
    .iter()
    .map(sum)
    .sum()
}

//! What one call sends: reductions, gathers, all-to-all.

use super::relation::{CollectiveFlow, Scope};
use super::{Algorithm, FlatAlgorithm, GroupSpread, Policy, RelationShape, hit_share};
use crate::step::Collective;
use crate::units::Bytes;
use crate::workload::Routing;

/// What a call of `collective` with a payload of D bytes sends on groups that lie like `spread`.
#[must_use]
pub fn collective_flows(
    collective: Collective,
    payload: Bytes,
    spread: GroupSpread,
    policy: &Policy,
) -> Vec<CollectiveFlow> {
    let n = spread.member_count();
    if n < 2 || payload.is_zero() {
        return Vec::new();
    }
    // A gather of messages is an all-gather of all of them.
    let payload = match collective {
        Collective::GatherEach { apart: false, .. } => payload * u128::from(n),
        _ => payload,
    };
    let (x, y) = spread.members_and_domains();
    match policy.choose_algorithm(collective, payload, spread) {
        Algorithm::Inside(algorithm) => {
            inside_domain_flows(algorithm, reduction_half(collective), spread, payload)
        }
        Algorithm::Across(algorithm) => across_domain_flows(algorithm, spread, payload),
        Algorithm::Hierarchical(algorithm) => {
            nested_flows(algorithm, reduction_half(collective), x, y, payload)
        }
        Algorithm::RailRings => rail_rings(reduction_half(collective), x, y, payload),
        Algorithm::RailTrees => rail_trees(x, y, payload),
        Algorithm::Nvls => nvls_flows(n, payload, Scope::Whole),
        Algorithm::NvlsTrees => nvls_trees(x, y, payload),
        Algorithm::Sharp => sharp_flows(x, y, payload),
        Algorithm::Forwarded => forwarded_flows(x, y, payload),
        Algorithm::Flat(FlatAlgorithm::Direct) if collective == Collective::AllToAll => {
            vec![whole_group_flow(RelationShape::EveryOther, payload.equal_share(u128::from(n)))]
        }
        Algorithm::Flat(algorithm) => {
            flat_flows(algorithm, reduction_half(collective), n, payload, Scope::Whole)
        }
        Algorithm::Fixed => match collective {
            Collective::ShiftUp => vec![whole_group_flow(RelationShape::Next, payload)],
            Collective::ShiftDown => vec![whole_group_flow(RelationShape::Previous, payload)],
            Collective::TokenExchange { routing } => token_flows(spread, routing, payload),
            // The all-reduce of two members: each sends half to be reduced, then half reduced.
            _ => vec![CollectiveFlow {
                steps: 2,
                ..whole_group_flow(RelationShape::Ends, payload.padded_to(2))
            }],
        },
    }
}

const fn reduction_half(collective: Collective) -> ReductionHalf {
    match collective {
        Collective::ReduceScatter | Collective::ReduceScatterInside => ReductionHalf::Scatter,
        Collective::AllGather | Collective::AllGatherInside | Collective::GatherEach { .. } => {
            ReductionHalf::Gather
        }
        _ => ReductionHalf::Both,
    }
}

/// Among the members of a domain; nothing where groups have one member in each, or are cut
/// unevenly.
fn inside_domain_flows(
    algorithm: FlatAlgorithm,
    half: ReductionHalf,
    spread: GroupSpread,
    payload: Bytes,
) -> Vec<CollectiveFlow> {
    let scope = match spread {
        GroupSpread::Inside { .. } => Scope::Whole,
        GroupSpread::Nested { .. } => Scope::Inside,
        GroupSpread::Apart { .. } | GroupSpread::Ragged { .. } => return Vec::new(),
    };
    let (members, _) = spread.members_and_domains();
    flat_flows(algorithm, half, members, payload.padded_to(u128::from(members)), scope)
}

/// Every member's message, or its share of the domain's, to all members of equal place in other
/// domains; a group that domain borders cut unevenly counts as one member to a domain.
fn across_domain_flows(
    algorithm: FlatAlgorithm,
    spread: GroupSpread,
    payload: Bytes,
) -> Vec<CollectiveFlow> {
    let scope = match spread {
        GroupSpread::Inside { .. } => return Vec::new(),
        GroupSpread::Nested { .. } => Scope::Across,
        GroupSpread::Apart { .. } | GroupSpread::Ragged { .. } => Scope::Whole,
    };
    let (x, y) = spread.members_and_domains();
    flat_flows(
        algorithm,
        ReductionHalf::Gather,
        y,
        payload.equal_share(u128::from(x)) * u128::from(y),
        scope,
    )
}

const fn whole_group_flow(shape: RelationShape, bytes: Bytes) -> CollectiveFlow {
    CollectiveFlow { scope: Scope::Whole, shape, bytes, steps: 1 }
}

/// All-to-all by way of the member of the own domain on the target's rail. A pair inside a
/// domain carries its own n-th and what the sender has for the same place in the y−1 other
/// domains, D/x in all; a pair along a rail carries the shares of the x members of a domain,
/// D/y (docs/equations.md §3.12).
fn forwarded_flows(x: u32, y: u32, payload: Bytes) -> Vec<CollectiveFlow> {
    let share = payload.equal_share(u128::from(x) * u128::from(y));
    vec![
        CollectiveFlow {
            scope: Scope::Inside,
            shape: RelationShape::EveryOther,
            bytes: share * u128::from(y),
            steps: 1,
        },
        CollectiveFlow {
            scope: Scope::Across,
            shape: RelationShape::EveryOther,
            bytes: share * u128::from(x),
            steps: 1,
        },
    ]
}

/// Tokens to experts, each once per domain along the rail and then once per member inside
/// (DeepSeek-V3, arXiv 2412.19437 §3.2.2): between domains D·hit(y) from a member to the one of
/// equal place, inside D·hit(n) for each of the y senders whose tokens arrive there
/// (docs/equations.md §3.13).
fn token_flows(spread: GroupSpread, routing: Routing, payload: Bytes) -> Vec<CollectiveFlow> {
    let part = |places: u32| Bytes::rounded_up(payload.as_f64() * hit_share(places, routing));
    let n = spread.member_count();
    let GroupSpread::Nested { across: y, .. } = spread else {
        return vec![whole_group_flow(RelationShape::EveryOther, part(n))];
    };
    vec![
        CollectiveFlow {
            scope: Scope::Across,
            shape: RelationShape::EveryOther,
            bytes: part(y),
            steps: 1,
        },
        CollectiveFlow {
            scope: Scope::Inside,
            shape: RelationShape::EveryOther,
            bytes: part(n) * u128::from(y),
            steps: 1,
        },
    ]
}

/// Which half of an all-reduce, or both.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReductionHalf {
    Scatter,
    Gather,
    Both,
}

impl ReductionHalf {
    /// How many halves it is.
    const fn half_count(self) -> u32 {
        match self {
            Self::Scatter | Self::Gather => 1,
            Self::Both => 2,
        }
    }
}

/// What `n` members in `scope` send to reduce and gather a vector of `payload` bytes
/// (docs/equations.md §3.1, §3.10, §3.11). Nothing where there is no other member.
fn flat_flows(
    flat: FlatAlgorithm,
    half: ReductionHalf,
    n: u32,
    payload: Bytes,
    scope: Scope,
) -> Vec<CollectiveFlow> {
    if n < 2 {
        return Vec::new();
    }
    let times = half.half_count();
    let share = payload.equal_share(u128::from(n));
    match flat {
        FlatAlgorithm::Direct => {
            vec![CollectiveFlow {
                scope,
                shape: RelationShape::EveryOther,
                bytes: share * u128::from(times),
                steps: times,
            }]
        }
        FlatAlgorithm::HalvingDoubling if n.is_power_of_two() => (0..n.ilog2())
            .map(|bit| CollectiveFlow {
                scope,
                shape: RelationShape::Exchange { bit },
                // half of the vector with the neighbour, then half of what is left, …
                bytes: share * (u128::from(n >> (bit + 1)) * u128::from(times)),
                steps: times,
            })
            .collect(),
        FlatAlgorithm::DoubleTree if half == ReductionHalf::Both => {
            let first = payload.equal_share(2);
            let depth = n.next_power_of_two().ilog2();
            [(false, first, times * depth), (true, payload.saturating_sub(first), 0)]
                .into_iter()
                .map(|(second, bytes, steps)| CollectiveFlow {
                    scope,
                    shape: RelationShape::Tree { second },
                    bytes,
                    steps, // the trees work at the same time
                })
                .collect()
        }
        FlatAlgorithm::Pat if half != ReductionHalf::Both => {
            // Each member's share goes down a binomial tree whose edges are powers of two: the
            // offsets with lowest bit b hang on one of distance 2^b (docs/equations.md §3.14).
            let edges = |bit: u32| ((n - 1) >> bit) - ((n - 1) >> (bit + 1));
            let levels = u32::BITS - (n - 1).leading_zeros();
            let distance =
                |bit: u32| if half == ReductionHalf::Gather { 1 << bit } else { n - (1 << bit) };
            (0..levels)
                .map(|bit| CollectiveFlow {
                    scope,
                    shape: RelationShape::Shift { distance: distance(bit) },
                    bytes: share * u128::from(edges(bit)),
                    steps: 1,
                })
                .collect()
        }
        FlatAlgorithm::Ring
        | FlatAlgorithm::HalvingDoubling
        | FlatAlgorithm::DoubleTree
        | FlatAlgorithm::Pat => {
            let steps = times * (n - 1);
            vec![CollectiveFlow {
                scope,
                shape: RelationShape::Next,
                bytes: share * u128::from(steps),
                steps,
            }]
        }
    }
}

/// As many rings through all x·y members as there are places in a domain, each with its share of
/// the vector. A ring enters a domain at its own place, passes all others and leaves from that
/// place again, so that inside every member sends to the next what all rings have, and on every
/// rail goes one ring (docs/equations.md §3.15).
fn rail_rings(half: ReductionHalf, x: u32, y: u32, payload: Bytes) -> Vec<CollectiveFlow> {
    let times = half.half_count();
    let share = payload.equal_share(u128::from(x) * u128::from(x * y));
    let each = share * u128::from(times * (x * y - 1));
    let across = times * (y - 1);
    let ring =
        |scope, bytes, steps| CollectiveFlow { scope, shape: RelationShape::Next, bytes, steps };
    vec![
        ring(Scope::Inside, each * u128::from(x), times * (x * y - 1) - across),
        ring(Scope::Across, each, across),
    ]
}

/// All-reduce by chains inside and double trees across: up a chain what is to be summed, down it
/// the sum, by one chain for each place and its share; a tree among those of equal place.
fn rail_trees(x: u32, y: u32, payload: Bytes) -> Vec<CollectiveFlow> {
    let share = payload.equal_share(u128::from(x));
    let chain = |shape| CollectiveFlow {
        scope: Scope::Inside,
        shape,
        bytes: share * u128::from(x - 1),
        steps: x - 1,
    };
    let mut flows = vec![chain(RelationShape::Previous), chain(RelationShape::Next)];
    flows.extend(flat_flows(
        FlatAlgorithm::DoubleTree,
        ReductionHalf::Both,
        y,
        share,
        Scope::Across,
    ));
    flows
}

/// All-reduce by the switches inside a domain: every member sends its vector once, 1/n of it to be
/// summed for each member and its own sum to all, and receives as much (docs/equations.md §3.18).
/// No GPU sums, so that all others stand for the receivers.
fn nvls_flows(n: u32, payload: Bytes, scope: Scope) -> Vec<CollectiveFlow> {
    let bytes = payload.equal_share(u128::from(n.max(2) - 1));
    vec![CollectiveFlow { scope, shape: RelationShape::EveryOther, bytes, steps: 2 }]
}

/// As [`rail_trees`], with sums by the switches inside domains.
fn nvls_trees(x: u32, y: u32, payload: Bytes) -> Vec<CollectiveFlow> {
    let share = payload.equal_share(u128::from(x));
    let mut flows = nvls_flows(x, payload, Scope::Inside);
    flows.extend(flat_flows(
        FlatAlgorithm::DoubleTree,
        ReductionHalf::Both,
        y,
        share,
        Scope::Across,
    ));
    flows
}

/// All-reduce scattered and gathered inside; between domains every interface sends 1/x of the
/// vector up once and gets the sum down (docs/equations.md §3.19). The tree of switches loads
/// interfaces and the border of a leaf as one message to the next member does.
fn sharp_flows(x: u32, y: u32, payload: Bytes) -> Vec<CollectiveFlow> {
    let share = payload.equal_share(u128::from(x));
    let mut flows = Vec::new();
    if x > 1 {
        let (bytes, steps) = (share * u128::from(2 * (x - 1)), 2 * (x - 1));
        flows.push(CollectiveFlow {
            scope: Scope::Inside,
            shape: RelationShape::Next,
            bytes,
            steps,
        });
    }
    let scope = if x > 1 { Scope::Across } else { Scope::Whole };
    if y > 1 {
        flows.push(CollectiveFlow { scope, shape: RelationShape::Next, bytes: share, steps: 2 });
    }
    flows
}

/// All-reduce of x members in each of y domains: scattered inside, reduced across by members of
/// equal place on their 1/x of the vector, gathered inside (docs/equations.md §3.2).
fn nested_flows(
    algorithm: FlatAlgorithm,
    half: ReductionHalf,
    x: u32,
    y: u32,
    payload: Bytes,
) -> Vec<CollectiveFlow> {
    let share = payload.equal_share(u128::from(x));
    let mut flows = Vec::new();
    if half != ReductionHalf::Gather {
        flows.extend(flat_flows(algorithm, ReductionHalf::Scatter, x, payload, Scope::Inside));
    }
    flows.extend(flat_flows(algorithm, half, y, share, Scope::Across));
    if half != ReductionHalf::Scatter {
        flows.extend(flat_flows(algorithm, ReductionHalf::Gather, x, payload, Scope::Inside));
    }
    flows
}

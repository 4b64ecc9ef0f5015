//! What one call of a collective sends: a few relations between members, each with its bytes.

use super::reduction::{
    ReductionHalf, flat_flows, nested_flows, nvls_flows, nvls_trees, rail_rings, rail_trees,
    sharp_flows,
};
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
    match policy.choose_algorithm(collective, payload, spread) {
        Algorithm::Inside(algorithm) => {
            inside_domain_flows(algorithm, reduction_half(collective), spread, payload)
        }
        Algorithm::Across(algorithm) => across_domain_flows(algorithm, spread, payload),
        Algorithm::Hierarchical(algorithm) => nested_flows(
            algorithm,
            reduction_half(collective),
            spread.members_and_domains(),
            payload,
        ),
        Algorithm::RailRings => {
            rail_rings(reduction_half(collective), spread.members_and_domains(), payload)
        }
        Algorithm::RailTrees => rail_trees(spread.members_and_domains(), payload),
        Algorithm::Nvls => nvls_flows(n, payload, Scope::Whole),
        Algorithm::NvlsTrees => nvls_trees(spread.members_and_domains(), payload),
        Algorithm::Sharp => sharp_flows(spread.members_and_domains(), payload),
        Algorithm::Forwarded => forwarded_flows(spread.members_and_domains(), payload),
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
fn forwarded_flows((x, y): (u32, u32), payload: Bytes) -> Vec<CollectiveFlow> {
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
    let part =
        |places: u32| Bytes::new((payload.as_f64() * hit_share(places, routing)).ceil() as u128);
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

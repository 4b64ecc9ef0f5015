//! What one call of a collective sends: a few relations between members, each with its bytes.

use super::reduction::{Half, flat, nested, nvls, nvls_trees, rail_rings, rail_trees, sharp};
use super::relation::{Flow, Scope};
use super::{Algorithm, Flat, Policy, Shape, Spread, hit_share};
use crate::step::Collective;
use crate::units::Bytes;
use crate::workload::Routing;

/// What a call of `collective` with a payload of D bytes sends on groups that lie like `spread`.
#[must_use]
pub fn flows(collective: Collective, payload: Bytes, spread: Spread, policy: &Policy) -> Vec<Flow> {
    let n = spread.members();
    if n < 2 || payload.is_zero() {
        return Vec::new();
    }
    // A gather of messages is an all-gather of all of them.
    let payload = match collective {
        Collective::GatherEach { apart: false, .. } => payload * u128::from(n),
        _ => payload,
    };
    match policy.choose(collective, payload, spread) {
        Algorithm::Inside(of) => inside(of, half(collective), spread, payload),
        Algorithm::Across(of) => across(of, spread, payload),
        Algorithm::Hierarchical(of) => nested(of, half(collective), spread.shape(), payload),
        Algorithm::RailRings => rail_rings(half(collective), spread.shape(), payload),
        Algorithm::RailTrees => rail_trees(spread.shape(), payload),
        Algorithm::Nvls => nvls(n, payload, Scope::Whole),
        Algorithm::NvlsTrees => nvls_trees(spread.shape(), payload),
        Algorithm::Sharp => sharp(spread.shape(), payload),
        Algorithm::Forwarded => forwarded(spread.shape(), payload),
        Algorithm::Flat(Flat::Direct) if collective == Collective::AllToAll => {
            vec![whole(Shape::EveryOther, payload.share(u128::from(n)))]
        }
        Algorithm::Flat(of) => flat(of, half(collective), n, payload, Scope::Whole),
        Algorithm::Fixed => match collective {
            Collective::ShiftUp => vec![whole(Shape::Next, payload)],
            Collective::ShiftDown => vec![whole(Shape::Previous, payload)],
            Collective::TokenExchange { routing } => tokens(spread, routing, payload),
            // The all-reduce of two members: each sends half to be reduced, then half reduced.
            _ => vec![Flow { steps: 2, ..whole(Shape::Ends, payload.padded_to(2)) }],
        },
    }
}

const fn half(collective: Collective) -> Half {
    match collective {
        Collective::ReduceScatter | Collective::ReduceScatterInside => Half::Scatter,
        Collective::AllGather | Collective::AllGatherInside | Collective::GatherEach { .. } => {
            Half::Gather
        }
        _ => Half::Both,
    }
}

/// Among the members of a domain; nothing where groups have one member in each, or are cut
/// unevenly.
fn inside(of: Flat, half: Half, spread: Spread, payload: Bytes) -> Vec<Flow> {
    let scope = match spread {
        Spread::Inside { .. } => Scope::Whole,
        Spread::Nested { .. } => Scope::Inside,
        Spread::Apart { .. } | Spread::Ragged { .. } => return Vec::new(),
    };
    let (members, _) = spread.shape();
    flat(of, half, members, payload.padded_to(u128::from(members)), scope)
}

/// Every member's message, or its share of the domain's, to all members of equal place in other
/// domains; a group that domain borders cut unevenly counts as one member to a domain.
fn across(of: Flat, spread: Spread, payload: Bytes) -> Vec<Flow> {
    let scope = match spread {
        Spread::Inside { .. } => return Vec::new(),
        Spread::Nested { .. } => Scope::Across,
        Spread::Apart { .. } | Spread::Ragged { .. } => Scope::Whole,
    };
    let (x, y) = spread.shape();
    flat(of, Half::Gather, y, payload.share(u128::from(x)) * u128::from(y), scope)
}

const fn whole(shape: Shape, bytes: Bytes) -> Flow {
    Flow { scope: Scope::Whole, shape, bytes, steps: 1 }
}

/// All-to-all by way of the member of the own domain on the target's rail. A pair inside a
/// domain carries its own n-th and what the sender has for the same place in the y−1 other
/// domains, D/x in all; a pair along a rail carries the shares of the x members of a domain,
/// D/y (docs/equations.md §3.12).
fn forwarded((x, y): (u32, u32), payload: Bytes) -> Vec<Flow> {
    let share = payload.share(u128::from(x) * u128::from(y));
    vec![
        Flow {
            scope: Scope::Inside,
            shape: Shape::EveryOther,
            bytes: share * u128::from(y),
            steps: 1,
        },
        Flow {
            scope: Scope::Across,
            shape: Shape::EveryOther,
            bytes: share * u128::from(x),
            steps: 1,
        },
    ]
}

/// Tokens to experts, each once per domain along the rail and then once per member inside
/// (DeepSeek-V3, arXiv 2412.19437 §3.2.2): between domains D·hit(y) from a member to the one of
/// equal place, inside D·hit(n) for each of the y senders whose tokens arrive there
/// (docs/equations.md §3.13).
fn tokens(spread: Spread, routing: Routing, payload: Bytes) -> Vec<Flow> {
    let part =
        |places: u32| Bytes::new((payload.as_f64() * hit_share(places, routing)).ceil() as u128);
    let n = spread.members();
    let Spread::Nested { across: y, .. } = spread else {
        return vec![whole(Shape::EveryOther, part(n))];
    };
    vec![
        Flow { scope: Scope::Across, shape: Shape::EveryOther, bytes: part(y), steps: 1 },
        Flow {
            scope: Scope::Inside,
            shape: Shape::EveryOther,
            bytes: part(n) * u128::from(y),
            steps: 1,
        },
    ]
}

//! Reductions and gathers: reduce-scatter, all-gather, and both in a row, the all-reduce.

use super::relation::{Flow, Scope};
use super::{Flat, Shape};
use crate::units::Bytes;

/// Which half of an all-reduce, or both.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    Scatter,
    Gather,
    Both,
}

impl Half {
    /// How many halves it is.
    const fn count(self) -> u32 {
        match self {
            Self::Scatter | Self::Gather => 1,
            Self::Both => 2,
        }
    }
}

/// What `n` members in `scope` send to reduce and gather a vector of `payload` bytes
/// (docs/equations.md §3.1, §3.10, §3.11). Nothing where there is no other member.
pub(super) fn flat(flat: Flat, half: Half, n: u32, payload: Bytes, scope: Scope) -> Vec<Flow> {
    if n < 2 {
        return Vec::new();
    }
    let times = half.count();
    let share = payload.share(u128::from(n));
    match flat {
        Flat::Direct => {
            vec![Flow {
                scope,
                shape: Shape::EveryOther,
                bytes: share * u128::from(times),
                steps: times,
            }]
        }
        Flat::HalvingDoubling if n.is_power_of_two() => (0..n.ilog2())
            .map(|bit| Flow {
                scope,
                shape: Shape::Exchange { bit },
                // half of the vector with the neighbour, then half of what is left, …
                bytes: share * (u128::from(n >> (bit + 1)) * u128::from(times)),
                steps: times,
            })
            .collect(),
        Flat::DoubleTree if half == Half::Both => {
            let first = payload.share(2);
            let depth = n.next_power_of_two().ilog2();
            [(false, first, times * depth), (true, payload.saturating_sub(first), 0)]
                .into_iter()
                .map(|(second, bytes, steps)| Flow {
                    scope,
                    shape: Shape::Tree { second },
                    bytes,
                    steps, // the trees work at the same time
                })
                .collect()
        }
        Flat::Ring | Flat::HalvingDoubling | Flat::DoubleTree => {
            let steps = times * (n - 1);
            vec![Flow { scope, shape: Shape::Next, bytes: share * u128::from(steps), steps }]
        }
    }
}

/// All-reduce of x members in each of y domains: scattered inside, reduced across by members of
/// equal place on their 1/x of the vector, gathered inside (docs/equations.md §3.2).
pub(super) fn nested(of: Flat, half: Half, (x, y): (u32, u32), payload: Bytes) -> Vec<Flow> {
    let share = payload.share(u128::from(x));
    let mut flows = Vec::new();
    if half != Half::Gather {
        flows.extend(flat(of, Half::Scatter, x, payload, Scope::Inside));
    }
    flows.extend(flat(of, half, y, share, Scope::Across));
    if half != Half::Scatter {
        flows.extend(flat(of, Half::Gather, x, payload, Scope::Inside));
    }
    flows
}

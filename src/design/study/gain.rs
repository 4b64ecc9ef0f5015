//! What the best design saves under looser terms.

use crate::design::answer::lexicographic::{Last, chosen as chosen_of};
use crate::design::candidate::list::{Candidate, by_least};
use crate::design::fabric::instance::Tools;
use crate::design::fabric::terms::Terms;
use crate::scenario::Minimize;

/// What looser limits save of the first quantity that they change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gain {
    pub(super) of: Minimize,
    pub(super) saved: f64,
}

/// The best design under looser terms and what it saves; `None` where it is no better.
pub(super) fn better<'a, 't>(
    all: &[Candidate<'a>],
    terms: &Terms<'t>,
    known: &[(Minimize, f64)],
    tools: &mut Tools<'_>,
) -> Option<(Gain, Last<'a, 't>)> {
    if let [(_, value)] = known {
        cheaper(all, terms, *value, tools)?;
    }
    let relaxed = chosen_of(all, None, *terms, tools).ok()?;
    let gain = known.iter().zip(&relaxed.least).find_map(|((of, value), (_, relaxed))| {
        let saved = value - relaxed;
        is_saving(saved, *value).then_some(Gain { of: *of, saved })
    });
    Some((gain?, relaxed))
}

/// The value of the best design of all candidates, where that is below what is known. Those are
/// sized that may be.
fn cheaper(
    all: &[Candidate<'_>],
    terms: &Terms<'_>,
    known: f64,
    tools: &mut Tools<'_>,
) -> Option<f64> {
    let mut best = known;
    for (least, place) in by_least(all, 0..all.len(), terms.minimize) {
        if least >= best {
            break;
        }
        if let Ok(found) = all[place].sized(&terms.below(best), tools) {
            best = best.min(found.value);
        }
    }
    (best < known).then_some(best)
}

/// True where a saving is more than the rounding of sums.
pub(crate) fn is_saving(saved: f64, of: f64) -> bool {
    saved > of.abs() * 1e-9
}

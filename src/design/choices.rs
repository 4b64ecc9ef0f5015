//! The best of several choices, each of which a program sizes: those that cost least at best first,
//! and no more of them than it takes to know. Knows no choice.

use std::collections::BTreeMap;

use super::infeasible::Infeasible;

/// Choices that were sized, by their place in the order of all, and the best of them.
pub(super) struct Solved<J> {
    by_place: BTreeMap<usize, J>,
    best: usize,
}

/// Every way to take one of each list where each `fits` the one before it, in the order of the
/// lists.
pub(crate) fn every<'r, T>(lists: &'r [Vec<T>], fits: impl Fn(&T, &T) -> bool) -> Vec<Vec<&'r T>> {
    let mut ways: Vec<Vec<&'r T>> = vec![Vec::new()];
    for list in lists {
        let longer = ways.iter().flat_map(|way| {
            let fit = |next: &&'r T| way.last().is_none_or(|last| fits(last, next));
            list.iter().filter(fit).map(|next| way.iter().copied().chain([next]).collect())
        });
        ways = longer.collect();
    }
    ways
}

/// What takes least first; of equal ones in the order that they had.
pub(super) fn by_value<C: Value>(choices: impl Iterator<Item = C>) -> Vec<C> {
    let mut choices: Vec<C> = choices.collect();
    choices.sort_by(|a, b| a.value().total_cmp(&b.value()));
    choices
}

/// Something that a program sized, or is to size.
pub(super) trait Value {
    /// What the objective makes of it; of what is to be sized, no more than that.
    fn value(&self) -> f64;
}

/// Sizes choices in their order, which is that of what they cost at least, up to the first that
/// can't be better.
///
/// # Errors
/// Why none can be sized, as far as the furthest came.
pub(super) fn cheapest<C: Value, J: Value>(
    order: &[C],
    size: impl Fn(&C) -> Result<J, Infeasible>,
) -> Result<Solved<J>, Infeasible> {
    /// Relative rounding of sums of money.
    const EQUAL: f64 = 1e-9;
    let mut by_place: BTreeMap<usize, J> = BTreeMap::new();
    let mut best: Option<(usize, f64)> = None;
    let mut failed: Option<Infeasible> = None;
    for (place, choice) in order.iter().enumerate() {
        if best.is_some_and(|(_, value)| choice.value() >= value * (1.0 - EQUAL)) {
            break;
        }
        match size(choice) {
            Ok(joint) => {
                if best.is_none_or(|(_, value)| joint.value() < value) {
                    best = Some((place, joint.value()));
                }
                by_place.insert(place, joint);
            }
            Err(reason) => failed = Some(Infeasible::further(failed, reason)),
        }
    }
    match best {
        Some((best, _)) => Ok(Solved { by_place, best }),
        None => Err(failed.unwrap_or(Infeasible::Unknown)),
    }
}

impl<J> Solved<J> {
    /// The best of them, and the choice that it was made for.
    pub(super) fn best<'c, C>(&self, order: &'c [C]) -> (&'c C, &J) {
        (&order[self.best], &self.by_place[&self.best])
    }

    /// Of every other kind of choice the first that can be sized, as `tell` tells it; at most `most`.
    pub(super) fn others<C, K: PartialEq, T>(
        &self,
        order: &[C],
        kind: impl Fn(&C) -> K,
        size: impl Fn(&C) -> Result<J, Infeasible>,
        tell: impl Fn(&C, &J) -> T,
        most: usize,
    ) -> Vec<T> {
        let mut seen = vec![kind(&order[self.best])];
        let mut all = Vec::new();
        for (place, choice) in order.iter().enumerate() {
            let kind = kind(choice);
            if seen.contains(&kind) {
                continue;
            }
            let told = match self.by_place.get(&place) {
                Some(known) => tell(choice, known),
                None => match size(choice) {
                    Ok(sized) => tell(choice, &sized),
                    Err(_) => continue,
                },
            };
            seen.push(kind);
            all.push(told);
            if all.len() == most {
                break;
            }
        }
        all
    }
}

//! The best of several choices, each of which a program sizes: those that cost least at best first,
//! and no more of them than it takes to know, or than a budget allows. Knows no choice.

use std::iter::Peekable;

use crate::design::effort;
use crate::design::job::infeasible::Infeasible;
use crate::sizing::{Proof, ProofStatus, Status, WatchHandle, Work};

/// Relative rounding of sums of money.
const EQUAL: f64 = 1e-9;

/// Something that a program sized, or is to size.
pub(super) trait ChoiceBound {
    /// What the objective makes of it; of what is to be sized, no more than that.
    fn objective_value(&self) -> f64;
}

/// Something that a program sized.
pub(super) trait SizedChoice: ChoiceBound {
    /// How far its program's answer is proven.
    fn proof_status(&self) -> ProofStatus;

    /// What the solver did for it.
    fn solver_work(&self) -> Work;
}

/// How many choices are tried before the best known one is the answer. In pieces, not in seconds:
/// one question has one answer, whatever the machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChoiceBudget {
    /// Choices that a program sizes.
    sized: usize,
    /// Choices that are made at all: most of them are ruled out by what they take at least.
    made: usize,
}

impl ChoiceBudget {
    /// The budget of a program over so many clusters, whose rows it has each.
    pub(super) const fn for_clusters(clusters: usize) -> Self {
        const MADE: usize = 50_000;
        let clusters = if clusters == 0 { 1 } else { clusters };
        Self { sized: effort::CHOICES_SIZED / clusters, made: MADE / clusters }
    }
}

/// The best choice, and what it was made into.
pub(super) struct ChoiceResult<C, J> {
    pub(super) choice: C,
    pub(super) joint: J,
    /// Programs over several clusters that were posed on the way.
    pub(super) work: Work,
    /// What choices that are still open may reach; infinite where none can be better.
    open: f64,
}

impl<C, J: SizedChoice> ChoiceResult<C, J> {
    /// No choice takes less, in the units of a value.
    pub(super) fn objective_lower_bound(&self) -> f64 {
        self.open.min(self.joint.objective_value() * (1.0 - self.joint.proof_status().gap))
    }

    /// The answer where another choice may take as little as `floor` besides.
    pub(super) fn with_other_bound(self, floor: f64) -> Self {
        Self { open: self.open.min(floor), ..self }
    }

    /// As firm as its own program where no other choice may be better; else an answer with a gap to
    /// what the others may reach.
    pub(super) fn overall_proof_status(&self) -> ProofStatus {
        let (own, value) = (self.joint.proof_status(), self.joint.objective_value());
        if self.open >= value * (1.0 - EQUAL) {
            return own;
        }
        let gap = ((value - self.open) / value).max(own.gap);
        ProofStatus { status: Status::Incumbent, proof: Proof::Check, gap }
    }
}

/// Sizes choices in their order up to the first that can't be better, or as far as the budget goes.
/// Each comes with what no later one takes less than; its own value may be a closer bound. `None`
/// where what was made is no choice. Where the best so far is enough, no more are sized.
///
/// # Errors
/// Why none can be sized, as far as the furthest came.
pub(super) fn cheapest_choice<C: ChoiceBound, J: SizedChoice>(
    choices: impl Iterator<Item = (f64, Option<C>)>,
    budget: ChoiceBudget,
    watch: &WatchHandle,
    size: impl Fn(&C) -> Result<J, Infeasible>,
) -> Result<ChoiceResult<C, J>, Infeasible> {
    let mut best: Option<(C, J)> = None;
    let mut failed: Option<Infeasible> = None;
    let (mut open, mut sized) = (f64::INFINITY, 0);
    let mut work = Work::default();
    for (made, (from_here, choice)) in choices.enumerate() {
        let known = best.as_ref().map_or(f64::INFINITY, |(_, joint)| joint.objective_value());
        if from_here >= known * (1.0 - EQUAL) {
            break;
        }
        if sized == budget.sized || made == budget.made || (best.is_some() && watch.is_stopped()) {
            open = open.min(from_here);
            break;
        }
        let worth = |choice: &C| choice.objective_value() < known * (1.0 - EQUAL);
        let Some(choice) = choice.filter(worth) else { continue };
        sized += 1;
        match size(&choice) {
            Ok(joint) => {
                work += joint.solver_work();
                open = open.min(joint.objective_value() * (1.0 - joint.proof_status().gap));
                if joint.objective_value() < known {
                    best = Some((choice, joint));
                }
            }
            Err(reason) => {
                work.programs += 1;
                if reason == Infeasible::Unknown {
                    open = open.min(choice.objective_value());
                }
                failed = Some(Infeasible::pick_further(failed, reason));
            }
        }
    }
    match (best, failed) {
        (Some((choice, joint)), _) => Ok(ChoiceResult { choice, joint, work, open }),
        (None, Some(reason)) if open.is_finite() && reason != Infeasible::Unknown => {
            Err(Infeasible::Unfinished { tried: sized as u64, reason: Box::new(reason) })
        }
        (None, failed) => Err(failed.unwrap_or(Infeasible::Unknown)),
    }
}

/// Several orders of choices as one, what takes least first; of equal ones the first order leads.
pub(super) fn merge_by_least<C, O: Iterator<Item = (f64, C)>>(
    orders: impl Iterator<Item = O>,
) -> impl Iterator<Item = (f64, C)> {
    let mut orders: Vec<Peekable<O>> = orders.map(Iterator::peekable).collect();
    std::iter::from_fn(move || {
        let next = |(place, order): (usize, &mut Peekable<O>)| Some((order.peek()?.0, place));
        let heads = orders.iter_mut().enumerate().filter_map(next);
        let (_, place) = heads.min_by(|a, b| a.0.total_cmp(&b.0))?;
        orders[place].next()
    })
}

/// Of every kind of choice, in the order of the kinds, the first of `ways` that can be sized, as
/// `tell` tells it; at most `most`. Kinds whose first few choices can't be sized are left out.
pub(super) fn other_choices<K, C, J, T, W: Iterator<Item = (f64, Option<C>)>>(
    kinds: impl Iterator<Item = K>,
    ways: impl Fn(&K) -> W,
    size: impl Fn(&C) -> Result<J, Infeasible>,
    tell: impl Fn(&C, &J) -> T,
    most: usize,
) -> Vec<T> {
    /// Kinds that are looked at for each that is told.
    const KINDS: usize = 4;
    let first = |kind: K| {
        ways(&kind).take(effort::CHOICES_OF_A_KIND).filter_map(|(_, choice)| choice).find_map(
            |choice| {
                let sized = size(&choice).ok()?;
                Some(tell(&choice, &sized))
            },
        )
    };
    kinds.take(KINDS * most).filter_map(first).take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::{ChoiceBound, ChoiceBudget, SizedChoice, cheapest_choice};
    use crate::design::job::infeasible::Infeasible;
    use crate::design::joint::combinations::Combinations;
    use crate::sizing::{Proof, ProofStatus, Status, WatchHandle, Work};

    /// What a choice takes at least, and what it takes.
    struct Choice(f64, Option<f64>);
    struct Joint(f64);

    impl ChoiceBound for Choice {
        fn objective_value(&self) -> f64 {
            self.0
        }
    }

    impl ChoiceBound for Joint {
        fn objective_value(&self) -> f64 {
            self.0
        }
    }

    impl SizedChoice for Joint {
        fn proof_status(&self) -> ProofStatus {
            ProofStatus { status: Status::Optimal, proof: Proof::Bound, gap: 0.0 }
        }

        fn solver_work(&self) -> Work {
            Work::default()
        }
    }

    fn size(choice: &Choice) -> Result<Joint, Infeasible> {
        choice.1.map(Joint).ok_or(Infeasible::Several)
    }

    /// Random tables: every way costs its sum and a random rest, or can't be built. The least over
    /// all of them is found, or the gap to it is told, however small the budget is.
    #[test]
    fn the_best_is_found_or_its_distance_is_told() {
        let mut seed = 3_u64;
        let mut roll = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        let (mut proven, mut open) = (0, 0);
        for _ in 0..500 {
            let lists: Vec<Vec<f64>> = (0..=roll(2))
                .map(|_| (0..=roll(4)).map(|_| 10.0 + roll(20) as f64).collect())
                .collect();
            let all: Vec<(f64, Option<f64>)> = Combinations::new(lists.clone())
                .map(|(sum, _)| (sum, (roll(4) > 0).then(|| sum + roll(12) as f64)))
                .collect();
            let least = all.iter().filter_map(|pair| pair.1).fold(f64::INFINITY, f64::min);
            let budget = ChoiceBudget { sized: roll(12) as usize, made: 6 + roll(40) as usize };
            let choices = all.iter().map(|pair| (pair.0, Some(Choice(pair.0, pair.1))));
            let Ok(solved) = cheapest_choice(choices, budget, &WatchHandle::NOBODY, size) else {
                assert!(least.is_infinite() || all.len() > budget.sized.min(budget.made));
                continue;
            };
            let firmness = solved.overall_proof_status();
            if firmness.status == Status::Optimal {
                assert_eq!((solved.joint.0, firmness.gap), (least, 0.0), "{all:?}");
                proven += 1;
            } else {
                assert!(firmness.gap > 0.0 && firmness.gap < 1.0, "{firmness:?}");
                let bound = solved.joint.0 * (1.0 - firmness.gap);
                assert!(bound <= least + 1e-9, "{bound} against {least}");
                open += 1;
            }
        }
        assert!(proven > 100 && open > 20, "{proven} and {open}");
    }

    #[test]
    fn what_is_not_tried_is_said_where_nothing_was_found() {
        let choices = || (0..9).map(|least| (f64::from(least), Some(Choice(0.0, None))));
        let tried = cheapest_choice(
            choices(),
            ChoiceBudget { sized: 4, made: 9 },
            &WatchHandle::NOBODY,
            size,
        )
        .err();
        let reason = Box::new(Infeasible::Several);
        assert_eq!(tried, Some(Infeasible::Unfinished { tried: 4, reason }));
        let all = cheapest_choice(
            choices(),
            ChoiceBudget { sized: 20, made: 20 },
            &WatchHandle::NOBODY,
            size,
        )
        .err();
        assert_eq!(all, Some(Infeasible::Several));
    }

    /// A program that gave up leaves its choice open.
    #[test]
    fn what_a_program_leaves_open_is_open() {
        let size = |choice: &Choice| choice.1.map(Joint).ok_or(Infeasible::Unknown);
        let choices = [(5.0, Some(Choice(6.0, None))), (7.0, Some(Choice(7.0, Some(8.0))))];
        let solved = cheapest_choice(
            choices.into_iter(),
            ChoiceBudget::for_clusters(1),
            &WatchHandle::NOBODY,
            size,
        )
        .expect("one is built");
        assert_eq!(solved.overall_proof_status().status, Status::Incumbent);
        assert!((solved.overall_proof_status().gap - 0.25).abs() < 1e-12);
    }
}

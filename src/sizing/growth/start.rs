//! Simple answers: one stage after another, each with what is in hand; and the last stage first,
//! the others with what it will have anyway.

use super::problem::StagesProblem;
use super::sum::{PartsInHand, StageBuilds};
use crate::sizing::back_end::Options;
use crate::sizing::solve::solve_sizing_problem;

/// Simple answers, whether or not the money for all suffices.
pub(super) fn simple_answers(
    growth: &StagesProblem,
    options: &Options,
) -> impl Iterator<Item = StageBuilds> {
    let both = [one_by_one(growth, options), last_first(growth, options)];
    both.into_iter().flatten().map(|copies| StageBuilds::from_copies(growth, copies))
}

/// Each stage as if it were the last.
fn one_by_one(growth: &StagesProblem, options: &Options) -> Option<Vec<Vec<Vec<u64>>>> {
    let mut hand = PartsInHand::from_stock(growth);
    let mut all = Vec::new();
    for stage in &growth.stages {
        let found = solve_sizing_problem(&hand.parts_in_hand(stage), options).ok()?;
        hand.keep_bought(&found.used);
        all.push(found.copies);
    }
    Some(all)
}

/// The last stage by itself; the others as if its parts were there already.
fn last_first(growth: &StagesProblem, options: &Options) -> Option<Vec<Vec<Vec<u64>>>> {
    let mut hand = PartsInHand::from_stock(growth);
    let (last, others) = growth.stages.split_last()?;
    let end = solve_sizing_problem(&hand.parts_in_hand(last), options).ok()?;
    hand.keep_bought(&end.used);
    let mut all = Vec::new();
    for stage in others {
        all.push(solve_sizing_problem(&hand.parts_in_hand(stage), options).ok()?.copies);
    }
    all.push(end.copies);
    Some(all)
}

//! Simple answers: one stage after another, each with what is in hand; and the last stage first,
//! the others with what it will have anyway.

use super::problem::Growth;
use super::sum::{Found, Hand};
use crate::sizing::back_end::Options;
use crate::sizing::solve::solve;

/// Simple answers, whether or not the money for all suffices.
pub(super) fn starts(growth: &Growth, options: &Options) -> impl Iterator<Item = Found> {
    let both = [one_by_one(growth, options), last_first(growth, options)];
    both.into_iter().flatten().map(|copies| Found::of(growth, copies))
}

/// Each stage as if it were the last.
fn one_by_one(growth: &Growth, options: &Options) -> Option<Vec<Vec<Vec<u64>>>> {
    let mut hand = Hand::of(growth);
    let mut all = Vec::new();
    for stage in &growth.stages {
        let found = solve(&hand.dealt(stage), options).ok()?;
        hand.keep(&found.used);
        all.push(found.copies);
    }
    Some(all)
}

/// The last stage by itself; the others as if its parts were there already.
fn last_first(growth: &Growth, options: &Options) -> Option<Vec<Vec<Vec<u64>>>> {
    let mut hand = Hand::of(growth);
    let (last, others) = growth.stages.split_last()?;
    let end = solve(&hand.dealt(last), options).ok()?;
    hand.keep(&end.used);
    let mut all = Vec::new();
    for stage in others {
        all.push(solve(&hand.dealt(stage), options).ok()?.copies);
    }
    all.push(end.copies);
    Some(all)
}

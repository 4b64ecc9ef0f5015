//! The program's answer to an instance beside the best design of its feasible set.

use crate::feasible_set::advice;
use crate::feasible_set::audit;
use crate::feasible_set::claims;
use crate::feasible_set::instance::{Instance, Survive};
use crate::feasible_set::network::{Best, best};
use crate::feasible_set::product::{Answer, Design, answer};
use crate::feasible_set::second::Second;
use crate::feasible_set::site::Freedom;
use crate::feasible_set::tokens;
use crate::feasible_set::witness::{faults, words};

/// What an answer must not fall behind, from the plainest to the freest: a failure is told with
/// the plainest that shows it.
const RIVALS: [Freedom; 2] = [Freedom::Alike, Freedom::Split];

/// The freedoms whose designs survive what an instance asks for: rails with spines of their own beside
/// shared ones are not told after a loss, nor timed.
fn rivals(instance: &Instance) -> &'static [Freedom] {
    let timed = instance.second.as_ref().is_some_and(Second::is_timed);
    if instance.survive == Survive::default() && !timed { &RIVALS } else { &RIVALS[..1] }
}

/// What instances came to.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Without a design.
    infeasible: u32,
    /// With a design that is said to be the best there is.
    proven: u32,
    /// With a design of which that is not said.
    not_proven: u32,
    /// With two workloads.
    pub(crate) two: u32,
    /// Of these, with steps that may be too long, or decide what a token costs.
    timed: u32,
    /// Of these, with a cheaper design if they were not.
    pub(crate) decided: u32,
    /// With the cost of a token as the goal.
    tokens: u32,
}

impl Tally {
    fn count(&mut self, instance: &Instance, design: &Design) {
        let which = if design.proven() { &mut self.proven } else { &mut self.not_proven };
        *which += 1;
        let Some(second) = instance.second.as_ref().filter(|second_limit| second_limit.is_timed())
        else {
            return;
        };
        self.timed += 1;
        self.tokens += u32::from(second.tokens);
        let alone = Instance { second: None, ..instance.clone() };
        let below = design.amount(instance.goals[0]) * (1.0 - 1e-6);
        let cheaper = |this_best: Best| this_best.totals.amount(instance.goals[0]) < below;
        self.decided += u32::from(best(&alone, Freedom::Alike, below).is_some_and(cheaper));
    }
}

/// What is wrong with the program's answer; empty: nothing.
pub(crate) fn judge(instance: &Instance, tally: &mut Tally) -> Vec<String> {
    tally.two += u32::from(instance.second.is_some());
    match answer(instance) {
        Answer::Failed(text) => vec![format!("FAILED {text}")],
        Answer::Infeasible(text) => {
            tally.infeasible += 1;
            let exists = rivals(instance)
                .iter()
                .find_map(|freedom| found(instance, *freedom, f64::INFINITY));
            let told =
                |best| format!("FALSE-INFEASIBLE {text}\n  exists: {}", words(instance, &best));
            exists.map(told).map_or_else(|| advice::faults(instance, &text), |name| vec![name])
        }
        Answer::Design(design) => {
            tally.count(instance, &design);
            let audit = audit::faults(instance, &design);
            let mut faults: Vec<String> =
                audit.into_iter().map(|name| format!("AUDIT {name}")).collect();
            faults.extend(tokens::faults(instance, &design));
            faults.extend(match &instance.second {
                Some(second) if second.tokens => tokens::beaten(instance, &design),
                _ => beside(instance, &design),
            });
            if faults.is_empty() && instance.survive == Survive::default() {
                faults.extend(claims::faults(instance, &design));
            }
            faults
        }
    }
}

/// A design beside the best ones.
fn beside(instance: &Instance, design: &Design) -> Option<String> {
    let bound = design.amount(instance.goals[0]);
    for freedom in rivals(instance).iter().copied() {
        let Some(best) = found(instance, freedom, bound) else { continue };
        let lost = beyond(instance, design, &best);
        if lost > 0.0 {
            let gap = design.number("/solver/gap") * bound * (1.0 + 1e-6);
            let kind = if !design.proven() && lost <= gap { "WITHIN-GAP" } else { "BEATEN" };
            let exists = words(instance, &best);
            return Some(format!("{kind} by {lost} {}\n  exists: {exists}", design.words()));
        }
    }
    // Three tiers are not in the feasible set that is enumerated.
    if design.count("/fabric/cores") > 0 {
        return None;
    }
    let Some(best) = found(instance, Freedom::Shared, bound) else {
        return Some(format!("OUTSIDE nothing as cheap as {}", design.words()));
    };
    (beyond(instance, design, &best) < 0.0)
        .then(|| format!("OUTSIDE {}\n  least: {}", design.words(), words(instance, &best)))
}

/// By how much a design is above the best by the first goal by which they differ; below: negative.
fn beyond(instance: &Instance, design: &Design, best: &Best) -> f64 {
    let pairs = instance.goals.iter().map(|goal| (design.amount(*goal), best.totals.amount(*goal)));
    let mut differ = pairs.filter(|(printed, least)| (printed - least).abs() > 1e-9 * least.abs());
    differ.next().map_or(0.0, |(printed, least)| printed - least)
}

/// The best design, checked rule by rule: a slip of the enumeration itself stops the test.
fn found(instance: &Instance, freedom: Freedom, bound: f64) -> Option<Best> {
    let best = best(instance, freedom, bound)?;
    let faults = faults(instance, &best);
    assert!(faults.is_empty(), "{faults:?}\n{}\n{}", words(instance, &best), instance.toml());
    Some(best)
}

//! The best choice of candidates for all parts, once routing finds no step longer than it was timed.

use super::choice::{Choice, choices};
use super::in_turn::in_turn;
use super::program::{Joint, solve};
use crate::design::answer::rounds::Round;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::fabric::instance::Tools;
use crate::design::fabric::terms::Terms;
use crate::design::several::choices::{Budget, Solved, cheapest};
use crate::design::several::ready::{Ready, all_ready, any_corrected, retimed};
use crate::scenario::Scenario;
use crate::sizing::Options;

/// What `tell` makes of the best choice of candidates, once routing its parts no longer finds a step
/// longer than it was timed; it also gets all candidates, part by part.
///
/// # Errors
/// Why a part has no design, or what all of them need together.
pub(super) fn answered<T>(
    scenario: &Scenario,
    parts: &[Scenario],
    options: &Options,
    tell: impl FnOnce(&[Vec<Ready<'_>>], Solved<Choice<'_, '_>, Joint>) -> T,
) -> Result<T, Infeasible> {
    let mut tools = Tools::watched(options);
    let mut all = all_ready(parts.iter(), false, &mut tools).map_err(|(place, reason)| {
        let workload = scenario.workloads().nth(place);
        workload.map_or(Infeasible::Unknown, |workload| reason.of(scenario, workload))
    })?;
    let terms = Terms::of(scenario);
    let mut round = Round::default();
    let mut floor = f64::INFINITY;
    loop {
        let solved = best(scenario, parts, &all, &terms, &mut tools)?;
        let built = solved.joint.built(&solved.choice);
        let refuted = any_corrected(&solved.choice.ready, &built, round);
        if refuted && tools.is_stopped() {
            return Err(Infeasible::Interrupted);
        }
        let Some(next) = round.next().filter(|_| refuted) else {
            return Ok(tell(&all, solved.beside(floor)));
        };
        floor = floor.min(solved.bound());
        all = retimed(all, false, &mut tools);
        round = next;
    }
}

/// The best choice of candidates by the times that are known.
fn best<'r, 'a>(
    scenario: &Scenario,
    parts: &[Scenario],
    all: &'r [Vec<Ready<'a>>],
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Result<Solved<Choice<'r, 'a>, Joint>, Infeasible> {
    let any = all.iter().map(|part| part.iter().collect()).collect();
    let mut any = choices(any).peekable();
    let least = any.peek().map_or(0.0, |(least, _)| *least);
    let guess = in_turn(scenario, parts, all, tools);
    let guess = guess.into_iter().map(|choice| (least, Some(choice)));
    let options = tools.options;
    let budget = Budget::of(all.len());
    let size = |choice: &Choice<'_, '_>| solve(choice, terms, options);
    cheapest(guess.chain(any), (budget, &options.watch), size)
}

//! The best choice of candidates for all parts, once routing finds no step longer than it was timed.

use super::choice::{PartChoice, part_choices};
use super::in_turn::size_parts_one_after_another;
use super::program::{PartsProgram, size_parts};
use crate::design::answer::rounds::RoutingRound;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::fabric::instance::SizingTools;
use crate::design::fabric::terms::Terms;
use crate::design::several::choices::{ChoiceBudget, ChoiceResult, cheapest_choice};
use crate::design::several::ready::{
    ReadyCandidate, any_slower_when_routed, ready_candidates, retime_candidates,
};
use crate::scenario::Scenario;
use crate::sizing::Options;

/// What `tell` makes of the best choice of candidates, once routing its parts no longer finds a step
/// longer than it was timed; it also gets all candidates, part by part.
///
/// # Errors
/// Why a part has no design, or what all of them need together.
pub(super) fn best_routed_choice<T>(
    scenario: &Scenario,
    parts: &[Scenario],
    options: &Options,
    tell: impl FnOnce(&[Vec<ReadyCandidate<'_>>], ChoiceResult<PartChoice<'_, '_>, PartsProgram>) -> T,
) -> Result<T, Infeasible> {
    let mut tools = SizingTools::with_watch(options);
    let mut all =
        ready_candidates(parts.iter(), false, &mut tools).map_err(|(place, reason)| {
            let workload = scenario.workloads().nth(place);
            workload.map_or(Infeasible::Unknown, |workload| reason.for_workload(scenario, workload))
        })?;
    let terms = Terms::from_scenario(scenario);
    let mut round = RoutingRound::default();
    let mut floor = f64::INFINITY;
    loop {
        let solved = best_part_choice(scenario, parts, &all, &terms, &mut tools)?;
        let built = solved.joint.part_fabrics(&solved.choice);
        let refuted = any_slower_when_routed(&solved.choice.ready, &built, round);
        if refuted && tools.is_stopped() {
            return Err(Infeasible::Interrupted);
        }
        let Some(next) = round.next_round().filter(|_| refuted) else {
            return Ok(tell(&all, solved.with_other_bound(floor)));
        };
        floor = floor.min(solved.objective_lower_bound());
        all = retime_candidates(all, false, &mut tools);
        round = next;
    }
}

/// The best choice of candidates by the times that are known.
fn best_part_choice<'r, 'a>(
    scenario: &Scenario,
    parts: &[Scenario],
    all: &'r [Vec<ReadyCandidate<'a>>],
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Result<ChoiceResult<PartChoice<'r, 'a>, PartsProgram>, Infeasible> {
    let any = all.iter().map(|part| part.iter().collect()).collect();
    let mut any = part_choices(any).peekable();
    let least = any.peek().map_or(0.0, |(least, _)| *least);
    let guess = size_parts_one_after_another(scenario, parts, all, tools);
    let guess = guess.into_iter().map(|choice| (least, Some(choice)));
    let options = tools.options;
    let budget = ChoiceBudget::for_clusters(all.len());
    let size = |choice: &PartChoice<'_, '_>| size_parts(choice, terms, options);
    cheapest_choice(guess.chain(any), (budget, &options.watch), size)
}

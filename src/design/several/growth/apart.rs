//! What stages cost that know nothing of each other: the price of not planning ahead, and that of
//! not waiting.

use super::choice::machines_stay;
use crate::design::candidate::job::Job;
use crate::design::candidate::list::Candidate;
use crate::design::candidate::money::bill_of_materials;
use crate::design::fabric::choose::size_network;
use crate::design::fabric::instance::SizingTools;
use crate::design::fabric::sized::{SizedFabric, is_preferred};
use crate::design::fabric::terms::Terms;
use crate::design::several::ready::ReadyCandidate;
use crate::design::several::stock::{StockInHand, scenario_of_stage};
use crate::scenario::{Minimize, Scenario, Stage};
use crate::units::Usd;

/// Each stage designed as if it were the last, with what the ones before it bought; in today's
/// money. `None` where one has no design, or money runs out on the way.
pub(super) fn cost_without_planning_ahead(
    scenario: &Scenario,
    stages: &[Stage],
    all: &[Vec<ReadyCandidate<'_>>],
    tools: &mut SizingTools<'_>,
) -> Option<Usd> {
    let mut inventory = StockInHand::from_scenario(scenario);
    let (mut sum, mut paid) = (Usd::ZERO, Usd::ZERO);
    let mut before: Option<&Job<'_>> = None;
    for (stage, ready) in stages.iter().zip(all) {
        let stocked = inventory.scenario_with_stock(&scenario_of_stage(stage));
        let mut best: Option<(&Job<'_>, SizedFabric)> = None;
        for Candidate { job, planes, protocol } in ready.iter().map(|ready| &ready.candidate) {
            if !before.is_none_or(|before| machines_stay(before, job)) {
                continue;
            }
            let terms =
                Terms { protocol: *protocol, silent: true, ..Terms::from_scenario(&stocked) };
            let with_stock = Job { scenario: &stocked, ..job.clone() };
            let Ok(sized) = size_network(&with_stock, *planes, &terms, tools) else { continue };
            if best.as_ref().is_none_or(|(_, known)| is_preferred(&sized, known)) {
                best = Some((job, sized));
            }
        }
        let (job, sized) = best?;
        let lines =
            bill_of_materials(&Job { scenario: &stocked, ..job.clone() }, Some(&sized.counts));
        sum += Usd::from_f64(sized.value * scenario.objective.present_value(stage.year));
        paid += lines.iter().map(|line| line.total).sum();
        inventory.use_up(&lines);
        before = Some(job);
    }
    let affordable = scenario.limits.budget.is_none_or(|most| paid <= most);
    affordable.then_some(sum)
}

/// The last stage bought at the start, where nothing but what is bought counts.
pub(super) fn cost_of_buying_last_stage_first(
    all: &[Vec<ReadyCandidate<'_>>],
    scenario: &Scenario,
) -> Option<Usd> {
    if scenario.objective.minimize != Minimize::Capex {
        return None;
    }
    let least = all.last()?.iter().map(|ready| ready.alone).min_by(f64::total_cmp)?;
    Some(Usd::from_f64(least))
}

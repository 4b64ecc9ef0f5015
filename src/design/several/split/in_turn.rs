//! A first guess at the parts together: one after another, each on the candidate that costs least
//! with the stock that the ones before it leave. Proves nothing.

use super::choice::PartChoice;
use crate::design::candidate::job::Job;
use crate::design::candidate::money::bill_of_materials;
use crate::design::fabric::choose::size_network;
use crate::design::fabric::instance::SizingTools;
use crate::design::fabric::sized::{SizedFabric, is_preferred};
use crate::design::fabric::terms::Terms;
use crate::design::several::ready::ReadyCandidate;
use crate::design::several::stock::StockInHand;
use crate::scenario::Scenario;

/// The choice of those candidates: no dearer than all parts without any stock. `None` where nothing
/// is in stock, as then the cheapest candidates alone are such a choice, and where a part is left
/// without a design.
pub(super) fn size_parts_one_after_another<'r, 'a>(
    scenario: &Scenario,
    parts: &[Scenario],
    all: &'r [Vec<ReadyCandidate<'a>>],
    tools: &mut SizingTools<'_>,
) -> Option<PartChoice<'r, 'a>> {
    if scenario.inventory.is_empty() {
        return None;
    }
    let mut inventory = StockInHand::from_scenario(scenario);
    let mut chosen = Vec::new();
    for (part, candidates) in parts.iter().zip(all) {
        let stocked = inventory.scenario_with_stock(part);
        let mut best: Option<(&ReadyCandidate<'_>, SizedFabric)> = None;
        for ready in candidates {
            // What it takes with all the stock it takes with less of it too.
            if best.as_ref().is_some_and(|(_, known)| ready.least > known.value) {
                continue;
            }
            let protocol = ready.candidate.protocol;
            let terms = Terms { protocol, silent: true, ..Terms::from_scenario(&stocked) };
            let job = Job { scenario: &stocked, ..ready.candidate.job.clone() };
            let Ok(sized) = size_network(&job, ready.candidate.planes, &terms, tools) else {
                continue;
            };
            if best.as_ref().is_none_or(|(_, known)| is_preferred(&sized, known)) {
                best = Some((ready, sized));
            }
        }
        let (ready, sized) = best?;
        let job = Job { scenario: &stocked, ..ready.candidate.job.clone() };
        inventory.use_up(&bill_of_materials(&job, Some(&sized.counts)));
        chosen.push(ready);
    }
    Some(PartChoice::from_candidates(chosen))
}

//! A first guess at the parts together: one after another, each on the candidate that costs least
//! with the stock that the ones before it leave. Proves nothing.

use super::choice::Choice;
use crate::design::candidate::job::Job;
use crate::design::candidate::money::bill_of;
use crate::design::fabric::choose::size;
use crate::design::fabric::instance::Tools;
use crate::design::fabric::sized::{Sized, preferred};
use crate::design::fabric::terms::Terms;
use crate::design::several::ready::Ready;
use crate::design::several::stock::Inventory;
use crate::scenario::Scenario;

/// The choice of those candidates: no dearer than all parts without any stock. `None` where nothing
/// is in stock, as then the cheapest candidates alone are such a choice, and where a part is left
/// without a design.
pub(super) fn in_turn<'r, 'a>(
    scenario: &Scenario,
    parts: &[Scenario],
    all: &'r [Vec<Ready<'a>>],
    tools: &mut Tools<'_>,
) -> Option<Choice<'r, 'a>> {
    if scenario.inventory.is_empty() {
        return None;
    }
    let mut inventory = Inventory::of(scenario);
    let mut chosen = Vec::new();
    for (part, candidates) in parts.iter().zip(all) {
        let stocked = inventory.deal(part);
        let mut best: Option<(&Ready<'_>, Sized)> = None;
        for ready in candidates {
            // What it takes with all the stock it takes with less of it too.
            if best.as_ref().is_some_and(|(_, known)| ready.least > known.value) {
                continue;
            }
            let protocol = ready.candidate.protocol;
            let terms = Terms { protocol, silent: true, ..Terms::of(&stocked) };
            let job = Job { scenario: &stocked, ..ready.candidate.job.clone() };
            let Ok(sized) = size(&job, ready.candidate.planes, &terms, tools) else { continue };
            if best.as_ref().is_none_or(|(_, known)| preferred(&sized, known)) {
                best = Some((ready, sized));
            }
        }
        let (ready, sized) = best?;
        let job = Job { scenario: &stocked, ..ready.candidate.job.clone() };
        inventory.take(&bill_of(&job, Some(&sized.counts)));
        chosen.push(ready);
    }
    Some(Choice::of(chosen))
}

//! What stages cost that know nothing of each other: the price of not planning ahead, and that of
//! not waiting.

use super::choice::stays;
use crate::design::candidate::job::Job;
use crate::design::candidate::list::Candidate;
use crate::design::candidate::money::bill_of;
use crate::design::fabric::choose::size;
use crate::design::fabric::instance::Tools;
use crate::design::fabric::sized::{Sized, preferred};
use crate::design::fabric::terms::Terms;
use crate::design::several::ready::Ready;
use crate::design::several::stock::{Inventory, as_asked};
use crate::scenario::{Minimize, Scenario, Stage};
use crate::units::Usd;

/// Each stage designed as if it were the last, with what the ones before it bought; in today's
/// money. `None` where one has no design, or money runs out on the way.
pub(super) fn one_by_one(
    scenario: &Scenario,
    stages: &[Stage],
    all: &[Vec<Ready<'_>>],
    tools: &mut Tools<'_>,
) -> Option<Usd> {
    let mut inventory = Inventory::of(scenario);
    let (mut sum, mut paid) = (Usd::ZERO, Usd::ZERO);
    let mut before: Option<&Job<'_>> = None;
    for (stage, ready) in stages.iter().zip(all) {
        let stocked = inventory.deal(&as_asked(stage));
        let mut best: Option<(&Job<'_>, Sized)> = None;
        for Candidate { job, planes, protocol } in ready.iter().map(|ready| &ready.candidate) {
            if !before.is_none_or(|before| stays(before, job)) {
                continue;
            }
            let terms = Terms { protocol: *protocol, silent: true, ..Terms::of(&stocked) };
            let with_stock = Job { scenario: &stocked, ..job.clone() };
            let Ok(sized) = size(&with_stock, *planes, &terms, tools) else { continue };
            if best.as_ref().is_none_or(|(_, known)| preferred(&sized, known)) {
                best = Some((job, sized));
            }
        }
        let (job, sized) = best?;
        let lines = bill_of(&Job { scenario: &stocked, ..job.clone() }, Some(&sized.counts));
        sum += Usd::of(sized.value * scenario.objective.present(stage.year));
        paid += lines.iter().map(|line| line.total).sum();
        inventory.take(&lines);
        before = Some(job);
    }
    let affordable = scenario.limits.budget.is_none_or(|most| paid <= most);
    affordable.then_some(sum)
}

/// The last stage bought at the start, where nothing but what is bought counts.
pub(super) fn at_once(all: &[Vec<Ready<'_>>], scenario: &Scenario) -> Option<Usd> {
    if scenario.objective.minimize != Minimize::Capex {
        return None;
    }
    let least = all.last()?.iter().map(|ready| ready.alone).min_by(f64::total_cmp)?;
    Some(Usd::of(least))
}

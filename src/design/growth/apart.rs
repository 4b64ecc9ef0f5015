//! What stages cost that know nothing of each other: the price of not planning ahead, and that of
//! not waiting.

use super::hand::Hand;
use crate::design::candidates::{best, candidates, entries};
use crate::design::choose::Tools;
use crate::design::money::bill_of;
use crate::design::ready::Ready;
use crate::design::terms::Terms;
use crate::design::yard::Yard;
use crate::scenario::{Cluster, Minimize, Scenario, Stage};
use crate::sizing::Options;
use crate::units::Usd;

/// Each stage designed as if it were the last, with what the ones before it bought; in today's
/// money. `None` where one has no design, or money runs out on the way.
pub(super) fn one_by_one(scenario: &Scenario, stages: &[Stage], options: &Options) -> Option<Usd> {
    let mut hand = Hand::of(scenario);
    let (mut sum, mut paid) = (Usd::ZERO, Usd::ZERO);
    let mut product = None;
    for stage in stages {
        let mut stocked = hand.deal(stage);
        if let Some((node, nic)) = product {
            // Machines stay.
            let (nodes, nics) = (vec![node], vec![nic]);
            stocked.cluster = Cluster { nodes, nics, ..stocked.cluster };
        }
        let terms = Terms { silent: true, ..Terms::of(&stocked) };
        let mut tools = Tools { options, yard: Yard::default() };
        let (all, failed) = candidates(&stocked);
        let (entries, _) = entries(&all, failed, &terms, &mut tools);
        let entry = &entries[best(&entries)?];
        let lines = bill_of(&entry.job, Some(&entry.sized.counts));
        sum += Usd::of(entry.sized.value * scenario.objective.present(stage.year));
        paid += lines.iter().map(|line| line.total).sum();
        hand.keep(&lines);
        product = Some((entry.job.machine.node.clone(), entry.job.machine.nic.clone()));
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

//! What the machines of all stages cost over time. Sizes no network.

use crate::design::candidate::job::Job;
use crate::design::candidate::money::{Machines, bill_of};
use crate::design::several::ready::Ready;
use crate::design::several::stock::Inventory;
use crate::scenario::{Scenario, Stage};
use crate::units::{Usd, Watts};

/// The machines of all stages.
pub(super) struct Fleet {
    /// What the objective makes of them, in today's money.
    pub(super) value: Usd,
    /// What is paid for them.
    pub(super) paid: Usd,
    /// Power at each stage.
    pub(super) power: Vec<Watts>,
}

/// What machines cost: each is bought when it is first needed, at the prices that are `asked` then.
pub(super) fn fleet(
    scenario: &Scenario,
    stages: &[Stage],
    asked: &[Scenario],
    ready: &[&Ready<'_>],
) -> Fleet {
    let mut inventory = Inventory::of(scenario);
    let mut sum = Fleet { value: Usd::ZERO, paid: Usd::ZERO, power: Vec::new() };
    for ((stage, asked), ready) in stages.iter().zip(asked).zip(ready) {
        let stocked = inventory.deal(asked);
        let job = Job { scenario: &stocked, ..ready.candidate.job.clone() };
        let lines = bill_of(&job, None);
        let machines = Machines::billed(&stocked, &lines);
        let value = machines.alone(asked.objective.minimize);
        sum.value += Usd::of(value * scenario.objective.present(stage.year));
        sum.paid += machines.capex;
        sum.power.push(machines.power);
        inventory.take(&lines);
    }
    sum
}

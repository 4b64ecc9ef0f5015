//! What the machines of all stages cost over time. Sizes no network.

use crate::design::candidate::job::Job;
use crate::design::candidate::money::{MachineCost, bill_of_materials};
use crate::design::several::ready::ReadyCandidate;
use crate::design::several::stock::StockInHand;
use crate::scenario::{Scenario, Stage};
use crate::units::{Usd, Watts};

/// The machines of all stages.
pub(super) struct StageMachines {
    /// What the objective makes of them, in today's money.
    pub(super) value: Usd,
    /// What is paid for them.
    pub(super) paid: Usd,
    /// Power at each stage.
    pub(super) power: Vec<Watts>,
}

/// What machines cost: each is bought when it is first needed, at the prices that are `asked` then.
pub(super) fn stage_machine_costs(
    scenario: &Scenario,
    stages: &[Stage],
    asked: &[Scenario],
    ready: &[&ReadyCandidate<'_>],
) -> StageMachines {
    let mut inventory = StockInHand::from_scenario(scenario);
    let mut sum = StageMachines { value: Usd::ZERO, paid: Usd::ZERO, power: Vec::new() };
    for ((stage, asked), ready) in stages.iter().zip(asked).zip(ready) {
        let stocked = inventory.scenario_with_stock(asked);
        let job = Job { scenario: &stocked, ..ready.candidate.job.clone() };
        let lines = bill_of_materials(&job, None);
        let machines = MachineCost::from_bill(&stocked, &lines);
        let value = machines.value_without_network(asked.objective.minimize);
        sum.value += Usd::from_f64(value * scenario.objective.present_value(stage.year));
        sum.paid += machines.capex;
        sum.power.push(machines.power);
        inventory.use_up(&lines);
    }
    sum
}

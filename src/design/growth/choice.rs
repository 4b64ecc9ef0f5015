//! One candidate for each stage, all on one product with one interface, as machines stay; and what
//! the machines of such a choice cost over time. Sizes no network.

use crate::design::choices::{Value, by_value, every};
use crate::design::hand::{Hand, as_asked};
use crate::design::job::Job;
use crate::design::money::{Machines, bill_of, machines};
use crate::design::ready::Ready;
use crate::scenario::{Scenario, Stage};
use crate::units::{Usd, Watts};

/// One candidate for each stage.
pub(super) struct Choice<'r, 'a> {
    pub(super) ready: Vec<&'r Ready<'a>>,
    pub(super) fleet: Fleet,
    /// What it takes at least, in today's money.
    pub(super) least: f64,
}

/// The machines of all stages.
pub(super) struct Fleet {
    /// What the objective makes of them, in today's money.
    pub(super) value: Usd,
    /// What is paid for them.
    pub(super) paid: Usd,
    /// Power at each stage.
    pub(super) power: Vec<Watts>,
}

impl Value for Choice<'_, '_> {
    fn value(&self) -> f64 {
        self.least
    }
}

impl Choice<'_, '_> {
    /// The product.
    pub(super) fn product(&self) -> &str {
        self.ready[0].product()
    }

    /// `dgx-h100 with ndr-400g`.
    pub(super) fn words(&self) -> String {
        format!("{} with {}", self.product(), self.ready[0].candidate.job.machine.nic.name)
    }
}

/// Every choice, those that take least first; of equal ones in the order of the candidates.
pub(super) fn choices<'r, 'a>(
    scenario: &Scenario,
    stages: &[Stage],
    all: &'r [Vec<Ready<'a>>],
) -> Vec<Choice<'r, 'a>> {
    let asked: Vec<Scenario> = stages.iter().map(as_asked).collect();
    let choice = |ready: Vec<&'r Ready<'a>>| {
        let fleet = fleet(scenario, stages, &asked, &ready);
        // The network of the dearest stage, at the prices of its day.
        let network = ready.iter().zip(stages).map(|(ready, stage)| {
            let minimize = stage.scenario.objective.minimize;
            let alone = machines(&ready.candidate.job).alone(minimize);
            (ready.alone - alone) * stage.price * scenario.objective.present(stage.year)
        });
        let least = fleet.value.get() + network.fold(0.0, f64::max);
        Choice { ready, fleet, least }
    };
    let fits = |one: &Ready<'_>, next: &Ready<'_>| stays(&one.candidate.job, &next.candidate.job);
    by_value(every(all, fits).into_iter().map(choice))
}

/// Machines of one stage are there at the next.
pub(super) fn stays(one: &Job<'_>, next: &Job<'_>) -> bool {
    one.machine.node.name == next.machine.node.name
        && one.machine.nic.name == next.machine.nic.name
        && one.domains <= next.domains
}

/// What machines cost: each is bought when it is first needed, at the prices that are `asked` then.
fn fleet(scenario: &Scenario, stages: &[Stage], asked: &[Scenario], ready: &[&Ready<'_>]) -> Fleet {
    let mut hand = Hand::of(scenario);
    let mut sum = Fleet { value: Usd::ZERO, paid: Usd::ZERO, power: Vec::new() };
    for ((stage, asked), ready) in stages.iter().zip(asked).zip(ready) {
        let stocked = hand.deal(asked);
        let job = Job { scenario: &stocked, ..ready.candidate.job.clone() };
        let lines = bill_of(&job, None);
        let machines = Machines::billed(&job, &lines);
        let value = machines.alone(asked.objective.minimize);
        sum.value += Usd::of(value * scenario.objective.present(stage.year));
        sum.paid += machines.capex;
        sum.power.push(machines.power);
        hand.take(&lines);
    }
    sum
}

//! One candidate for each stage, all on one product with one interface, as machines stay; and what
//! the machines of such a choice cost over time. Sizes no network.

use super::hand::Hand;
use crate::design::choices::Value;
use crate::design::job::Job;
use crate::design::money::{bill_of, machines};
use crate::design::ready::Ready;
use crate::design::terms::energy_price;
use crate::scenario::{Minimize, Scenario, Stage};
use crate::units::{Usd, Watts};

/// One candidate for each stage.
pub(super) struct Choice<'r, 'a> {
    pub(super) ready: Vec<&'r Ready<'a>>,
    pub(super) machines: Machines,
    /// What it takes at least, in today's money.
    pub(super) least: f64,
}

/// The machines of all stages.
pub(super) struct Machines {
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
    let mut chains: Vec<Vec<&'r Ready<'a>>> = vec![Vec::new()];
    for stage in all {
        let longer = chains.iter().flat_map(|chain| {
            let fits = |ready: &&'r Ready<'a>| chain.last().is_none_or(|last| stays(last, ready));
            stage.iter().filter(fits).map(|ready| chain.iter().copied().chain([ready]).collect())
        });
        chains = longer.collect();
    }
    let choice = |ready: Vec<&'r Ready<'a>>| {
        let over = machines_of(scenario, stages, &ready);
        // The network of the dearest stage, at the prices of its day.
        let network = ready.iter().zip(stages).map(|(ready, stage)| {
            let minimize = stage.scenario.objective.minimize;
            let alone = machines(&ready.candidate.job).alone(minimize);
            (ready.alone - alone) * stage.price * scenario.objective.present(stage.year)
        });
        let least = over.value.get() + network.fold(0.0, f64::max);
        Choice { ready, machines: over, least }
    };
    let mut choices: Vec<Choice<'r, 'a>> = chains.into_iter().map(choice).collect();
    choices.sort_by(|a, b| a.least.total_cmp(&b.least));
    choices
}

/// Machines of one stage are there at the next.
fn stays(one: &Ready<'_>, next: &Ready<'_>) -> bool {
    let (one, next) = (&one.candidate.job, &next.candidate.job);
    one.machine.node.name == next.machine.node.name
        && one.machine.nic.name == next.machine.nic.name
        && one.domains <= next.domains
}

/// What machines cost: each is bought when it is first needed.
fn machines_of(scenario: &Scenario, stages: &[Stage], ready: &[&Ready<'_>]) -> Machines {
    let mut hand = Hand::of(scenario);
    let mut sum = Machines { value: Usd::ZERO, paid: Usd::ZERO, power: Vec::new() };
    for (stage, ready) in stages.iter().zip(ready) {
        let stocked = hand.deal(stage);
        let job = Job { scenario: &stocked, ..ready.candidate.job.clone() };
        let lines = bill_of(&job, None);
        let paid: Usd = lines.iter().map(|line| line.total).sum();
        let power = machines(&job).power;
        let energy = match stage.scenario.objective.minimize {
            Minimize::Capex => Usd::ZERO,
            of => energy_price(&stage.scenario, of) * power.get(),
        };
        sum.value += (paid + energy) * scenario.objective.present(stage.year);
        sum.paid += paid;
        sum.power.push(power);
        hand.keep(&lines);
    }
    sum
}

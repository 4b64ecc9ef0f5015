//! One candidate for each stage, all on one product with one interface, as machines stay; the order
//! in which such choices are tried; what machines cost over time. Sizes no network.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::choice_search::{ChoiceBound, merge_by_least};
use super::clusters::{StockInHand, scenario_of_day};
use super::combinations::Combinations;
use super::ready_candidates::ReadyCandidate;
use crate::cost::least_weights;
use crate::design::candidate::machine_cost::{MachineCost, bill_of_materials, cost_of_machines};
use crate::design::job::job::Job;
use crate::scenario::{ClusterQuestion, Minimize, Scenario};
use crate::units::{Usd, Watts};

/// One candidate for each stage.
pub(super) struct StageChoice<'r, 'a> {
    pub(super) ready: Vec<&'r ReadyCandidate<'a>>,
    pub(super) fleet: Rc<StageMachines>,
    /// What it takes at least, in today's money.
    lower_bound: f64,
}

impl ChoiceBound for StageChoice<'_, '_> {
    fn objective_value(&self) -> f64 {
        self.lower_bound
    }
}

impl StageChoice<'_, '_> {
    /// Product and interface.
    pub(super) fn machine_kind(&self) -> MachineKind<'_> {
        candidate_machine_kind(self.ready[0])
    }

    /// `dgx-h100 with ndr-400g`.
    pub(super) fn describe_choice(&self) -> String {
        let (product, interface) = self.machine_kind();
        format!("{product} with {interface}")
    }
}

/// Names of a product and an interface.
pub(super) type MachineKind<'r> = (&'r str, &'r str);

fn candidate_machine_kind<'r>(ready: &'r ReadyCandidate<'_>) -> MachineKind<'r> {
    (ready.product(), &ready.candidate.job.machine.nic.name)
}

/// Machines of one stage are there at the next.
pub(super) fn machines_stay(one: &Job<'_>, next: &Job<'_>) -> bool {
    one.machine.node.name == next.machine.node.name
        && one.machine.nic.name == next.machine.nic.name
        && one.domains <= next.domains
}

/// The candidates of all stages, and what their choices are weighed by.
pub(super) struct StageCandidates<'r, 'a> {
    scenario: &'r Scenario,
    stages: &'r [ClusterQuestion],
    scenarios: Vec<Scenario>,
    weights: Vec<StageWeights>,
    candidates: &'r [Vec<ReadyCandidate<'a>>],
}

impl<'r, 'a> StageCandidates<'r, 'a> {
    pub(super) fn new(
        scenario: &'r Scenario,
        stages: &'r [ClusterQuestion],
        all: &'r [Vec<ReadyCandidate<'a>>],
    ) -> Self {
        let asked = stages.iter().map(scenario_of_day).collect();
        Self {
            scenario,
            stages,
            scenarios: asked,
            weights: StageWeights::weights_of_all_stages(scenario, stages),
            candidates: all,
        }
    }

    /// Products with interfaces that every stage has candidates for, those that take least first.
    pub(super) fn machine_kinds(&self) -> Vec<MachineKind<'r>> {
        let mut known: Vec<(f64, MachineKind<'r>)> = Vec::new();
        for kind in self.candidates.first().into_iter().flatten().map(candidate_machine_kind) {
            if known.iter().all(|(_, other)| *other != kind)
                && let Some(least) = self.stage_combinations(kind).1.next_sum()
            {
                known.push((least, kind));
            }
        }
        known.sort_by(|a, b| a.0.total_cmp(&b.0));
        known.into_iter().map(|(_, kind)| kind).collect()
    }

    /// The candidates of a kind stage by stage, the cheapest alone first, and the ways through
    /// them.
    fn stage_combinations(
        &self,
        pair: MachineKind<'_>,
    ) -> (Vec<Vec<&'r ReadyCandidate<'a>>>, Combinations) {
        let stage = |all: &'r Vec<ReadyCandidate<'a>>| -> Vec<&'r ReadyCandidate<'a>> {
            let mut some: Vec<&ReadyCandidate<'a>> =
                all.iter().filter(|ready| candidate_machine_kind(ready) == pair).collect();
            // Where a stage weighs nothing, its cheapest candidate alone is the best guess.
            some.sort_by(|a, b| a.value_alone.total_cmp(&b.value_alone));
            some
        };
        let all: Vec<Vec<&ReadyCandidate<'_>>> = self.candidates.iter().map(stage).collect();
        let least = |(ready, weights): (&Vec<&ReadyCandidate<'_>>, &StageWeights)| -> Vec<f64> {
            ready.iter().map(|ready| weights.least_cost_added(ready)).collect()
        };
        let bounds: Vec<Vec<f64>> = all.iter().zip(&self.weights).map(least).collect();
        (all, Combinations::new(bounds))
    }

    /// The choices of all kinds, the best guesses first: see [`StageCandidates::choices_of_kind`].
    pub(super) fn choices_of_all_kinds(
        &self,
    ) -> impl Iterator<Item = (f64, Option<StageChoice<'r, 'a>>)> + use<'_, 'r, 'a> {
        let kinds = self.machine_kinds();
        let least = kinds
            .first()
            .and_then(|kind| self.stage_combinations(*kind).1.next_sum())
            .unwrap_or(0.0);
        let guesses =
            self.guess_uniform_choices(&kinds).into_iter().map(move |choice| (least, Some(choice)));
        guesses.chain(merge_by_least(kinds.into_iter().map(|kind| self.choices_of_kind(kind))))
    }

    /// Choices whose networks are alike at all stages, in planes, protocol and rank order: what one
    /// buys, the next ones can use. A few of them, those that take least first.
    fn guess_uniform_choices(&self, kinds: &[MachineKind<'r>]) -> Vec<StageChoice<'r, 'a>> {
        /// Most that are made.
        const GUESSES: usize = 8;
        let alike = |one: &ReadyCandidate<'_>, other: &ReadyCandidate<'_>| {
            let order =
                |candidate: &ReadyCandidate<'_>| candidate.candidate.job.lead_run().layout().order;
            one.candidate.planes == other.candidate.planes
                && one.candidate.protocol == other.candidate.protocol
                && order(one) == order(other)
        };
        let mut all = Vec::new();
        for kind in kinds {
            let (each, _) = self.stage_combinations(*kind);
            for first in each.first().into_iter().flatten() {
                let like = |stage: &Vec<&'r ReadyCandidate<'a>>| {
                    stage.iter().copied().find(|ready| alike(first, ready))
                };
                let ready: Option<Vec<&ReadyCandidate<'_>>> = each.iter().map(like).collect();
                all.extend(
                    ready
                        .and_then(|ready| self.choice_for_stages(ready, 0.0, &mut BTreeMap::new())),
                );
            }
        }
        all.sort_by(|a, b| a.lower_bound.total_cmp(&b.lower_bound));
        all.truncate(GUESSES);
        all
    }

    /// The choice of one candidate for each stage, which takes no less than `sum`; `None` where
    /// machines do not stay.
    fn choice_for_stages(
        &self,
        ready: Vec<&'r ReadyCandidate<'a>>,
        sum: f64,
        fleets: &mut BTreeMap<Vec<(u64, u64)>, Rc<StageMachines>>,
    ) -> Option<StageChoice<'r, 'a>> {
        let jobs = || ready.iter().map(|ready| &ready.candidate.job);
        if !jobs().zip(jobs().skip(1)).all(|(one, next)| machines_stay(one, next)) {
            return None;
        }
        // On one product with one interface, this is all that bills of machines depend on.
        let sizes = jobs().map(|job| (job.domains_to_buy(), job.host_memory_bought())).collect();
        let fleet = fleets.entry(sizes).or_insert_with(|| {
            Rc::new(stage_machine_costs(self.scenario, self.stages, &self.scenarios, &ready))
        });
        let fleet = Rc::clone(fleet);
        let least = sum.max(self.choice_cost_lower_bound(&fleet, &ready));
        Some(StageChoice { ready, fleet, lower_bound: least })
    }

    /// The choices of a kind, those that take least first: each with what no later one takes less
    /// than. `None` where machines do not stay.
    pub(super) fn choices_of_kind(
        &self,
        pair: MachineKind<'_>,
    ) -> impl Iterator<Item = (f64, Option<StageChoice<'r, 'a>>)> + use<'_, 'r, 'a> {
        let (all, ways) = self.stage_combinations(pair);
        let mut fleets = BTreeMap::new();
        ways.map(move |(sum, places)| {
            let ready = all.iter().zip(places).map(|(stage, place)| stage[place]).collect();
            (sum, self.choice_for_stages(ready, sum, &mut fleets))
        })
    }

    /// What a choice takes at least: its machines, and the network of the dearest stage at the
    /// prices of its day.
    fn choice_cost_lower_bound(&self, fleet: &StageMachines, ready: &[&ReadyCandidate<'_>]) -> f64 {
        let network = ready.iter().zip(self.stages).map(|(ready, stage)| {
            let minimize = stage.scenario.objective.minimize;
            let alone =
                cost_of_machines(&ready.candidate.job.fleet()).value_without_network(minimize);
            (ready.lower_bound - alone)
                * stage.price
                * self.scenario.objective.present_value(stage.name.start_year())
        });
        fleet.value.get() + network.fold(0.0, f64::max)
    }
}

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
fn stage_machine_costs(
    scenario: &Scenario,
    stages: &[ClusterQuestion],
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
        sum.value +=
            Usd::from_f64(value * scenario.objective.present_value(stage.name.start_year()));
        sum.paid += machines.capex;
        sum.power.push(machines.power);
        inventory.use_up(&lines);
    }
    sum
}

/// How much a dollar of one stage counts at least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StageWeights {
    /// Of what is bought: [`least_weights`].
    bought: f64,
    /// Of energy, which every stage pays for itself: its value today.
    paid: f64,
}

impl StageWeights {
    /// Of every stage.
    fn weights_of_all_stages(scenario: &Scenario, stages: &[ClusterQuestion]) -> Vec<Self> {
        let present: Vec<f64> = stages
            .iter()
            .map(|stage| scenario.objective.present_value(stage.name.start_year()))
            .collect();
        let prices = stages.iter().zip(&present).map(|(stage, present)| stage.price * present);
        let bought = least_weights(&prices.collect::<Vec<f64>>());
        bought.into_iter().zip(present).map(|(bought, paid)| Self { bought, paid }).collect()
    }

    /// What a candidate adds at least, in today's money.
    fn least_cost_added(&self, ready: &ReadyCandidate<'_>) -> f64 {
        let job = &ready.candidate.job;
        let machines = cost_of_machines(&job.fleet());
        let energy = match job.scenario.objective.minimize {
            Minimize::Tco => (machines.tco - machines.capex).get(),
            Minimize::Capex | Minimize::UsdPerToken | Minimize::Power => 0.0,
        };
        self.bought * ready.lower_bound + (self.paid - self.bought).max(0.0) * energy
    }
}

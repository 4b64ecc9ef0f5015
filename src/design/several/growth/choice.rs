//! One candidate for each stage, all on one product with one interface, as machines stay; and the
//! order in which such choices are tried. Sizes no network.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::fleet::{Fleet, fleet};
use super::weights::Weights;
use crate::design::candidate::job::Job;
use crate::design::candidate::money::machines;
use crate::design::several::choices::{Value, merged};
use crate::design::several::ready::Ready;
use crate::design::several::stock::as_asked;
use crate::design::several::ways::Ways;
use crate::scenario::{Scenario, Stage};

/// One candidate for each stage.
pub(super) struct Choice<'r, 'a> {
    pub(super) ready: Vec<&'r Ready<'a>>,
    pub(super) fleet: Rc<Fleet>,
    /// What it takes at least, in today's money.
    least: f64,
}

impl Value for Choice<'_, '_> {
    fn value(&self) -> f64 {
        self.least
    }
}

impl Choice<'_, '_> {
    /// Product and interface.
    pub(super) fn kind(&self) -> Kind<'_> {
        kind(self.ready[0])
    }

    /// `dgx-h100 with ndr-400g`.
    pub(super) fn words(&self) -> String {
        let (product, interface) = self.kind();
        format!("{product} with {interface}")
    }
}

/// Names of a product and an interface.
pub(super) type Kind<'r> = (&'r str, &'r str);

fn kind<'r>(ready: &'r Ready<'_>) -> Kind<'r> {
    (ready.product(), &ready.candidate.job.machine.nic.name)
}

/// Machines of one stage are there at the next.
pub(super) fn stays(one: &Job<'_>, next: &Job<'_>) -> bool {
    one.machine.node.name == next.machine.node.name
        && one.machine.nic.name == next.machine.nic.name
        && one.domains <= next.domains
}

/// The candidates of all stages, and what their choices are weighed by.
pub(super) struct Field<'r, 'a> {
    scenario: &'r Scenario,
    stages: &'r [Stage],
    asked: Vec<Scenario>,
    weights: Vec<Weights>,
    all: &'r [Vec<Ready<'a>>],
}

impl<'r, 'a> Field<'r, 'a> {
    pub(super) fn new(
        scenario: &'r Scenario,
        stages: &'r [Stage],
        all: &'r [Vec<Ready<'a>>],
    ) -> Self {
        let asked = stages.iter().map(as_asked).collect();
        Self { scenario, stages, asked, weights: Weights::of(scenario, stages), all }
    }

    /// Products with interfaces that every stage has candidates for, those that take least first.
    pub(super) fn kinds(&self) -> Vec<Kind<'r>> {
        let mut known: Vec<(f64, Kind<'r>)> = Vec::new();
        for kind in self.all.first().into_iter().flatten().map(kind) {
            if known.iter().all(|(_, other)| *other != kind)
                && let Some(least) = self.ways(kind).1.next_sum()
            {
                known.push((least, kind));
            }
        }
        known.sort_by(|a, b| a.0.total_cmp(&b.0));
        known.into_iter().map(|(_, kind)| kind).collect()
    }

    /// The candidates of a kind stage by stage, the cheapest alone first, and the ways through them.
    fn ways(&self, of: Kind<'_>) -> (Vec<Vec<&'r Ready<'a>>>, Ways) {
        let stage = |all: &'r Vec<Ready<'a>>| -> Vec<&'r Ready<'a>> {
            let mut some: Vec<&Ready<'a>> = all.iter().filter(|ready| kind(ready) == of).collect();
            // Where a stage weighs nothing, its cheapest candidate alone is the best guess.
            some.sort_by(|a, b| a.alone.total_cmp(&b.alone));
            some
        };
        let all: Vec<Vec<&Ready<'_>>> = self.all.iter().map(stage).collect();
        let least = |(ready, weights): (&Vec<&Ready<'_>>, &Weights)| -> Vec<f64> {
            ready.iter().map(|ready| weights.least(ready)).collect()
        };
        let bounds: Vec<Vec<f64>> = all.iter().zip(&self.weights).map(least).collect();
        (all, Ways::new(bounds))
    }

    /// The choices of all kinds, the best guesses first: see [`Field::of_kind`].
    pub(super) fn choices(
        &self,
    ) -> impl Iterator<Item = (f64, Option<Choice<'r, 'a>>)> + use<'_, 'r, 'a> {
        let kinds = self.kinds();
        let least = kinds.first().and_then(|kind| self.ways(*kind).1.next_sum()).unwrap_or(0.0);
        let guesses = self.guesses(&kinds).into_iter().map(move |choice| (least, Some(choice)));
        guesses.chain(merged(kinds.into_iter().map(|kind| self.of_kind(kind))))
    }

    /// Choices whose networks are alike at all stages, in planes, protocol and rank order: what one
    /// buys, the next ones can use. A few of them, those that take least first.
    fn guesses(&self, kinds: &[Kind<'r>]) -> Vec<Choice<'r, 'a>> {
        /// Most that are made.
        const GUESSES: usize = 8;
        let alike = |one: &Ready<'_>, other: &Ready<'_>| {
            let order = |of: &Ready<'_>| of.candidate.job.lead.layout().order;
            one.candidate.planes == other.candidate.planes
                && one.candidate.protocol == other.candidate.protocol
                && order(one) == order(other)
        };
        let mut all = Vec::new();
        for kind in kinds {
            let (each, _) = self.ways(*kind);
            for first in each.first().into_iter().flatten() {
                let like = |stage: &Vec<&'r Ready<'a>>| {
                    stage.iter().copied().find(|ready| alike(first, ready))
                };
                let ready: Option<Vec<&Ready<'_>>> = each.iter().map(like).collect();
                all.extend(ready.and_then(|ready| self.choice(ready, 0.0, &mut BTreeMap::new())));
            }
        }
        all.sort_by(|a, b| a.least.total_cmp(&b.least));
        all.truncate(GUESSES);
        all
    }

    /// The choice of one candidate for each stage, which takes no less than `sum`; `None` where
    /// machines do not stay.
    fn choice(
        &self,
        ready: Vec<&'r Ready<'a>>,
        sum: f64,
        fleets: &mut BTreeMap<Vec<(u64, u64)>, Rc<Fleet>>,
    ) -> Option<Choice<'r, 'a>> {
        let jobs = || ready.iter().map(|ready| &ready.candidate.job);
        if !jobs().zip(jobs().skip(1)).all(|(one, next)| stays(one, next)) {
            return None;
        }
        // On one product with one interface, this is all that bills of machines depend on.
        let sizes = jobs().map(|job| (job.bought(), job.host_memory_bought())).collect();
        let fleet = fleets
            .entry(sizes)
            .or_insert_with(|| Rc::new(fleet(self.scenario, self.stages, &self.asked, &ready)));
        let fleet = Rc::clone(fleet);
        let least = sum.max(self.least(&fleet, &ready));
        Some(Choice { ready, fleet, least })
    }

    /// The choices of a kind, those that take least first: each with what no later one takes less
    /// than. `None` where machines do not stay.
    pub(super) fn of_kind(
        &self,
        of: Kind<'_>,
    ) -> impl Iterator<Item = (f64, Option<Choice<'r, 'a>>)> + use<'_, 'r, 'a> {
        let (all, ways) = self.ways(of);
        let mut fleets = BTreeMap::new();
        ways.map(move |(sum, places)| {
            let ready = all.iter().zip(places).map(|(stage, place)| stage[place]).collect();
            (sum, self.choice(ready, sum, &mut fleets))
        })
    }

    /// What a choice takes at least: its machines, and the network of the dearest stage at the
    /// prices of its day.
    fn least(&self, fleet: &Fleet, ready: &[&Ready<'_>]) -> f64 {
        let network = ready.iter().zip(self.stages).map(|(ready, stage)| {
            let minimize = stage.scenario.objective.minimize;
            let alone = machines(&ready.candidate.job.fleet()).alone(minimize);
            (ready.least - alone) * stage.price * self.scenario.objective.present(stage.year)
        });
        fleet.value.get() + network.fold(0.0, f64::max)
    }
}

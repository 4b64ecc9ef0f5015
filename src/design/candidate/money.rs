//! The bill of a job, with a network or without. Multiplies no price itself.

use std::collections::BTreeMap;

use super::fleet::Fleet;
use super::job::Job;
use super::linking::Linking;
use super::run::Run;
use crate::cost::{
    BillLine, Bought, Cost, Parts, Running, bill, electricity, energy_of_one_watt, total,
};
use crate::fabric::Counts;
use crate::hardware::Switch;
use crate::scenario::{Minimize, Scenario};
use crate::sizing::Solution;
use crate::units::{Seconds, Usd, Watts};

/// Cost and power of a cluster without its network.
#[derive(Clone, Debug)]
pub(crate) struct Machines {
    pub(crate) capex: Usd,
    pub(crate) power: Watts,
    pub(crate) tco: Usd,
}

impl Machines {
    /// What they take of a quantity with such a network: dollars, watts, or for cost per token
    /// dollars times the seconds of a step over the share of the time that trains, which `time` is.
    pub(crate) fn value(
        &self,
        quantity: Minimize,
        network: &Solution,
        time: Seconds,
        scenario: &Scenario,
    ) -> f64 {
        let energy = energy_price(scenario, Minimize::Tco) * network.power.get();
        let tco = self.tco + (network.capex + energy);
        match quantity {
            Minimize::Capex => (self.capex + network.capex).get(),
            Minimize::Tco => tco.get(),
            Minimize::UsdPerToken => tco.get() * time.get(),
            Minimize::Power => (self.power + network.power).get(),
        }
    }
}

impl Machines {
    /// What they cost by a bill of nothing else.
    pub(crate) fn billed(scenario: &Scenario, lines: &[BillLine]) -> Self {
        let cost = total(lines, &Running::of(scenario, Seconds::ZERO, 1.0));
        Self { capex: cost.capex, power: cost.power, tco: cost.tco }
    }

    /// What no design with them takes less of on networks that take no less than that, in steps no shorter than
    /// `step`; in the units of a design's value where all of the time trains.
    pub(crate) fn least(&self, quantity: Minimize, network: Usd, step: Seconds) -> f64 {
        match quantity {
            Minimize::UsdPerToken => (self.tco + network).get() * step.get(),
            Minimize::Capex | Minimize::Tco | Minimize::Power => {
                self.alone(quantity) + network.get()
            }
        }
    }

    /// What they take of a quantity by themselves: dollars or watts.
    pub(crate) fn alone(&self, quantity: Minimize) -> f64 {
        match quantity {
            Minimize::Capex => self.capex.get(),
            Minimize::Tco | Minimize::UsdPerToken => self.tco.get(),
            Minimize::Power => self.power.get(),
        }
    }
}

impl std::iter::Sum for Machines {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        let nothing = Self { capex: Usd::ZERO, power: Watts::ZERO, tco: Usd::ZERO };
        all.fold(nothing, |sum, of| Self {
            capex: sum.capex + of.capex,
            power: sum.power + of.power,
            tco: sum.tco + of.tco,
        })
    }
}

/// The bill of a job with a network, or without one.
pub(crate) fn bill_of(job: &Job<'_>, counts: Option<&Counts>) -> Vec<BillLine> {
    bill_with(job, counts, None)
}

/// Likewise, with what its links are bought as where that was counted piece by piece.
pub(crate) fn bill_with(
    job: &Job<'_>,
    counts: Option<&Counts>,
    pieces: Option<Vec<Bought<'_>>>,
) -> Vec<BillLine> {
    let of = job.scenario;
    bill(&parts(&job.fleet(), counts, pieces), &of.prices, &of.inventory, of.spares.as_ref())
}

/// What machines are made of, with a network or without one.
fn parts<'a>(
    fleet: &Fleet<'a>,
    counts: Option<&Counts>,
    pieces: Option<Vec<Bought<'a>>>,
) -> Parts<'a> {
    let catalogue = &fleet.scenario.catalogue;
    let used = |model: &str| counts.map_or(0, |counts| counts.switches_of(model));
    let switches = catalogue.switches.iter().map(|switch| (switch, used(&switch.name)));
    let switches = switches.filter(|(_, count)| *count > 0).collect();
    let linking = counts.map_or(Linking::ByEnd, |counts| linking_of(fleet, counts));
    let by_end = counts.filter(|_| !matches!(linking, Linking::Parts(..)));
    Parts {
        links: match (&linking, counts) {
            (Linking::Parts(parts, _), Some(counts)) => {
                pieces.unwrap_or_else(|| parts.bought(catalogue, counts))
            }
            _ => Vec::new(),
        },
        nodes: (fleet.machine.node, u64::from(fleet.domains)),
        standby: fleet.standby.domains,
        host_memory: fleet.host_memory,
        nic: fleet.machine.nic,
        switches,
        optics: by_end
            .map_or_else(Vec::new, Counts::transceivers_by_rate)
            .into_iter()
            .map(|(rate, count)| (rate, catalogue.optic(rate), count))
            .collect(),
    }
}

/// What the links of a fabric that was counted are bought as.
pub(crate) fn linking_of<'a>(fleet: &Fleet<'a>, counts: &Counts) -> Linking<'a> {
    let scenario = fleet.scenario;
    let Some(model) = leaf_of(scenario, counts) else { return Linking::ByEnd };
    Linking::of(scenario, fleet.machine, counts.ports_of_a_nic(), model.protocol)
}

/// The model of the switches that interfaces are plugged into; `None` where there are none.
pub(crate) fn leaf_of<'a>(scenario: &'a Scenario, counts: &Counts) -> Option<&'a Switch> {
    let first = counts.tiers.first()?;
    scenario.catalogue.switches.iter().find(|of| of.name == first.model)
}

/// Cost of a job with a network on which such a share of the time trains.
pub(crate) fn cost_of(job: &Job<'_>, lines: &[BillLine], step: Seconds, goodput: f64) -> Cost {
    total(lines, &Running::of(job.scenario, step, goodput))
}

/// Days of a workload's whole run with its share of the cluster's time.
pub(crate) fn run_days(run: &Run<'_>, step: Seconds) -> Option<f64> {
    let steps = run.workload.training.tokens? / run.step.tokens.max(1) as f64;
    Some(steps * step.get() / run.workload.share / Seconds::DAY.get())
}

/// What machines cost by themselves.
pub(crate) fn machines(fleet: &Fleet<'_>) -> Machines {
    let of = fleet.scenario;
    let parts = parts(fleet, None, None);
    Machines::billed(of, &bill(&parts, &of.prices, &of.inventory, of.spares.as_ref()))
}

/// What machines would cost if none were in stock.
pub(crate) fn machines_new(fleet: &Fleet<'_>) -> Machines {
    let lines = bill(&parts(fleet, None, None), &fleet.scenario.prices, &BTreeMap::new(), None);
    Machines::billed(fleet.scenario, &lines)
}

/// Cost of drawing a watt over the years, where the objective counts energy; a dollar where power
/// alone counts.
pub(crate) fn energy_price(scenario: &Scenario, minimize: Minimize) -> Usd {
    match minimize {
        Minimize::Capex => Usd::ZERO,
        Minimize::Power => Usd::of(1.0),
        Minimize::Tco | Minimize::UsdPerToken => energy_of_one_watt(
            scenario.objective.present_years(),
            scenario.objective.pue,
            electricity(&scenario.prices).map(|price| price.amount),
        ),
    }
}

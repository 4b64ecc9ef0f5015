//! The bill of a job, with a network or without. Multiplies no price itself.

use std::collections::BTreeMap;

use super::priced_links::LinkPurchase;
use crate::cost::{
    BillLine, BillParts, Cost, OperatingTime, PurchasedPart, bill_lines, electricity_price,
    energy_of_one_watt, sum_bill,
};
use crate::design::job::fleet::Fleet;
use crate::design::job::job::Job;
use crate::design::job::run::JobRun;
use crate::fabric::Counts;
use crate::hardware::Switch;
use crate::scenario::{Minimize, Scenario};
use crate::sizing::Solution;
use crate::units::{Seconds, Usd, Watts};

/// Cost and power of a cluster without its network.
#[derive(Clone, Debug)]
pub(crate) struct MachineCost {
    pub(crate) capex: Usd,
    pub(crate) power: Watts,
    pub(crate) tco: Usd,
}

impl MachineCost {
    /// What they take of a quantity with such a network: dollars, watts, or for cost per token
    /// dollars times the seconds of a step over the share of the time that trains, which `time` is.
    pub(crate) fn value_with_network(
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

impl MachineCost {
    /// What they cost by a bill of nothing else.
    pub(crate) fn from_bill(scenario: &Scenario, lines: &[BillLine]) -> Self {
        let cost = sum_bill(lines, &OperatingTime::from_step_time(scenario, Seconds::ZERO, 1.0));
        Self { capex: cost.capex, power: cost.power, tco: cost.tco }
    }

    /// What no design with them takes less of on networks that take no less than that, in steps no
    /// shorter than
    /// `step`; in the units of a design's value where all of the time trains.
    pub(crate) fn value_lower_bound(&self, quantity: Minimize, network: Usd, step: Seconds) -> f64 {
        match quantity {
            Minimize::UsdPerToken => (self.tco + network).get() * step.get(),
            Minimize::Capex | Minimize::Tco | Minimize::Power => {
                self.value_without_network(quantity) + network.get()
            }
        }
    }

    /// What they take of a quantity by themselves: dollars or watts.
    pub(crate) fn value_without_network(&self, quantity: Minimize) -> f64 {
        match quantity {
            Minimize::Capex => self.capex.get(),
            Minimize::Tco | Minimize::UsdPerToken => self.tco.get(),
            Minimize::Power => self.power.get(),
        }
    }
}

impl std::iter::Sum for MachineCost {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        let nothing = Self { capex: Usd::ZERO, power: Watts::ZERO, tco: Usd::ZERO };
        all.fold(nothing, |sum, cost| Self {
            capex: sum.capex + cost.capex,
            power: sum.power + cost.power,
            tco: sum.tco + cost.tco,
        })
    }
}

/// The bill of a job with a network, or without one.
pub(crate) fn bill_of_materials(job: &Job<'_>, counts: Option<&Counts>) -> Vec<BillLine> {
    bill_with_network(job, counts, None)
}

/// As `bill_of_materials`, with what its links are bought as where that was counted piece by piece.
pub(crate) fn bill_with_network(
    job: &Job<'_>,
    counts: Option<&Counts>,
    pieces: Option<Vec<PurchasedPart<'_>>>,
) -> Vec<BillLine> {
    let scenario = job.scenario;
    bill_lines(
        &bill_parts(&job.fleet(), counts, pieces),
        &scenario.prices,
        &scenario.inventory,
        scenario.spares.as_ref(),
    )
}

/// What machines are made of, with a network or without one.
fn bill_parts<'a>(
    fleet: &Fleet<'a>,
    counts: Option<&Counts>,
    pieces: Option<Vec<PurchasedPart<'a>>>,
) -> BillParts<'a> {
    let catalogue = &fleet.scenario.catalogue;
    let used = |model: &str| counts.map_or(0, |counts| counts.switches_of(model));
    let switches = catalogue.switches.iter().map(|switch| (switch, used(&switch.name)));
    let switches = switches.filter(|(_, count)| *count > 0).collect();
    let linking = counts.map_or(LinkPurchase::ByEnd, |counts| links_of_fabric(fleet, counts));
    let by_end = counts.filter(|_| !matches!(linking, LinkPurchase::Parts(..)));
    BillParts {
        links: match (&linking, counts) {
            (LinkPurchase::Parts(parts, _), Some(counts)) => {
                pieces.unwrap_or_else(|| parts.parts_to_buy(catalogue, counts))
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
            .map(|(rate, count)| (rate, catalogue.find_optic(rate), count))
            .collect(),
    }
}

/// What the links of a fabric that was counted are bought as.
pub(crate) fn links_of_fabric<'a>(fleet: &Fleet<'a>, counts: &Counts) -> LinkPurchase<'a> {
    let scenario = fleet.scenario;
    let Some(model) = leaf_model(scenario, counts) else { return LinkPurchase::ByEnd };
    LinkPurchase::for_machine(scenario, fleet.machine, counts.ports_of_a_nic(), model.protocol)
}

/// The model of the switches that interfaces are plugged into; `None` where there are none.
pub(crate) fn leaf_model<'a>(scenario: &'a Scenario, counts: &Counts) -> Option<&'a Switch> {
    let first = counts.tiers.first()?;
    scenario.catalogue.switches.iter().find(|switch| switch.name == first.model)
}

/// Cost of a job with a network on which such a share of the time trains.
pub(crate) fn total_cost(job: &Job<'_>, lines: &[BillLine], step: Seconds, goodput: f64) -> Cost {
    sum_bill(lines, &OperatingTime::from_step_time(job.scenario, step, goodput))
}

/// Days of a workload's whole run with its share of the cluster's time.
pub(crate) fn run_days(run: &JobRun<'_>, step: Seconds) -> Option<f64> {
    let steps = run.workload.training.tokens? / run.step.tokens.max(1) as f64;
    Some(steps * step.get() / run.workload.share / Seconds::DAY.get())
}

/// What machines cost by themselves.
pub(crate) fn cost_of_machines(fleet: &Fleet<'_>) -> MachineCost {
    let scenario = fleet.scenario;
    let parts = bill_parts(fleet, None, None);
    MachineCost::from_bill(
        scenario,
        &bill_lines(&parts, &scenario.prices, &scenario.inventory, scenario.spares.as_ref()),
    )
}

/// What machines would cost if none were in stock.
pub(crate) fn machines_new(fleet: &Fleet<'_>) -> MachineCost {
    let lines =
        bill_lines(&bill_parts(fleet, None, None), &fleet.scenario.prices, &BTreeMap::new(), None);
    MachineCost::from_bill(fleet.scenario, &lines)
}

/// Cost of drawing a watt over the years, where the objective counts energy; a dollar where power
/// alone counts.
pub(crate) fn energy_price(scenario: &Scenario, minimize: Minimize) -> Usd {
    match minimize {
        Minimize::Capex => Usd::ZERO,
        Minimize::Power => Usd::from_f64(1.0),
        Minimize::Tco | Minimize::UsdPerToken => energy_of_one_watt(
            scenario.objective.present_years(),
            scenario.objective.pue,
            electricity_price(&scenario.prices).map(|price| price.amount),
        ),
    }
}

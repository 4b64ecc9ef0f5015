//! The bill of a job, with a network or without. Multiplies no price itself.

use super::job::Job;
use super::running::Run;
use super::terms::energy_price;
use crate::cost::{BillLine, Cost, Parts, Running, bill, total};
use crate::fabric::Counts;
use crate::scenario::{Minimize, Scenario};
use crate::sizing::Solution;
use crate::units::{Seconds, Usd, Watts};

/// Cost and power of a cluster without its network.
#[derive(Clone, Debug)]
pub(super) struct Machines {
    pub(super) capex: Usd,
    pub(super) power: Watts,
    pub(super) tco: Usd,
}

impl Machines {
    /// What they take of a quantity with such a network: dollars, watts, or for cost per token
    /// dollars times the seconds of a step.
    pub(super) fn value(
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
    pub(super) fn billed(job: &Job<'_>, lines: &[BillLine]) -> Self {
        let cost = cost_of(job, lines, Seconds::ZERO);
        Self { capex: cost.capex, power: cost.power, tco: cost.tco }
    }

    /// What they take of a quantity by themselves: dollars or watts.
    pub(super) fn alone(&self, quantity: Minimize) -> f64 {
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
pub(super) fn bill_of(job: &Job<'_>, counts: Option<&Counts>) -> Vec<BillLine> {
    let catalogue = &job.scenario.catalogue;
    let used = |model: &str| counts.map_or(0, |counts| counts.switches_of(model));
    let switches = catalogue.switches.iter().map(|switch| (switch, used(&switch.name))).collect();
    let bought = Parts {
        nodes: (job.machine.node, u64::from(job.domains)),
        host_memory: job.host_memory_bought() * u64::from(job.domains),
        nics: (job.machine.nic, job.endpoints()),
        switches,
        optics: counts
            .map_or_else(Vec::new, Counts::transceivers_by_rate)
            .into_iter()
            .map(|(rate, count)| (rate, catalogue.optic(rate), count))
            .collect(),
    };
    bill(&bought, &job.scenario.prices, &job.scenario.inventory, job.scenario.spares.as_ref())
}

/// Cost of a job with a network.
pub(super) fn cost_of(job: &Job<'_>, lines: &[BillLine], step: Seconds) -> Cost {
    total(lines, &Running::of(job.scenario, step))
}

/// Days of a workload's whole run with its share of the cluster's time.
pub(super) fn run_days(run: &Run<'_>, step: Seconds) -> Option<f64> {
    let steps = run.workload.training.tokens? / run.step.tokens.max(1) as f64;
    Some(steps * step.get() / run.workload.share / Seconds::DAY.get())
}

/// What the machines cost by themselves.
pub(super) fn machines(job: &Job<'_>) -> Machines {
    Machines::billed(job, &bill_of(job, None))
}

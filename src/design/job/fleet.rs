//! Machines of a cluster, spare trays, what may fail in them.

use super::machine::Machine;
use crate::reliability::{
    Failures, Fault, NO_SPARE_TRAY, PerYear, Standby, Trays, goodput_upper_bound,
    mean_broken_domains, poisson_quantile,
};
use crate::scenario::Scenario;
use crate::units::Seconds;

/// Machines of one kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fleet<'a> {
    pub(crate) scenario: &'a Scenario,
    pub(crate) machine: Machine<'a>,
    pub(crate) domains: u32,
    /// HB domains that stand by for broken ones.
    pub(crate) standby: Standby,
    /// GPUs of a domain that hold ranks.
    pub(crate) used: u32,
    /// GiB that every host needs beyond what ships.
    pub(crate) host_memory: u64,
}

/// HB domains that a network joins, of so many that train and those that stand by.
pub(super) fn count_networked_domains(domains: u32, standby: Standby) -> u32 {
    if domains < 2 {
        return domains;
    }
    domains.saturating_add(u32::try_from(standby.with_ports()).unwrap_or(u32::MAX))
}

/// HB domains of a cluster that holds so many ranks on so many GPUs of each.
pub(in crate::design) fn domain_count(
    scenario: &Scenario,
    machine: Machine<'_>,
    ranks: u32,
    used: u32,
) -> u32 {
    let placed = ranks.div_ceil(used.max(1));
    scenario.cluster.gpus.div_ceil(machine.node.gpus.max(1)).max(placed)
}

impl<'a> Fleet<'a> {
    /// The fewest machines that have the GPUs of a scenario, none of which stands by. So few GPUs
    /// of each are used that no fault leaves too few.
    pub(in crate::design) fn fewest_machines(scenario: &'a Scenario, machine: Machine<'a>) -> Self {
        let domains = scenario.cluster.gpus.div_ceil(machine.node.gpus.max(1));
        Self { scenario, machine, domains, standby: Standby::NONE, used: 1, host_memory: 0 }
    }

    /// The fewest machines that have the GPUs of a scenario, so many of which hold ranks beside
    /// spare trays in each: from none up. None stands by.
    pub(crate) fn options_by_spare_trays(
        scenario: &'a Scenario,
        machine: Machine<'a>,
        ranks: u32,
    ) -> impl Iterator<Item = Self> {
        let (all, gpus) = (machine.node.gpus.max(1), scenario.cluster.gpus);
        machine.spare_gpu_options().map(move |spare| {
            let used = (all - spare).min(ranks);
            let domains = gpus.div_ceil(all).max(ranks.div_ceil(all - spare));
            Self { scenario, machine, domains, standby: Standby::NONE, used, host_memory: 0 }
        })
    }

    /// The machines with every number of them on standby that may be of use where so many are
    /// broken at once, on average, all wired; from none up. Where the spec states the number, with
    /// that.
    pub(crate) fn options_by_standby(self, broken: f64) -> impl Iterator<Item = Self> {
        /// More on standby than suffice for this share of the time help nobody.
        const ALWAYS: f64 = 1.0 - 1e-9;
        let numbers = match self.scenario.failures.stated_standby(broken) {
            Some(stated) => stated..=stated,
            None => 0..=poisson_quantile(broken, ALWAYS),
        };
        numbers.map(move |number| Self { standby: Standby::new_wired(number), ..self })
    }

    /// No network leaves a larger share of a year to training than these machines alone.
    pub(in crate::design) fn goodput_upper_bound(&self) -> f64 {
        let rates = &self.scenario.failures;
        goodput_upper_bound(&faults_of_machines(self, rates), &[], rates, self.standby)
    }

    /// The trays of an HB domain, where it has several.
    pub(crate) fn trays(&self) -> Option<Trays> {
        let tray = self.machine.gpus_per_tray()?;
        Some(self.scenario.failures.domain_trays(self.machine.node.gpus, tray))
    }

    /// Trays of an HB domain that hold no rank, where they can take the place of broken ones.
    pub(crate) fn spare_trays(&self) -> u32 {
        let trays = self.trays().filter(|_| self.machine.replaceable_tray().is_some());
        trays.map_or(0, |trays| trays.spare_trays(self.used))
    }

    /// Interfaces of the cluster that trains.
    pub(crate) fn endpoints(&self) -> u64 {
        u64::from(self.domains) * u64::from(self.machine.node.nics)
    }

    /// HB domains that a network joins: those that train, and those that stand by with ports of
    /// their own. One domain needs no network, whatever stands by for it.
    pub(crate) fn networked_domains(&self) -> u32 {
        count_networked_domains(self.domains, self.standby)
    }
}

/// What breaks on any network: machines, and NICs that their domain can't do without.
pub(in crate::design) fn machine_faults(fleet: &Fleet<'_>) -> Vec<Fault> {
    let rates = &fleet.scenario.failures;
    [faults_of_machines(fleet, rates), nic_faults(fleet, rates)].concat()
}

/// HB domains that are out at once, on average, whatever the network.
pub(crate) fn broken_domains_of_fleet(fleet: &Fleet<'_>) -> f64 {
    mean_broken_domains(&machine_faults(fleet))
}

/// Faults of machines and of what runs on them.
pub(crate) fn faults_of_machines(fleet: &Fleet<'_>, rates: &Failures) -> Vec<Fault> {
    let domain = u64::from(fleet.machine.node.gpus);
    let gpus = u64::from(fleet.scenario.cluster.gpus);
    let machine = |part: &str, pieces: u64, rate: f64| Fault {
        part: part.to_owned(),
        pieces,
        rate: PerYear::from_events(rate),
        repair: rates.repair_time(),
        network: false,
        stops: true,
        domains: 1,
        gpus: domain,
        kept: 0.0,
    };
    let of_trays = [("GPU", rates.gpu), ("GPU memory", rates.memory), ("host", rates.host)];
    let back = fleet.trays().map_or(rates.repair_time(), |trays| rates.tray_repair(trays.tray));
    let of_trays = of_trays.map(|(part, rate)| Fault { repair: back, ..machine(part, gpus, rate) });
    let software = machine("software", gpus, rates.software);
    let spare = fleet.spare_trays();
    let mut all: Vec<Fault> = match fleet.trays().filter(|_| spare > 0) {
        Some(trays) => {
            let alone: f64 = of_trays
                .iter()
                .map(|fault| fault.rate_of_any().expected_events(fault.repair))
                .sum();
            let short = too_few(fleet, &trays, spare) / alone;
            let short = if short.is_finite() { short.clamp(0.0, 1.0) } else { 0.0 };
            of_trays
                .into_iter()
                .flat_map(|fault| split_fault_by_spare_trays(fault, &trays, spare, short))
                .collect()
        }
        None => of_trays.into(),
    };
    all.push(machine("HB domain", fleet.domains.into(), rates.domain));
    // Nothing is broken: it starts again where it was.
    all.push(Fault { repair: Seconds::ZERO, domains: 0, kept: 1.0, ..software });
    all
}

/// Trays that are out when too few of their domain are left, over all domains, on average: each
/// such time is counted once for each of the `spare` trays and the one that is missing
/// (docs/equations.md §11.7).
fn too_few(fleet: &Fleet<'_>, trays: &Trays, spare: u32) -> f64 {
    let missing = (1.0 - trays.share_of_time_with_gpus(fleet.used)).max(0.0);
    f64::from(fleet.domains) * f64::from(spare + 1) * missing
}

/// A fault of a tray in two: where a spare one of the domain takes over, after a restart, and the
/// share of them for which none is left. Then the domain is out until the first of those trays is
/// back.
fn split_fault_by_spare_trays(fault: Fault, trays: &Trays, spare: u32, short: f64) -> [Fault; 2] {
    let part = format!("{}{NO_SPARE_TRAY}", fault.part);
    let rate = |share: f64| PerYear::from_events(fault.rate.events() * share);
    let repair = fault.repair / f64::from(spare + 1);
    let none_left = Fault { part, rate: rate(short), repair, ..fault.clone() };
    let replaced = Fault {
        rate: rate(1.0 - short),
        repair: Seconds::ZERO,
        domains: 0,
        gpus: trays.tray.into(),
        kept: 1.0,
        ..fault
    };
    [replaced, none_left]
}

/// Faults of NICs that their HB domain can't do without: the machine is out, whatever the network.
fn nic_faults(fleet: &Fleet<'_>, rates: &Failures) -> Vec<Fault> {
    if fleet.domains < 2 || fleet.machine.nic_share_after_cutoff(1).is_some() {
        return Vec::new();
    }
    vec![Fault {
        part: "NIC".to_owned(),
        pieces: fleet.endpoints(),
        rate: PerYear::from_events(rates.nic),
        repair: rates.repair_time(),
        network: true,
        stops: true,
        domains: 1,
        gpus: fleet.machine.node.gpus.into(),
        kept: 0.0,
    }]
}

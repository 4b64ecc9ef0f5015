//! The machines of a cluster, whatever runs on them. Knows no layout and no price.

use super::machine::Machine;
use crate::reliability::{Standby, Trays, poisson_quantile};
use crate::scenario::Scenario;

/// Machines of one kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fleet<'a> {
    pub(crate) scenario: &'a Scenario,
    pub(crate) machine: Machine<'a>,
    /// HB domains that train.
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
pub(super) fn domain_count(
    scenario: &Scenario,
    machine: Machine<'_>,
    (ranks, used): (u32, u32),
) -> u32 {
    let placed = ranks.div_ceil(used.max(1));
    scenario.cluster.gpus.div_ceil(machine.node.gpus.max(1)).max(placed)
}

impl<'a> Fleet<'a> {
    /// The fewest machines that have the GPUs of a scenario, none of which stands by. So few GPUs of each are
    /// used that no fault leaves too few.
    pub(super) fn fewest_machines(scenario: &'a Scenario, machine: Machine<'a>) -> Self {
        let domains = scenario.cluster.gpus.div_ceil(machine.node.gpus.max(1));
        Self { scenario, machine, domains, standby: Standby::NONE, used: 1, host_memory: 0 }
    }

    /// The fewest machines that have the GPUs of a scenario, so many of which hold ranks beside spare trays in each:
    /// from none up. None stands by.
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

    /// The machines with every number of them on standby that may be of use where so many are broken at once, on
    /// average, all wired; from none up. Where the spec states the number, with that.
    pub(crate) fn options_by_standby(self, broken: f64) -> impl Iterator<Item = Self> {
        /// More on standby than suffice for this share of the time help nobody.
        const ALWAYS: f64 = 1.0 - 1e-9;
        let numbers = match self.scenario.failures.stated_standby(broken) {
            Some(stated) => stated..=stated,
            None => 0..=poisson_quantile(broken, ALWAYS),
        };
        numbers.map(move |number| Self { standby: Standby::new_wired(number), ..self })
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

    /// HB domains that a network joins: those that train, and those that stand by with ports of their own. One
    /// domain needs no network, whatever stands by for it.
    pub(crate) fn networked_domains(&self) -> u32 {
        count_networked_domains(self.domains, self.standby)
    }
}

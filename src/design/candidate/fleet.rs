//! The machines of a cluster, whatever runs on them. Knows no layout and no price.

use super::machine::Machine;
use crate::reliability::Trays;
use crate::scenario::Scenario;

/// Machines of one kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fleet<'a> {
    pub(crate) scenario: &'a Scenario,
    pub(crate) machine: Machine<'a>,
    /// HB domains that train.
    pub(crate) domains: u32,
    /// HB domains that stand by for broken ones.
    pub(crate) standby: u64,
    /// GPUs of a domain that hold ranks.
    pub(crate) used: u32,
    /// GiB that every host needs beyond what ships.
    pub(crate) host_memory: u64,
}

impl<'a> Fleet<'a> {
    /// The fewest machines that have the GPUs of a scenario, none of which stands by. So few GPUs of each are
    /// used that no fault leaves too few.
    pub(super) fn fewest(scenario: &'a Scenario, machine: Machine<'a>) -> Self {
        let domains = scenario.cluster.gpus.div_ceil(machine.node.gpus.max(1));
        Self { scenario, machine, domains, standby: 0, used: 1, host_memory: 0 }
    }

    /// The trays of an HB domain, where it has several.
    pub(crate) fn trays(&self) -> Option<Trays> {
        let node = self.machine.node;
        let tray = node.tray.filter(|of| *of < node.gpus && node.gpus.is_multiple_of(*of))?;
        Some(self.scenario.failures.trays(node.gpus, tray))
    }

    /// The trays of an HB domain, with how many of them hold no rank: what a broken one did, such a tray does,
    /// whose interfaces are on other rails, where the domain forwards messages to them. `None` where there are
    /// none such.
    pub(crate) fn spare_trays(&self) -> Option<(Trays, u32)> {
        let trays = self.trays().filter(|_| self.machine.node.forwards)?;
        let spare = trays.spare(self.used);
        (spare > 0).then_some((trays, spare))
    }

    /// Interfaces of the cluster that trains.
    pub(super) fn endpoints(&self) -> u64 {
        u64::from(self.domains) * u64::from(self.machine.node.nics)
    }
}

//! The machines of a cluster, whatever runs on them. Knows no layout and no price.

use super::machine::Machine;
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
    /// GiB that every host needs beyond what ships.
    pub(crate) host_memory: u64,
}

impl<'a> Fleet<'a> {
    /// The fewest machines that have the GPUs of a scenario, none of which stands by.
    pub(super) fn fewest(scenario: &'a Scenario, machine: Machine<'a>) -> Self {
        let domains = scenario.cluster.gpus.div_ceil(machine.node.gpus.max(1));
        Self { scenario, machine, domains, standby: 0, host_memory: 0 }
    }

    /// Interfaces of the cluster that trains.
    pub(super) fn endpoints(&self) -> u64 {
        u64::from(self.domains) * u64::from(self.machine.node.nics)
    }
}

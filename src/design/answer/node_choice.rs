//! The machines of a plan. Chooses none.

use crate::design::candidate::job::Job;
use crate::hardware::{Nic, Node};

/// The HB-domain product and interface of a design.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeChoice {
    /// GPUs of the cluster.
    pub gpus: u32,
    /// Those of them that train; the others are bought and stay idle.
    pub training: u64,
    /// Product.
    pub node: Node,
    /// Products that train: HB domains M.
    pub domains: u32,
    /// HB domains that the network joins: those, and those that stand by with ports of their own.
    pub cabled: u32,
    /// GPUs of a domain that hold ranks; the others are idle.
    pub used: u32,
    /// Interface.
    pub nic: Nic,
    /// Separate copies of the fabric.
    pub planes: u32,
}

impl NodeChoice {
    /// What a job runs on, with so many planes.
    pub(crate) fn from_job(job: &Job<'_>, planes: u32) -> Self {
        Self {
            gpus: job.scenario.cluster.gpus,
            training: job.lead.layout().gpus(),
            node: job.machine.node.clone(),
            domains: job.domains,
            cabled: job.networked_domains(),
            used: job.lead.placement().used_gpus_per_domain(),
            nic: job.machine.nic.clone(),
            planes,
        }
    }

    /// True where GPUs of the cluster train nothing.
    #[must_use]
    pub fn idles_some(&self) -> bool {
        self.training < u64::from(self.gpus)
    }

    /// True where every domain has GPUs that hold no rank, as the layout's groups do not divide it.
    #[must_use]
    pub const fn has_idle_gpus(&self) -> bool {
        self.used < self.node.gpus && self.domains > 1
    }
}

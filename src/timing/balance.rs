//! How full the fullest uplink of a leaf switch is over the mean, by how a fabric spreads flows.
//! Knows flows, links and leaf switches as numbers only.

use super::fullest::expected_max_load;
use crate::scenario::{Cluster, LoadBalancing};

/// How messages are spread over links that lead to the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UplinkBalance {
    /// Who chooses the link, and of what.
    pub by: LoadBalancing,
    /// Flows of a message between two GPUs (queue pairs), each on a link of its own choice; at least 1.
    pub flows: u32,
}

impl UplinkBalance {
    /// Packets go wherever there is room: all links are equally full.
    pub const SPRAY: Self = Self { by: LoadBalancing::Spray, flows: 1 };

    /// What a cluster's fabric does.
    #[must_use]
    pub const fn from_cluster(cluster: &Cluster) -> Self {
        Self { by: cluster.load_balancing, flows: cluster.flows_per_message }
    }

    /// True where links are equally full whatever flows there are.
    #[must_use]
    pub fn is_even(self) -> bool {
        self.by == LoadBalancing::Spray
    }

    /// Of so many planes those whose leaf switches make a difference to the fullest link of all: flows that
    /// are drawn are drawn in each of them.
    #[must_use]
    pub fn planes_that_wait(self, planes: u32) -> u32 {
        if self.by == LoadBalancing::Ecmp { planes.max(1) } else { 1 }
    }

    /// Bytes of the fullest link over the mean, where `messages` of equal size leave each of `leafs`
    /// leaf switches by `links` links and all of them are waited for (docs/equations.md §8.7); at
    /// least 1.
    #[must_use]
    pub fn fullest_over_mean(self, messages: u64, links: u32, leafs: u32) -> f64 {
        let flows = messages.max(1).saturating_mul(u64::from(self.flows.max(1)));
        let links = links.max(1);
        let mean = flows as f64 / f64::from(links);
        let fullest = match self.by {
            LoadBalancing::Spray => return 1.0,
            LoadBalancing::Adaptive => flows.div_ceil(u64::from(links)) as f64,
            LoadBalancing::Ecmp => expected_max_load(flows, links, leafs),
        };
        (fullest / mean).max(1.0)
    }
}

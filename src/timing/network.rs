//! What a fabric promises to a step: the only view of the network that the clock has.

use super::UplinkBalance;
use crate::hardware::{Nic, Node};
use crate::parallel::{Placement, RankGrid, Seats};
use crate::units::Bandwidth;

/// Bandwidths and ratios of a network, alike for all its GPUs. Line rates; what collectives
/// reach of them is the GPU generation's calibration.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkModel {
    /// GPUs K of an HB domain.
    pub domain: u32,
    /// Line rate of a GPU into its HB domain, one way.
    pub hb: Bandwidth,
    /// Interfaces of a domain: its rails.
    pub nics: u32,
    /// Line rate of one interface over all planes, one way.
    pub nic: Bandwidth,
    /// Domains under one leaf of a rail; `None` where a rail is a single switch, or never blocks and
    /// spreads messages evenly, so that no leaf border matters.
    pub leaf_domains: Option<u32>,
    /// Uplink over downlink bandwidth of a leaf within its rail (ρ): 1 never blocks.
    pub within_rail: f64,
    /// Bandwidth across rails over NIC bandwidth (σ): 0 for rail-only, 1 for a full spine.
    pub across_rails: f64,
    /// Planes, each with leaf switches of its own, that share a NIC's bandwidth and are waited for; read
    /// where flows are drawn.
    pub planes: u32,
    /// Messages across rails are forwarded through the HB domain.
    pub forwards: bool,
    /// How many GPUs of a domain hold ranks.
    pub seats: Seats,
    /// How messages are spread over the uplinks of a leaf.
    pub balance: UplinkBalance,
}

impl NetworkModel {
    /// A product with an interface on a full-bisection Clos.
    #[must_use]
    pub const fn non_blocking(node: &Node, nic: &Nic) -> Self {
        Self {
            domain: node.gpus,
            hb: node.hb_bandwidth,
            nics: node.nics,
            nic: nic.bandwidth,
            leaf_domains: None,
            within_rail: 1.0,
            across_rails: 1.0,
            planes: 1,
            forwards: node.forwards,
            seats: Seats::Even,
            balance: UplinkBalance::SPRAY,
        }
    }

    /// The ranks of a grid on the domains.
    #[must_use]
    pub fn place_ranks(&self, grid: &RankGrid) -> Placement {
        Placement::place_groups_whole(grid, self.domain, self.nics, self.seats)
    }

    /// True where messages can queue at the border of a leaf: there are fewer uplinks than downlinks, or
    /// some are fuller than others.
    #[must_use]
    pub fn can_queue_at_leaf(&self) -> bool {
        self.leaf_domains.is_some() && (self.within_rail < 1.0 || !self.balance.is_even())
    }

    /// These machines on a full-bisection Clos.
    #[must_use]
    pub fn full_bisection(&self) -> Self {
        Self { leaf_domains: None, within_rail: 1.0, across_rails: 1.0, ..self.clone() }
    }
}

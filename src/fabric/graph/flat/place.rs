//! Switches and endpoints of one plane, as all these families place them.

use petgraph::graph::NodeIndex;

use super::super::wiring::Wiring;
use crate::fabric::TierName;

/// Alike switches of one plane.
pub(super) fn switches(wiring: &mut Wiring, count: u64) -> Vec<NodeIndex> {
    wiring.switches(TierName::Leaf, count, 0)
}

/// Endpoints on switches in order, as evenly as whole endpoints allow.
pub(super) fn attach(wiring: &mut Wiring, endpoints: u64, switches: &[NodeIndex]) {
    let count = switches.len() as u64;
    for order in 0..endpoints {
        let place = u128::from(order) * u128::from(count) / u128::from(endpoints);
        wiring.host(order, switches[place as usize]);
    }
}

//! Wires the families that are no trees, each by the rule of its paper, switch by switch. Their
//! closed forms count without wiring; the graph is the check on them.

mod dragonfly;
mod field;
mod grids;
mod hamming_mesh;
mod slim_fly;
mod zcube;

use petgraph::graph::NodeIndex;

use super::FabricGraph;
use super::wiring::Wiring;
use crate::fabric::flat::{Member, counts};
use crate::fabric::{FabricProblem, Request, Sku, TierName};

/// All planes of a request.
pub(super) fn wire(request: &Request<'_>) -> Result<FabricGraph, FabricProblem> {
    let counts = counts(request)?;
    let member = Member::of(request)?;
    let mut wiring = Wiring::new(&counts, request.rails, 0, 1)?;
    for plane in 0..request.planes {
        wiring.plane = plane;
        match &member {
            Member::Dragonfly(of) => dragonfly::wire(&mut wiring, of, &counts, request.planes),
            Member::SlimFly(of) => slim_fly::wire(&mut wiring, of)?,
            Member::HyperX(of) => grids::hyperx(&mut wiring, of),
            Member::Torus(of) => grids::torus(&mut wiring, of),
            Member::ZCube(of) => zcube::wire(&mut wiring, of),
            Member::HammingMesh(of) => hamming_mesh::wire(&mut wiring, of)?,
        }
    }
    let sku = |tier: &crate::fabric::Tier| Sku { name: tier.model.clone(), radix: tier.radix };
    let models = counts.tiers.first().map(sku).into_iter().collect();
    Ok(wiring.done(models, counts.link))
}

/// Alike switches of one plane.
fn switches(wiring: &mut Wiring, count: u64) -> Vec<NodeIndex> {
    wiring.switches(TierName::Leaf, count, 0)
}

/// Endpoints on switches in order, as evenly as whole endpoints allow.
fn attach(wiring: &mut Wiring, endpoints: u64, switches: &[NodeIndex]) {
    let count = switches.len() as u64;
    for order in 0..endpoints {
        let place = u128::from(order) * u128::from(count) / u128::from(endpoints);
        wiring.host(order, switches[place as usize]);
    }
}

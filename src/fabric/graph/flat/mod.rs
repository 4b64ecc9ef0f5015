//! Wires the families that are no trees, each by the rule of its paper, switch by switch. Their
//! closed forms count without wiring; the graph is the check on them.

mod dragonfly;
mod field;
mod grids;
mod hamming_mesh;
mod place;
mod slim_fly;
mod zcube;

use super::wired::FabricGraph;
use super::wiring::Wiring;
use crate::fabric::flat::{Member, counts};
use crate::fabric::{FabricProblem, Request, Sku};

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

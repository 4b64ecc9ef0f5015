//! Which family serves a request; counts of any family.

mod dragonfly;
mod family;
mod hamming_mesh;
mod hyperx;
mod slim_fly;
mod torus;
mod zcube;

pub use dragonfly::{Dragonfly, Groups};
pub(super) use family::{Cabling, NonTreeFamily};
pub use hamming_mesh::HammingMesh;
pub use hyperx::HyperX;
pub use slim_fly::SlimFly;
pub use torus::Torus;
pub use zcube::ZCube;

use super::{Counts, FabricKind, FabricProblem, Request, tree_counts};

/// One plane of the smallest member of the request's family that holds its endpoints, or of the one
/// of its shape.
pub(super) fn family_for_request(
    request: &Request<'_>,
) -> Result<Box<dyn NonTreeFamily>, FabricProblem> {
    match request.kind {
        FabricKind::Dragonfly => dragonfly::dragonfly_for_request(request),
        FabricKind::SlimFly => slim_fly::slim_fly_for_request(request),
        FabricKind::HyperX => hyperx::hyperx_for_request(request),
        FabricKind::ZCube => zcube::zcube_for_request(request),
        FabricKind::Torus => torus::torus_for_request(request),
        FabricKind::HammingMesh => hamming_mesh::hamming_mesh_for_request(request),
        FabricKind::RailOnly | FabricKind::RailOptimized | FabricKind::Clos => {
            Err(FabricProblem::NoSuchSize { reason: "trees of switches are counted as trees" })
        }
    }
}

/// Switches and links of any family: [`tree_counts`] for trees; for the others the smallest member
/// that holds the endpoints, in as many copies as there are planes.
///
/// - A dragonfly has as few balanced groups as possible, or the sides that the request states.
/// - A HyperX is a square or a cube of switches with full bisection.
/// - A ZCube takes two ports of half the rate from each NIC and twice the ports of a switch.
/// - A torus has three dimensions, as near to a cube as possible; it needs no switches.
/// - A HammingMesh has boards of two by two in a square.
///
/// All but a Slim Fly take another shape where the request has one, a Slim Fly
/// another number of endpoints on each switch. These families have no oversubscription and no
/// tiers: such settings are refused.
///
/// # Errors
/// Whatever makes the request impossible: see [`FabricProblem`].
pub fn fabric_counts(request: &Request<'_>) -> Result<Counts, FabricProblem> {
    request.refuse_ignored_settings()?;
    if request.kind.is_tree() {
        request.requested_sides()?; // a tree has none: refused, not overlooked
        return tree_counts(request);
    }
    Ok(multiply_by_planes(family_for_request(request)?.plane_counts()?, request))
}

/// All planes together, with the switches named.
fn multiply_by_planes(mut counts: Counts, request: &Request<'_>) -> Counts {
    let planes = u64::from(request.planes);
    counts.planes = request.planes;
    for tier in &mut counts.tiers {
        tier.model = request.switch_model().to_owned();
        tier.count *= planes;
        tier.ports_used *= planes;
    }
    counts.host_links *= planes;
    counts.leaf_spine_links *= planes;
    counts.spine_core_links *= planes;
    counts.other_links.iter_mut().for_each(|group| group.count *= planes);
    counts
}

#[cfg(test)]
mod tests {
    use super::fabric_counts;
    use crate::fabric::request::Request;
    use crate::fabric::{FabricKind, SwitchChoice};
    use crate::units::Bandwidth;

    fn request(kind: FabricKind, endpoints: u64) -> Request<'static> {
        let switch = SwitchChoice::Radix(64);
        Request::new(kind, endpoints, 8, switch, Bandwidth::from_gigabits(400.0))
    }

    #[test]
    fn every_family_holds_a_thousand_endpoints_within_its_ports() {
        for kind in FabricKind::ALL {
            let counts = fabric_counts(&request(kind, 1000)).expect("a thousand endpoints fit");
            assert_eq!(counts.kind, kind);
            assert!(counts.endpoints >= 1000, "{kind}");
            for tier in &counts.tiers {
                let ports = u64::from(tier.radix) * tier.count;
                assert!(tier.ports_used <= ports, "{kind}: {tier:?}");
            }
            let twice = super::fabric_counts(&request(kind, 1000).split_into_planes(2))
                .expect("two planes");
            assert_eq!(twice.planes, 2, "{kind}");
            assert_eq!(twice.endpoints, counts.endpoints, "{kind}");
        }
    }

    #[test]
    fn too_many_endpoints_are_refused_and_not_counted_wrongly() {
        for kind in FabricKind::ALL {
            assert!(fabric_counts(&request(kind, 0)).is_err(), "{kind}");
            assert!(fabric_counts(&request(kind, u64::MAX)).is_err(), "{kind}");
        }
    }

    #[test]
    fn the_hyperx_has_full_bisection() {
        let counts = fabric_counts(&request(FabricKind::HyperX, 4096)).expect("two dimensions");
        assert!(counts.across_rails >= 1.0, "{counts:?}");
    }
}

//! Fabrics that are no trees: a file each, with how many switches and links one has, how they are
//! cabled, and which member of the family serves a request.

mod any;
mod dragonfly;
mod family;
mod field;
mod groups;
mod hamming_mesh;
mod hyperx;
mod joined;
mod slim_fly;
mod torus;
mod zcube;

pub use any::fabric_counts;
pub use dragonfly::{Dragonfly, Groups};
pub(super) use family::{Cabling, NonTreeFamily};
pub use hamming_mesh::HammingMesh;
pub use hyperx::HyperX;
pub use slim_fly::SlimFly;
pub use torus::Torus;
pub use zcube::ZCube;

use super::{FabricKind, FabricProblem, Request};

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

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

pub use any::counts;
pub use dragonfly::{Dragonfly, Groups};
pub(super) use family::{Cabling, Family};
pub use hamming_mesh::HammingMesh;
pub use hyperx::HyperX;
pub use slim_fly::SlimFly;
pub use torus::Torus;
pub use zcube::ZCube;

use super::{FabricKind, FabricProblem, Request};

/// One plane of the smallest member of the request's family that holds its endpoints, or of the one
/// of its shape.
pub(super) fn member(request: &Request<'_>) -> Result<Box<dyn Family>, FabricProblem> {
    match request.kind {
        FabricKind::Dragonfly => dragonfly::member(request),
        FabricKind::SlimFly => slim_fly::member(request),
        FabricKind::HyperX => hyperx::member(request),
        FabricKind::ZCube => zcube::member(request),
        FabricKind::Torus => torus::member(request),
        FabricKind::HammingMesh => hamming_mesh::member(request),
        FabricKind::RailOnly | FabricKind::RailOptimized | FabricKind::Clos => {
            Err(FabricProblem::NoSuchSize { reason: "trees of switches are counted as trees" })
        }
    }
}

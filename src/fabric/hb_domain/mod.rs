//! What joins the GPUs inside one HB domain: chips and links by counting rules (docs/equations.md
//! §12), and the graph that they form. Knows no price and no flow.

mod counts;
mod request;
mod wiring;

pub use request::{HbCounts, HbProblem, HbRequest};
pub use wiring::{HbGraph, HbNode, product};

use crate::hardware::HbKind;

/// Chips and links of a domain.
///
/// # Errors
/// Where so many GPUs can't be joined so.
pub fn count_hb_domain(request: &HbRequest) -> Result<HbCounts, HbProblem> {
    if request.gpus == 0 || request.links == 0 {
        return Err(HbProblem::Nothing);
    }
    match request.kind {
        HbKind::Switched => counts::count_switched_domain(request),
        HbKind::FullMesh => counts::full_mesh(request),
        HbKind::Mesh2d => counts::mesh_2d(request),
        HbKind::Torus => counts::count_torus_domain(request),
        HbKind::Ring => counts::count_ring_domain(request),
    }
}

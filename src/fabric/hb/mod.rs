//! What joins the GPUs inside one HB domain: chips and links by counting rules (docs/equations.md
//! §12), and the graph that they form. Knows no price and no flow.

mod direct;
mod nouns;
mod problem;
mod product;
mod switched;
mod wiring;

pub use nouns::{HbCounts, HbRequest};
pub use problem::HbProblem;
pub use product::product;
pub use wiring::{HbGraph, HbNode};

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
        HbKind::Switched => switched::count_switched_domain(request),
        HbKind::FullMesh => direct::full_mesh(request),
        HbKind::Mesh2d => direct::mesh_2d(request),
        HbKind::Torus => direct::count_torus_domain(request),
        HbKind::Ring => direct::count_ring_domain(request),
    }
}

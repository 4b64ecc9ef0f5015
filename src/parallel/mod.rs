//! How a model is spread over GPUs: degrees, their order, and the grid of ranks they span.
//! No bytes and no times.

mod axes_and_groups;
mod grid;
mod layout;
mod layout_rules;
pub(crate) mod placement;

pub use axes_and_groups::{Axis, Digit, ExpertRole, Group, Order};
pub use grid::{Rank, RankGrid};
pub use layout::{Layout, LayoutRequest, Schedule, Timetable, Zero};
pub use layout_rules::LayoutProblem;
pub use placement::{Locality, Placed, Placement, Seats, share_by_spine};

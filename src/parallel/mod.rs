//! How a model is spread over GPUs: degrees, their order, and the grid of ranks they span.
//! No bytes and no times.

mod digit;
mod grid;
mod group;
mod layout;
mod order;
pub(crate) mod placement;
mod request;
mod rules;

pub use digit::{Digit, ExpertRole};
pub use grid::{Rank, RankGrid};
pub use group::Group;
pub use layout::{Layout, Schedule, Zero};
pub use order::{Axis, Order};
pub use placement::{Locality, Placed, Placement, Seats, share_by_spine};
pub use request::{LayoutRequest, Timetable};
pub use rules::LayoutProblem;

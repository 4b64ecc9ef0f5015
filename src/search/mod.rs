//! The best parallel layouts of a job, found by looking at all of them. What is skipped can't
//! fit; the answer is that of full enumeration.

mod filter;
mod near;
mod no_layout;
mod pieces;
mod question;
mod ranking;
mod run;
mod scenario;
mod size;
mod space;
mod walk;
mod workers;

pub use filter::{Filter, FilterProblem};
pub use near::Near;
pub(crate) use near::near;
pub use no_layout::NoLayout;
pub use question::Question;
pub use ranking::{By, Candidate, Wanted};
pub use run::{Effort, Found, Progress, search};
pub use scenario::{Breadth, Layouts, Query, Ranked, layouts};
pub(crate) use size::refused;
pub use space::Space;

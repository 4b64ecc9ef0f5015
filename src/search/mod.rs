//! The best parallel layouts of a job, found by looking at all of them. What is skipped can't
//! fit; the answer is that of full enumeration.

mod pieces;
mod ranking;
mod run;
mod scenario;
mod space;

pub use ranking::Candidate;
pub use run::{Found, Question, search};
pub use scenario::{Breadth, Layouts, NoLayout, Ranked, layouts};
pub use space::Space;

//! Text in, [`Scenario`](super::scenario::Scenario) out: the spec of `planner`, its presets, and everything that can be
//! wrong with them. No I/O: who calls brings the text and prints what comes back.
//!
//! Three steps, each blind to the next: `document` parses TOML into a tree that remembers places;
//! `check` holds the tree against the table of keys ([`schema`]); `resolve` fills in presets and
//! defaults and ties values together. Each collects problems and goes on, so that one run shows
//! them all.

mod book;
mod check;
mod document;
mod guard;
pub(crate) mod library;
mod overrides;
pub mod presets;
mod problem;
mod problems;
mod read;
mod reader;
mod render;
mod resolve;
pub mod schema;
mod source;
mod starter;
pub(crate) mod suggest;
mod value;

pub use book::Book;
pub use document::{SourceId, TextPlace};
pub use guard::LONGEST_BYTES;
pub use overrides::Override;
pub use problem::{Problem, ProblemKind};
pub use problems::Problems;
pub use read::{price_book, read_scenario, read_stated_rules, read_with};
pub use source::SpecText;
pub use starter::starter_spec;

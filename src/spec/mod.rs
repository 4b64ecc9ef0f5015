//! Text in, [`Scenario`](super::scenario::Scenario) out: the spec of `planner`, its presets, and
//! everything that can be wrong with them. No I/O: who calls brings the text and prints what comes
//! back.
//!
//! Three steps, each blind to the next: `document` parses TOML into a tree that remembers places;
//! `check` holds the tree against the table of keys ([`schema`]); `resolve` fills in presets and
//! defaults and ties values together. Each collects problems and goes on, so that one run shows
//! them all.

mod check;
mod document;
pub(crate) mod library;
mod overrides;
pub mod presets;
pub(crate) mod problem;
mod problems;
mod read;
mod reader;
mod resolve;
pub mod schema;
mod starter;
mod stated;
mod value;

pub use document::{Book, SourceId, SpecText, TextPlace};
pub use overrides::Override;
pub use problem::{Problem, ProblemKind};
pub use problems::Problems;
pub use read::looks_like_spec;
pub use read::{LONGEST_BYTES, price_book, read_gate, read_on_terms, read_scenario, read_with};
pub use starter::{STARTER_POLICY, starter_spec};
pub use stated::is_term;

//! What docs/architecture.md promises of the sources, held as tests.

#[path = "../support/mod.rs"]
mod support;

mod floors;
mod hygiene;
mod imports;
mod names;

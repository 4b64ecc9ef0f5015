//! What docs/architecture.md promises of the sources, held as tests.

#[path = "../support/imports/mod.rs"]
mod imports;
#[path = "../support/sources.rs"]
mod sources;

mod floors;
mod hygiene;
mod names;

//! What tests of several binaries share.
#![allow(dead_code, reason = "no binary needs all of it")]

pub(crate) mod cases;
pub(crate) mod dice;
pub(crate) mod experts;
pub(crate) mod job;
pub(crate) mod page;
pub(crate) mod program;
pub(crate) mod scenario;
pub(crate) mod sources;

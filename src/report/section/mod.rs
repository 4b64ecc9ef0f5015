//! Sections of the report of a design.

pub(super) mod bill;
pub(super) mod charts;
pub(super) mod fabric;
pub(super) mod machines;
pub(super) mod parts_and_stages;
pub(super) mod premiums;
pub(super) mod proof;
pub(super) mod resilience;
pub(super) mod routing;
pub(super) mod step_time;

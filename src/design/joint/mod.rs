//! Several clusters at once: parts with workloads of their own, and stages of one that grows.

mod choice_search;
pub(super) mod clusters;
pub(super) mod combinations;
pub(super) mod parts;
mod parts_program;
mod ready_candidates;
pub(super) mod shared_limits;
mod stage_choices;
pub(super) mod stages;
mod stages_program;

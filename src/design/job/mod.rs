//! What runs on a machine: layouts, their steps and times, and why nothing runs.

pub(super) mod fleet;
pub(super) mod infeasible;
pub(super) mod infeasible_details;
pub(super) mod job;
pub(super) mod layout_search;
pub(super) mod machine;
pub(super) mod run;
pub(super) mod scenario_runs;
pub(super) mod step_times;

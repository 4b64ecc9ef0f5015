//! What surrounds a plan: limits and their worth, alternatives, ranging of prices, baselines, failures.

pub(super) mod aftermath;
pub(super) mod alternatives;
pub(super) mod any_family;
pub(super) mod avoided;
pub(super) mod baseline;
pub(super) mod binding;
pub(super) mod broken;
mod contenders;
pub(super) mod distant;
pub(super) mod fewer;
pub(super) mod front;
pub(super) mod frontier;
pub(super) mod house_rule;
pub(super) mod infeasible_subset;
pub(super) mod job_of;
pub(super) mod kept_out;
pub(super) mod least;
pub(super) mod limit;
pub(super) mod other;
mod own_machines;
pub(super) mod quantities;
pub(super) mod ranging;
pub(super) mod relaxing;
pub(super) mod reliability;
pub(super) mod robust;
pub(super) mod unmet;
mod walk;

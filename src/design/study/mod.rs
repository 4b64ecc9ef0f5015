//! What surrounds a plan: limits and their worth, alternatives, ranging of prices, baselines,
//! failures.

pub(super) mod alternative_candidates;
pub(super) mod alternative_words;
pub(super) mod alternatives;
pub(super) mod baseline;
pub(super) mod binding_limits;
pub(super) mod default_rules;
pub(super) mod fabric_families;
pub(super) mod failures;
pub(super) mod frontier;
pub(super) mod frontier_candidates;
pub(super) mod infeasible_limits;
pub(super) mod limit;
pub(super) mod limit_advice;
pub(super) mod limit_row;
mod limit_table;
pub(super) mod price_ranges;
pub(super) mod regular_networks;
pub(super) mod relax_limits;
pub(super) mod volume_prices;

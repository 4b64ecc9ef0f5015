//! The plan: the best candidate in each quantity in turn, routed, checked and written up.

pub(super) mod assemble;
pub(super) mod assumptions;
pub(super) mod detect_warnings;
pub(super) mod hall_cables;
mod hall_racks;
pub(super) mod routing_check;
mod unmeasured_speed;
pub(super) mod workload_plans;

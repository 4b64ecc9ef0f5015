//! The plan as data: what an answer says. Computes nothing.

pub(super) mod alternatives;
pub(super) mod failure_report;
pub(super) mod other_networks;
pub(super) mod plan;
pub(super) mod plan_values;
pub(super) mod proof;
pub(super) mod provenance;
pub(super) mod routing_report;
pub(super) mod warning;

//! Everything that is chosen before a network: machines, layouts, rank orders, planes, protocols.

pub(super) mod afresh;
pub(super) mod breakdowns;
pub(super) mod carried;
pub(super) mod faults;
pub(super) mod fitting;
pub(super) mod fleet;
pub(super) mod infeasible;
pub(super) mod job;
pub(super) mod jobs;
pub(super) mod layouts;
mod least;
pub(super) mod linking;
pub(super) mod list;
pub(super) mod listing;
pub(super) mod machine;
pub(super) mod member;
pub(super) mod money;
pub(super) mod moved;
pub(super) mod phases;
pub(super) mod port_times;
pub(super) mod run;
pub(super) mod services;
pub(super) mod slower;
mod sparing;
mod standby;
pub(super) mod strain;
pub(super) mod unpriced;

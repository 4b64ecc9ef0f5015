//! Every command of the program, one function each.

pub(super) mod bill;
pub(super) mod calibrate;
mod calibrate_network;
mod call_export;
pub(super) mod check;
mod check_side;
pub(super) mod compare;
pub(super) mod design_step_search;
pub(super) mod explain;
pub(super) mod fabric;
pub(super) mod hb_domain;
pub(super) mod import_and_launch;
pub(super) mod sweep;
pub(super) mod topology;
pub(super) mod traffic;

//! Specs that were once answered wrongly, each held against a figure found without this program:
//! by enumeration, by arithmetic, or by a design that exists. The built program answers them.
//!
//! A spec that takes a debug build more than about 5 seconds is run with `PLANNER_CASES=large` only.

mod advice;
mod baselines;
mod dark_ports;
mod defaults;
mod models;
mod own_parts;
mod run;
mod scarce;
mod shards;

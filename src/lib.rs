//! Cluster design and cost planner for training large language models.
//!
//! Floors, lowest first; a module uses only lower ones (docs/architecture.md): 0 [`units`] · 1
//! [`workload`], [`parallel`], [`hardware`], [`scenario`] · 2 [`step`], [`collective`],
//! [`traffic`], [`memory`], [`ledger`], [`fabric`] · 3 [`timing`], [`cost`], [`routing`], [`hall`],
//! [`reliability`] · 4 [`sizing`] · 5 [`search`], [`design`], [`quantity`], [`compare`],
//! [`validate`], [`explain`], [`gate`], [`sweep`] · 6 [`spec`], [`results`], [`recording`],
//! [`report`], [`import`], [`launch`] · 7 [`cli`]

pub mod cli;
pub mod collective;
pub mod compare;
pub mod cost;
pub mod design;
pub mod explain;
pub mod fabric;
pub mod gate;
pub mod hall;
pub mod hardware;
pub mod import;
pub mod keys;
pub mod launch;
pub mod ledger;
pub mod memory;
pub mod parallel;
pub mod quantity;
pub mod recording;
pub mod reliability;
pub mod report;
pub mod results;
pub mod routing;
pub mod scenario;
pub mod search;
pub mod sizing;
pub mod spec;
pub mod step;
pub mod sweep;
pub mod technique;
pub mod timing;
pub mod traffic;
pub mod units;
pub mod validate;
pub mod workload;

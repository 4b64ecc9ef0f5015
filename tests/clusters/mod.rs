//! Several clusters designed together: parts, stages, and workloads that share one.

mod clusters;
mod split;
mod stages;
mod workloads;

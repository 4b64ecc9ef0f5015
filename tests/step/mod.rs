//! What a step computes, holds and sends.

mod balance;
mod buckets;
mod collective_flows;
mod dispatchers;
mod expert_loads;
mod framework_settings;
mod host_of_experts;
mod hybrids;
mod kernels;
mod ledger;
mod memory;
mod nccl;
mod recompute;
mod traffic_exports;
mod turns;
mod windows;

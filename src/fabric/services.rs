//! The other networks of a cluster: how many switches, cables and modules storage, in-band and
//! out-of-band management take. Rules are docs/equations.md §7.17, after NVIDIA's DGX SuperPOD
//! reference architecture for DGX H100 (RA-11333-001 V11, 2023-09-22), whose bill they reproduce.

mod in_band;
mod out_of_band;
mod storage;

pub use in_band::{InBand, InBandCounts, UplinkPlan};
pub use out_of_band::{OutOfBand, OutOfBandCounts};
pub use storage::{Storage, StorageCounts};

/// Least switches of a layer that no single failure may take away.
const PAIR: u64 = 2;

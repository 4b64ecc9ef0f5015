//! Settings of optimizer states on the host.

use crate::keys::{Kind, table};

table! {
    defaults;
    /// Settings of the offload of optimizer states to the host (AxoNN, arXiv 2110.13005 §IV-C).
    ///
    /// By default buckets of 4 Mi parameters, four to a message (assumed).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Offload, "optimizer states on the host (arXiv 2110.13005); needs ZeRO 0" {
        /// Parameters whose states are on the GPU at a time.
        bucket: u64 = 4194304, in Kind::Count { min: 1, max: 1_000_000_000_000 },
            "parameters whose states are on the GPU at a time";
        /// Buckets whose gradients are reduced in one message.
        coalescing: u64 = 4, in Kind::Count { min: 1, max: 1_000_000 },
            "buckets whose gradients are reduced in one message";
    }
}

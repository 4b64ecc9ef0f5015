//! Settings of decoupled momentum.

use crate::keys::{GPUS, Kind, choices, table};

/// Widths in bytes of a number.
const NUMBER_BYTES: Kind = Kind::Count { min: 1, max: 8 };

choices! {
    /// Which replicas exchange components of the momentum.
    pub enum DemoScope {
        /// All of them (DeMo, arXiv 2411.19870).
        Replicas = "replicas",
        /// Those in different HB domains, each for its shard of the gradients, which are summed in
        /// full inside the domain (FlexDeMo, arXiv 2502.06728).
        Domains = "domains",
    }
}

choices! {
    /// How the components of all replicas reach all of them.
    pub enum DemoGather {
        /// Along the rail first, then inside the domain: nothing crosses an interface twice.
        Hierarchical = "hierarchical",
        /// A ring over all members.
        Ring = "ring",
        /// Every member to every other.
        Direct = "direct",
    }
}

table! {
    defaults;
    /// Settings of DeMo.
    ///
    /// The defaults are the authors' code: 64-bit indices, fp32 values, chunks of 64, and of their
    /// published settings the one of the largest model's main run.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Demo, "decoupled momentum (arXiv 2411.19870, 2502.06728); shown up to 1.2B parameters" {
        /// Who exchanges.
        scope: DemoScope = (DemoScope::Replicas), "all replicas, or those of different HB domains (FlexDeMo)";
        /// Largest components k that are kept of a chunk.
        top_k: u64 = 32, in Kind::Count { min: 1, max: 1_000_000 }, "components kept of a chunk";
        /// Side s of a chunk; a dimension that it does not divide takes its largest divisor below.
        chunk: u64 = 64, in Kind::Count { min: 1, max: 4096 }, "side of a chunk";
        /// Bytes of a component's index.
        index_bytes: u64 = 8, in NUMBER_BYTES, "bytes of a component's index";
        /// Bytes of a component's value.
        value_bytes: u64 = 4, in NUMBER_BYTES, "bytes of its value";
        /// How they are gathered.
        gather: DemoGather = (DemoGather::Hierarchical), "how components are gathered";
        /// Chunks are cut from flat vectors, as FSDP shards them: k of s elements are kept, not k of
        /// s². `None`: as the scope does, flat across domains only.
        flat: Option<bool>,
            "chunks cut from flat vectors: top_k of chunk elements, not of its square" or "true \
             across domains, else false";
        /// Ranks of a domain that share states under ZeRO; across domains only.
        shards: Option<u32>, in GPUS, "ranks of a domain that share states under ZeRO" or "none";
    }
}

impl Demo {
    /// Bytes b_e of a component.
    #[must_use]
    pub const fn component_bytes(&self) -> u64 {
        self.index_bytes + self.value_bytes
    }

    /// Chunks are cut from flat vectors.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        self.flat.unwrap_or(self.scope == DemoScope::Domains)
    }
}

//! Which algorithms collectives run, by the kind of parallelism that calls them. What each of them
//! sends is `collective`'s business.

use crate::keys::{choices, table};

table! {
    defaults;
    /// Algorithms of collectives.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Collectives, "the algorithms of collectives, of all or by the kind of parallelism that calls them" {
        /// Of every kind that has none of its own.
        all: Algorithms = (Algorithms::Nccl), "of every kind that has none of its own";
        /// Of tensor parallelism.
        tensor: Option<Algorithms>, "of tensor parallelism" or "all";
        /// Of pipeline parallelism: gathers of split messages.
        pipeline: Option<Algorithms>, "of pipeline parallelism: gathers of split messages" or "all";
        /// Of data parallelism.
        data: Option<Algorithms>, "of data parallelism: gradients and parameters" or "all";
        /// Of context parallelism.
        context: Option<Algorithms>, "of context parallelism" or "all";
        /// Of expert parallelism.
        expert: Option<Algorithms>, "of expert parallelism: shards of an expert" or "all";
    }
}

choices! {
    /// How the members of a group reduce and gather.
    pub enum Algorithms {
        /// As NCCL's tuner chooses by size, members and nodes: rings, trees, PAT.
        Nccl = "nccl",
        /// Likewise, and sums inside an HB domain by its switches (NVLink SHARP).
        Nvls = "nvls",
        /// Sums between domains by the switches of the network (CollNet with SHARP); all else as NCCL's
        /// tuner chooses.
        Sharp = "sharp",
        /// Inside the HB domain first, then members of equal place across domains.
        Hierarchical = "hierarchical",
        /// Likewise, each member to every other on either level.
        HierarchicalDirect = "hierarchical-direct",
        /// One ring through all members in the order of their ranks.
        Ring = "ring",
        /// Each member to every other at once.
        Direct = "direct",
        /// Halving and doubling, where members are a power of two; else one ring.
        HalvingDoubling = "halving-doubling",
        /// Two binary trees for an all-reduce; else one ring.
        DoubleTree = "double-tree",
    }
}

impl Collectives {
    /// True where some kind of parallelism runs by them.
    #[must_use]
    pub fn has_algorithm(&self, by: Algorithms) -> bool {
        let Self { all, tensor, pipeline, data, context, expert } = *self;
        [tensor, pipeline, data, context, expert]
            .into_iter()
            .any(|algorithms| algorithms.unwrap_or(all) == by)
    }

    /// As a spec states them: `all = nccl, data = direct`.
    #[must_use]
    pub fn spec_text(&self) -> String {
        let Self { all, tensor, pipeline, data, context, expert } = *self;
        let own = [
            ("tensor", tensor),
            ("pipeline", pipeline),
            ("data", data),
            ("context", context),
            ("expert", expert),
        ];
        let own = own
            .into_iter()
            .filter_map(|(kind, algorithms)| Some(format!("{kind} = {}", algorithms?.name())));
        let all = format!("all = {}", all.name());
        std::iter::once(all).chain(own).collect::<Vec<_>>().join(", ")
    }
}

impl Algorithms {
    /// True where NCCL's tuner chooses what is left open.
    #[must_use]
    pub const fn is_tuned(self) -> bool {
        matches!(self, Self::Nccl | Self::Nvls | Self::Sharp)
    }
}

//! Settings of synthetic intermediate labels.

use crate::keys::{SHARE, choices, table};

choices! {
    /// Order in which parts of a network are trained on their own.
    pub enum SilTurns {
        /// All at once.
        Parallel = "parallel",
        /// One after the other.
        Sequential = "sequential",
    }
}

choices! {
    /// What the right part of a network is fed with while it trains on its own.
    pub enum HandOver {
        /// Synthetic labels: nothing crosses.
        Labels = "labels",
        /// What the trained left part makes of the samples: sent on once.
        Activations = "activations",
    }
}

table! {
    defaults;
    /// Settings of synthetic intermediate labels (arXiv 2403.11204). Each pipeline stage is a part.
    ///
    /// By default all parts at once on labels, no recovery; not accepted.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Sil, "synthetic intermediate labels (arXiv 2403.11204); each pipeline stage is a part" {
        /// Who trains when.
        turns: SilTurns = (SilTurns::Parallel), "who trains when";
        /// What feeds the right part.
        hand_over: HandOver = (HandOver::Labels), "what feeds the right part";
        /// Share of the samples that the whole network sees afterwards, end to end.
        recovery: f64 = 0.0, in SHARE, "share of the samples that the whole network sees afterwards";
        /// The reader knows that no source shows this to work for a transformer.
        accept_unverified: bool = false, "must be true: no source shows it for a transformer";
    }
}

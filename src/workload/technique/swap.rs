//! Settings of activations or weights on the host.

use crate::keys::{SHARE, choices, table};

choices! {
    /// What waits on the host until it is needed.
    pub enum Swapped {
        /// What layers keep from their forward to their backward pass.
        Activations = "activations",
        /// Weights in the compute format, fetched for every pass.
        Parameters = "parameters",
        /// Both.
        Both = "both",
    }
}

table! {
    defaults;
    /// Settings of swapping to the host (KARMA, arXiv 2008.11421).
    ///
    /// By default all activations, no weights.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Swap, "activations or weights on the host until they are needed (arXiv 2008.11421)" {
        /// What is swapped.
        what: Swapped = (Swapped::Activations), "what waits there";
        /// Share of the kept activations that is swapped; the rest stays on the GPU.
        share: f64 = 1.0, in SHARE, "share of the activations that waits there; the rest stays";
    }
}

impl Swap {
    /// Share of the kept activations that waits on the host.
    #[must_use]
    pub fn swapped_activation_share(&self) -> f64 {
        if self.what == Swapped::Parameters { 0.0 } else { self.share }
    }

    /// Weights wait on the host.
    #[must_use]
    pub fn has_swapped_parameters(&self) -> bool {
        self.what != Swapped::Activations
    }
}

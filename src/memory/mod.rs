//! Memory of the fullest GPU, by category, and whether it fits. Counts what a step keeps; of the
//! allocator it knows one measured share that is reserved besides.

mod ledger;

pub use ledger::{Footprint, Holding, OVERHEAD, Shares, memory_ledger, micro_batches_in_flight};

use super::units::Bytes;

/// Memory of the GPU that needs most, taken apart; [`Memory::total_on_gpu`] is the sum of the
/// parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Pipeline stage of that GPU.
    pub stage: u32,
    /// Weights in the compute format.
    pub weights: Bytes,
    pub gradients: Bytes,
    /// Master weights and optimizer states.
    pub optimizer: Bytes,
    /// Activations of all micro-batches in flight, and the largest transient.
    pub activations: Bytes,
    /// Framework, communication buffers, parameters gathered for the layers at work.
    pub overhead: Bytes,
    /// Reserved by the allocator beyond all that: pieces too small for what is asked next.
    pub fragmentation: Bytes,
    /// Memory of the host that is kept for a GPU, of the stage that keeps most there: optimizer
    /// states, weights or activations that wait there; not part of the total.
    pub host: Bytes,
}

/// Whether a layout has room on a GPU, as far as its ledger knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryFit {
    /// With more left than the ledger errs by.
    Fits,
    /// What the GPU has lies within the error of what is counted: a trial decides.
    Tight,
    /// More is needed than the GPU has, whatever the error.
    TooLarge,
}

impl MemoryFit {
    /// What the ledger errs by, either way: 36 of the 37 measured totals that ship lie within it
    /// (docs/validation.md).
    pub const LEDGER_ERROR: f64 = 0.062;

    /// Of a total on a GPU that has so much.
    #[must_use]
    pub fn of_total(needs: Bytes, has: Bytes) -> Self {
        let (needs, has) = (needs.as_f64(), has.as_f64());
        if needs > has * (1.0 + Self::LEDGER_ERROR) {
            Self::TooLarge
        } else if needs * (1.0 + Self::LEDGER_ERROR) > has {
            Self::Tight
        } else {
            Self::Fits
        }
    }

    /// Its word in a report.
    #[must_use]
    pub const fn report_word(self) -> &'static str {
        match self {
            Self::Fits => "fits",
            Self::Tight => "is tight",
            Self::TooLarge => "does not fit",
        }
    }
}

impl Memory {
    /// All parts on the GPU together.
    #[must_use]
    pub fn total_on_gpu(&self) -> Bytes {
        self.allocated_bytes() + self.fragmentation
    }

    /// What is allocated at the peak: all but fragmentation.
    #[must_use]
    pub fn allocated_bytes(&self) -> Bytes {
        self.weights + self.gradients + self.optimizer + self.activations + self.overhead
    }
}

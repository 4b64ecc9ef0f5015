//! What may fail in a cluster, and what its loss means to the job that runs there. Times and routes
//! nothing.

use super::PerYear;
use crate::units::Seconds;

/// Alike pieces of a cluster, the loss of any one of which means the same to the job.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What they are, such as `leaf switch` or `nic-leaf link`.
    pub part: String,
    /// How many there are.
    pub pieces: u64,
    /// How often one of them fails.
    pub rate: PerYear,
    /// How long one is out.
    pub repair: Seconds,
    /// Whether they are part of the network.
    pub network: bool,
    /// The job stops: something that it needs is gone.
    pub stops: bool,
    /// HB domains whose replacement brings the full pace back; 0 where none does or is needed.
    pub domains: u64,
    /// GPUs of the HB domains that it hits.
    pub gpus: u64,
    /// Share of the full pace at which the job can go on until the repair with nothing replaced;
    /// 0 where it can't.
    pub kept: f64,
}

impl Fault {
    /// The loss of one of either means the same.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        let means = |fault: &Self| {
            (
                fault.rate,
                fault.repair,
                fault.network,
                fault.stops,
                fault.domains,
                fault.gpus,
                fault.kept,
            )
        };
        self.part == other.part && means(self) == means(other)
    }

    /// How often any of them fails.
    #[must_use]
    pub fn rate_of_any(&self) -> PerYear {
        self.rate.for_pieces(self.pieces)
    }

    /// Time that one loss takes from training until its repair where nothing is replaced, beside a stop.
    pub(super) fn time_lost_unreplaced(&self) -> Seconds {
        self.repair * (1.0 - self.kept)
    }
}

//! All-to-alls, which NCCL runs as messages between all pairs at once. Its tuner does not time them.

use super::constants::{EXCHANGE_ACROSS, EXCHANGE_INSIDE, Filling, constants_of};
use crate::hardware::NcclGeneration;
use crate::units::Seconds;

/// How long the bytes of an all-to-all keep a rank's links busy, at the rates that NCCL's search finds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NcclExchange {
    /// Links of its HB domain, without what the domain forwards.
    pub inside: Seconds,
    /// Those links, with what the domain forwards to another rail.
    pub forwarded: Seconds,
    /// Its interfaces; zero where no message leaves the domain.
    pub across: Seconds,
}

impl NcclExchange {
    /// What it takes where nothing else keeps links busy: start and transfer, and the filling of the
    /// pipeline of chunks (docs/equations.md §4.8). More ranks of as many bytes start no later, as far
    /// as is published.
    #[must_use]
    pub fn call_time(&self, generation: NcclGeneration) -> Seconds {
        let Filling { start, share, .. } = self.filling();
        let start = Seconds::from_micros(start);
        let transfer = self.transfer_time(generation);
        let filling = Seconds::from_f64((start.get() * transfer.get()).sqrt());
        start + transfer + filling * share
    }

    /// Of that, while bytes move: both levels at once, and what is forwarded besides. NCCL forwards
    /// chunk by chunk and may hide it; arXiv 2307.12169 counts all of it, and no table shows less.
    #[must_use]
    pub fn transfer_time(&self, generation: NcclGeneration) -> Seconds {
        let own = constants_of(generation);
        let links = own.ring_inside.efficiency;
        (self.inside / links).max(self.across / own.exchange_across) + self.forwarded / links
    }

    fn filling(&self) -> Filling {
        if self.across == Seconds::ZERO { EXCHANGE_INSIDE } else { EXCHANGE_ACROSS }
    }
}

//! HB domains that stand by for broken ones, and how one of them takes over. Chooses no number.

use crate::units::Seconds;

/// How a domain that stands by takes the place of a broken one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takeover {
    /// It has ports and cables of its own: the job restarts on it.
    Wired,
    /// It has none: somebody carries the cables of the broken one over, and the job stands until then.
    ByHand,
}

/// HB domains that stand by, all of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standby {
    /// How many.
    pub domains: u64,
    /// How one takes over; of none no matter.
    pub takeover: Takeover,
}

impl Standby {
    /// None stands by.
    pub const NONE: Self = Self::new_wired(0);

    /// So many with ports and cables of their own.
    #[must_use]
    pub const fn new_wired(domains: u64) -> Self {
        Self { domains, takeover: Takeover::Wired }
    }

    /// So many without.
    #[must_use]
    pub const fn new_cold(domains: u64) -> Self {
        if domains == 0 { Self::NONE } else { Self { domains, takeover: Takeover::ByHand } }
    }

    /// What follows their number in reports: nothing where none stands by.
    #[must_use]
    pub const fn report_suffix(self) -> &'static str {
        match self {
            Self { domains: 0, .. } => "",
            Self { takeover: Takeover::Wired, .. } => ", wired",
            Self { takeover: Takeover::ByHand, .. } => ", cold",
        }
    }

    /// Those that have ports.
    #[must_use]
    pub const fn with_ports(self) -> u64 {
        match self.takeover {
            Takeover::Wired => self.domains,
            Takeover::ByHand => 0,
        }
    }

    /// True where somebody has to carry cables.
    #[must_use]
    pub const fn is_by_hand(self) -> bool {
        matches!(self.takeover, Takeover::ByHand)
    }

    /// Time for which the job stands until one has taken over, beside its restart: no longer than the repair.
    #[must_use]
    pub fn takeover_time(self, swap: Seconds, repair: Seconds) -> Seconds {
        match self.takeover {
            Takeover::Wired => Seconds::ZERO,
            Takeover::ByHand => swap.min(repair),
        }
    }
}

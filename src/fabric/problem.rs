//! Why a fabric can't be built, as data and as a sentence.

use std::fmt;

/// Why a fabric can't be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FabricProblem {
    /// There is nothing to join.
    NoEndpoints,
    /// There are no rails, or more of them than endpoints.
    Rails { rails: u32, endpoints: u64 },
    /// No planes, or more than any interface could feed.
    Planes {
        planes: u32,
        /// Most that are possible.
        most: u32,
    },
    /// NICs of a domain that can't be spread evenly over the rails.
    Domains {
        nics: u32,
        /// Rails that were asked for, or those of the smallest domains.
        rails: u32,
        /// The most rails that divide all domains.
        common: u32,
    },
    /// The switch has no ports, an odd number, or more than any switch could have.
    Radix { radix: u32 },
    /// The ports of the switch are slower than the link.
    TooSlow {
        switch: String,
        /// Rate of the link in Gb/s, rounded.
        gigabits: u64,
    },
    /// Down and up ports of a leaf do not fit the switch, or one of them is missing.
    Split { down: u32, up: u32, radix: u32 },
    /// More endpoints than the fabric can join.
    TooManyEndpoints {
        /// Endpoints of one plane, or of one rail where rails are separate.
        endpoints: u64,
        radix: u32,
        tiers: u32,
    },
    /// The family has no member of that size.
    NoSuchSize {
        /// What is missing, as a sentence without a full stop.
        reason: &'static str,
    },
}

impl fmt::Display for FabricProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEndpoints => f.write_str("a fabric needs at least `1` NIC"),
            Self::Rails { rails, endpoints } => write!(
                f,
                "`{rails}` rails can't share `{endpoints}` NICs: use 1 to {endpoints} rails"
            ),
            Self::Planes { planes, most } => {
                write!(f, "`{planes}` planes are not possible: use 1 to {most}")
            }
            Self::Domains { nics, rails, common } => {
                write!(
                    f,
                    "domains of `{nics}` NICs can't be folded onto `{rails}` rails evenly: "
                )?;
                match common {
                    0 | 1 => f.write_str("join domains of such sizes by a clos"),
                    common => write!(f, "use {common} rails for all, or a clos"),
                }
            }
            Self::Radix { radix } => write!(
                f,
                "a switch of `{radix}` ports can't be used: give an even number of 2 or more"
            ),
            Self::TooSlow { switch, gigabits } => write!(
                f,
                "switch `{switch}` has no port of {gigabits} Gb/s: use a faster switch, a slower \
                 NIC or more planes"
            ),
            Self::Split { down, up, radix } => write!(
                f,
                "a leaf of `{radix}` ports can't give {down} to NICs and {up} to uplinks: give \
                 each at least one and not more than `{radix}` together"
            ),
            Self::TooManyEndpoints { endpoints, radix, tiers } => write!(
                f,
                "`{endpoints}` NICs are too many for {tiers} {} of {radix}-port switches: use more \
                 tiers, larger switches or more planes",
                if *tiers == 1 { "tier" } else { "tiers" }
            ),
            Self::NoSuchSize { reason } => f.write_str(reason),
        }
    }
}

impl std::error::Error for FabricProblem {}

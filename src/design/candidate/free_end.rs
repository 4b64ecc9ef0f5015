//! Which end of a link nothing joins, in words. Looks for none.

use std::fmt;

/// The end of a link that no kind of it joins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FreeEnd {
    /// The interface has no port of that protocol for so many planes.
    Port,
    /// No kind of link ends in the interface's cage and in one of these of switches.
    Cages {
        /// Cages of the switches on offer.
        cages: Vec<&'static str>,
    },
    /// Some kind does, and none is long enough.
    Far {
        /// Cage of the switches.
        cage: &'static str,
        /// Metres to the interfaces.
        metres: u32,
    },
    /// Interfaces are joined, and switches are not joined to one another.
    Switches {
        /// Cage of the switches.
        cage: &'static str,
        /// Metres between them.
        metres: u32,
    },
}

impl fmt::Display for FreeEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Port => f.write_str("it has no port of that protocol for so many planes"),
            Self::Cages { cages } if cages.is_empty() => f.write_str("none has such ports"),
            Self::Cages { cages } => {
                write!(f, "no kind of link ends in it and in a cage `{}`", cages.join("` or `"))
            }
            Self::Far { cage, metres } => {
                write!(f, "no kind of link reaches {metres} m from it to a cage `{cage}`")
            }
            Self::Switches { cage, metres } => {
                write!(
                    f,
                    "no kind of link reaches {metres} m from switch to switch (cage `{cage}`)"
                )
            }
        }
    }
}

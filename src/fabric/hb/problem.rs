//! Why an HB domain can't be joined so, as data and as a sentence.

use std::fmt;

/// Why an HB domain can't be joined so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HbProblem {
    /// No GPUs, or no links.
    Nothing,
    /// Chips have fewer ports than what one level needs.
    OneLevel {
        /// GPUs asked for.
        gpus: u32,
        /// Ports of a chip.
        ports: u32,
    },
    /// No pods and lanes join so many GPUs in two levels.
    TwoLevels {
        /// GPUs asked for.
        gpus: u32,
        /// Ports of a chip.
        ports: u32,
        /// Links down for each link up.
        taper: u32,
    },
    /// Two halves of a domain can't be alike.
    Twin {
        /// GPUs asked for.
        gpus: u32,
        /// Ports of a chip.
        ports: u32,
    },
    /// GPUs have fewer links than neighbours.
    Neighbours {
        /// GPUs asked for.
        gpus: u32,
        /// Neighbours of each.
        neighbours: u64,
        /// Links of each.
        links: u32,
    },
    /// The GPUs stand on no square.
    Square {
        /// GPUs asked for.
        gpus: u32,
    },
    /// The GPUs stand on no grid of three dimensions with at least two to a side.
    Grid {
        /// GPUs asked for.
        gpus: u32,
    },
    /// A ring on which neighbours of either side would be the same.
    Ring {
        /// GPUs asked for.
        gpus: u32,
        /// Neighbours on either side.
        hops: u32,
    },
    /// More links than a graph holds.
    TooManyLinks {
        /// Links of the domain.
        links: u64,
        /// Most that are wired.
        most: u64,
    },
}

impl fmt::Display for HbProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("an HB domain needs at least `1` GPU, link and port"),
            Self::OneLevel { gpus, ports } => write!(
                f,
                "`{gpus}` GPUs are more than one level of {ports}-port chips joins: use at most \
                 {ports} GPUs, two levels, or chips of more ports"
            ),
            Self::TwoLevels { gpus, ports, taper } => write!(
                f,
                "`{gpus}` GPUs can't be joined by two levels of {ports}-port chips at {taper}:1: \
                 use fewer GPUs, other pods and lanes, or another taper"
            ),
            Self::Twin { gpus, ports } => write!(
                f,
                "`{gpus}` GPUs can't be two halves around {ports}-port chips: use an even number \
                 of at most {ports}"
            ),
            Self::Neighbours { gpus, neighbours, links } => write!(
                f,
                "`{gpus}` GPUs joined without chips have {neighbours} neighbours each, and \
                 {links} links: use fewer GPUs, or more links"
            ),
            Self::Square { gpus } => {
                write!(f, "`{gpus}` GPUs form no square of rows and columns: use 4, 9, 16, 25, ...")
            }
            Self::Grid { gpus } => write!(
                f,
                "`{gpus}` GPUs form no grid of three dimensions: use a product of three whole \
                 numbers of 2 or more"
            ),
            Self::Ring { gpus, hops } => write!(
                f,
                "a ring of `{gpus}` GPUs has no {hops} different neighbours on either side: use \
                 more GPUs, or fewer hops"
            ),
            Self::TooManyLinks { links, most } => {
                write!(f, "`{links}` links are more than the {most} that are wired one by one")
            }
        }
    }
}

impl std::error::Error for HbProblem {}

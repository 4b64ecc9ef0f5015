//! `HbRequest`, `HbCounts`, `HbProblem`.
//!
//! What is asked of a domain, and what it is made of. Counts nothing.

use std::fmt;

use crate::hardware::{Family, HbKind, HbRate, Striping};

/// A domain to be counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HbRequest {
    /// How its GPUs are joined.
    pub kind: HbKind,
    pub gpus: u32,
    /// Links ℓ of a GPU.
    pub links: u32,
    /// Ports k of a chip; 0 where there are no chips.
    pub ports: u32,
    /// Levels of chips; `None` for as few as reach.
    pub levels: Option<u32>,
    /// Taper ω of two levels: links down for each link up; at least 1.
    pub taper: u32,
    /// GPUs p of a pod of two levels; `None` for what takes fewest chips.
    pub pod: Option<u32>,
    /// Links m of a GPU to one chip; `None` for what takes fewest chips.
    pub lanes: Option<u32>,
    /// Two halves, half of each chip's ports between them.
    pub twin: bool,
    /// How links are spread over chips.
    pub striping: Striping,
    /// Neighbours on either side, of a ring.
    pub hops: u32,
    /// Chips built over chips needed; at least 1.
    pub packaging: f64,
}

impl HbRequest {
    /// A domain of switch chips with all else as it is by default.
    #[must_use]
    pub const fn for_switch_chips(gpus: u32, links: u32, ports: u32) -> Self {
        Self {
            kind: HbKind::Switched,
            gpus,
            links,
            ports,
            levels: None,
            taper: 1,
            pod: None,
            lanes: None,
            twin: false,
            striping: Striping::Even,
            hops: 1,
            packaging: 1.0,
        }
    }

    /// A domain of a family.
    #[must_use]
    pub fn from_family(family: &Family, gpus: u32) -> Self {
        Self {
            kind: family.kind,
            levels: family.levels,
            taper: family.taper,
            pod: family.pod,
            lanes: family.lanes,
            twin: family.twin,
            striping: family.striping,
            hops: family.hops,
            packaging: family.packaging,
            ..Self::for_switch_chips(gpus, family.links, family.chip_ports.unwrap_or(0))
        }
    }
}

/// What a domain is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HbCounts {
    pub request: HbRequest,
    /// Levels of chips; 0 where there are none.
    pub levels: u32,
    /// Chips that GPUs have links to, without packaging.
    pub leaf_chips: u64,
    /// Chips of the second level, without packaging.
    pub spine_chips: u64,
    /// Groups of chips that share no chip: a GPU has links to each; 1 where there are none.
    pub planes: u32,
    /// Links m of a GPU to one chip, or to one neighbour; the most where they are split unequally.
    pub lanes: u32,
    /// GPUs p that share first-level chips: all of them in one level.
    pub pod: u32,
    /// Links with an end at a GPU.
    pub gpu_links: u64,
    pub long_links: u64,
    /// Ports of chips that nothing uses, those of chips that packaging adds left out.
    pub free_ports: u64,
    /// Part of ℓ·b that each GPU reaches at least where all send alike to all.
    pub all_to_all: f64,
    /// Part of ℓ·b that rings over neighbours reach.
    pub neighbours: f64,
}

impl HbCounts {
    /// Chips that are needed.
    #[must_use]
    pub const fn chips_needed(&self) -> u64 {
        self.leaf_chips + self.spine_chips
    }

    /// Chips that are built: those needed, times the packaging factor, rounded up.
    #[must_use]
    pub fn chip_count(&self) -> u64 {
        // A third written with four digits is a third.
        const DUST: f64 = 1e-3;
        (self.chips_needed() as f64 * self.request.packaging - DUST).ceil().max(0.0) as u64
    }

    /// Links of the domain.
    #[must_use]
    pub const fn link_count(&self) -> u64 {
        self.gpu_links + self.long_links
    }

    /// Part of ℓ·b that the clock takes.
    #[must_use]
    pub const fn rate_share(&self, rate: HbRate) -> f64 {
        match rate {
            HbRate::AllToAll => self.all_to_all,
            HbRate::Neighbours => self.neighbours,
        }
    }
}

/// Why an HB domain can't be joined so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HbProblem {
    /// No GPUs, or no links.
    Nothing,
    /// Chips have fewer ports than what one level needs.
    OneLevel { gpus: u32, ports: u32 },
    /// No pods and lanes join so many GPUs in two levels.
    TwoLevels {
        gpus: u32,
        ports: u32,
        /// Links down for each link up.
        taper: u32,
    },
    /// Two halves of a domain can't be alike.
    Twin { gpus: u32, ports: u32 },
    /// GPUs have fewer links than neighbours.
    Neighbours {
        gpus: u32,
        /// Neighbours of each.
        neighbours: u64,
        /// Links of each.
        links: u32,
    },
    /// The GPUs stand on no square.
    Square { gpus: u32 },
    /// The GPUs stand on no grid of three dimensions with at least two to a side.
    Grid { gpus: u32 },
    /// A ring on which neighbours of either side would be the same.
    Ring { gpus: u32, hops: u32 },
    /// More links than a graph holds.
    TooManyLinks {
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

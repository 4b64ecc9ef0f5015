//! A part of the network whose loss stops the whole job alone, and the network without one. Looks for
//! neither.

use crate::scenario::Loss;
use crate::units::Usd;

/// A part of the network whose loss stops the whole job, and what a network without one takes.
#[derive(Clone, Debug, PartialEq)]
pub struct SinglePoint {
    /// What the part is, such as `leaf switch`.
    pub part: String,
    /// How many of them there are.
    pub pieces: u64,
    /// The network without such a part; `None` where no network was found.
    pub without: Option<Without>,
}

/// The best network of which no link or switch stops the whole job alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Without {
    /// What it costs more than the best network of all; less than nothing where only another objective
    /// is worse with it.
    pub usd: Usd,
    /// That over the price of the best network of all.
    pub share: f64,
    /// It is the one that was chosen.
    pub chosen: bool,
    /// What `limits.survive` asks for there.
    pub survive: &'static [Loss],
}

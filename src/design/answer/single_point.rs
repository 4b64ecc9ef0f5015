//! A part of the network whose loss stops the whole job alone, and the network without one. Looks for
//! neither.

use super::premium::Premium;
use crate::scenario::Loss;

/// A part of the network whose loss stops the whole job, and what a network without one takes.
#[derive(Clone, Debug, PartialEq)]
pub struct SinglePoint {
    /// What the part is, such as `leaf switch`.
    pub part: String,
    /// How many of them there are.
    pub pieces: u64,
    /// The design without such a part; `None` where none was found.
    pub without: Option<WithoutSinglePoint>,
}

/// The best design of the same machines of which no link or switch stops the whole job alone.
#[derive(Clone, Debug, PartialEq)]
pub struct WithoutSinglePoint {
    /// What it takes more than the best design of all.
    pub premium: Premium,
    /// It is the one that was chosen.
    pub chosen: bool,
    /// What `limits.survive` asks for there.
    pub survive: &'static [Loss],
}

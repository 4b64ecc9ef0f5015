//! A point of a rack.

/// A port in a rack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// Index of the rack.
    pub rack: usize,
    /// Twice the rack unit at which it is, from 2: the middle of a device may be between two units.
    pub half_units: u32,
}

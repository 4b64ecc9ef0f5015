//! What became of each of several quantities. Minimises none.

use crate::scenario::Minimize;

/// One of several quantities that were minimised one after another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Priority {
    /// The quantity.
    pub quantity: Minimize,
    /// What the design takes of it over the least that the quantities before it leave, less 1.
    pub given_up: f64,
    /// What the design takes less of it than the one that the quantities before it choose alone,
    /// over that one's; nothing for the first.
    pub gained: f64,
}

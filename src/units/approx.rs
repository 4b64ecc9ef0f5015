//! What counts as equal where sums of amounts are compared. Physics has tolerances of its own,
//! where it stands.

/// Relative rounding of sums of amounts: what differs by less is the same. Sums of some thousand
/// terms in 64 bits are off by less, and no price has as many digits.
pub(crate) const ROUNDING: f64 = 1e-9;

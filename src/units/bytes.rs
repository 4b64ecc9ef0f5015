//! An exact number of bytes. Not a size in text and not a rate.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul};

/// A whole number of bytes.
///
/// 128 bits wide, so that the sum over every pair of a million GPUs is still exact: the traffic
/// matrix is compared with its oracle for equality, not within a tolerance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(u128);

impl Bytes {
    /// Nothing at all.
    pub const ZERO: Self = Self(0);

    /// `count` bytes.
    #[must_use]
    pub const fn new(count: u128) -> Self {
        Self(count)
    }

    /// `count` binary gigabytes (2³⁰ bytes).
    #[must_use]
    pub const fn from_gib(count: u128) -> Self {
        Self(count << 30)
    }

    /// `elements` values of `width` bytes each, rounded up to a whole byte (4-bit formats with
    /// block scales have widths such as 0.5625).
    #[must_use]
    pub fn from_elements(elements: u128, width: f64) -> Self {
        if width.fract() == 0.0 {
            Self(elements.saturating_mul(width as u128))
        } else {
            Self((elements as f64 * width).ceil() as u128)
        }
    }

    /// The exact count.
    #[must_use]
    pub const fn count(self) -> u128 {
        self.0
    }

    /// The count as a float, for rates and times; exact below 2⁵³.
    #[must_use]
    pub const fn as_f64(self) -> f64 {
        self.0 as f64
    }

    /// The smallest multiple of `parts` that holds this many bytes: a buffer that `parts` ranks
    /// split evenly is padded like this. `parts = 0` counts as 1.
    #[must_use]
    pub const fn padded_to(self, parts: u128) -> Self {
        if parts < 2 { self } else { Self(self.0.div_ceil(parts).saturating_mul(parts)) }
    }

    /// One of `parts` equal parts, rounded up. `parts = 0` counts as 1.
    #[must_use]
    pub const fn equal_share(self, parts: u128) -> Self {
        if parts < 2 { self } else { Self(self.0.div_ceil(parts)) }
    }

    /// The difference, or zero where `other` is larger.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// True where there is nothing.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl Add for Bytes {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Bytes {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<u128> for Bytes {
    type Output = Self;
    fn mul(self, times: u128) -> Self {
        Self(self.0.saturating_mul(times))
    }
}

impl Sum for Bytes {
    fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
        items.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    #[test]
    fn padding_rounds_up_to_a_multiple_of_the_group() {
        assert_eq!(Bytes::new(10).padded_to(4), Bytes::new(12));
        assert_eq!(Bytes::new(12).padded_to(4), Bytes::new(12));
        assert_eq!(Bytes::new(5).padded_to(0), Bytes::new(5));
    }

    #[test]
    fn fractional_widths_round_up_to_a_byte() {
        assert_eq!(Bytes::from_elements(3, 2.0), Bytes::new(6));
        assert_eq!(Bytes::from_elements(3, 0.5625), Bytes::new(2));
    }
}

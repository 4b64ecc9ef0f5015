//! `Bytes`, `Seconds`, `Bandwidth`, `Flops`, `FlopRate`, `Watts`, `Usd`, `Metres`: newtypes with
//! their algebra.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

/// Declares a quantity: a finite float with addition, scaling and the ratio of two of a kind.
macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident, $base:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
        pub struct $name(f64); // Invariant: finite, so that ordering is total.

        impl $name {
            /// None of it.
            pub const ZERO: Self = Self(0.0);

            #[doc = concat!("A value in ", $base, "; `None` where it is NaN or infinite.")]
            #[must_use]
            pub fn new(value: f64) -> Option<Self> {
                value.is_finite().then_some(Self(value))
            }

            #[doc = concat!("A computed value in ", $base, ". What is not finite becomes the ")]
            #[doc = "largest float, so that no arithmetic on odd input can make a NaN spread."]
            #[must_use]
            pub const fn from_f64(value: f64) -> Self {
                if value.is_finite() {
                    Self(value)
                } else if value < 0.0 {
                    Self(f64::MIN)
                } else {
                    Self(f64::MAX)
                }
            }

            #[doc = concat!("The value in ", $base, ".")]
            #[must_use]
            pub const fn get(self) -> f64 {
                self.0
            }

            /// The larger of two.
            #[must_use]
            pub const fn max(self, other: Self) -> Self {
                if self.0 >= other.0 { self } else { other }
            }

            /// The smaller of two.
            #[must_use]
            pub const fn min(self, other: Self) -> Self {
                if self.0 <= other.0 { self } else { other }
            }

            /// Total order, for sorting.
            #[must_use]
            pub fn total_cmp(&self, other: &Self) -> std::cmp::Ordering {
                self.0.total_cmp(&other.0)
            }
        }

        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self::from_f64(self.0 + other.0)
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self::from_f64(self.0 - other.0)
            }
        }

        impl Mul<f64> for $name {
            type Output = Self;
            fn mul(self, factor: f64) -> Self {
                Self::from_f64(self.0 * factor)
            }
        }

        impl Div<f64> for $name {
            type Output = Self;
            fn div(self, divisor: f64) -> Self {
                Self::from_f64(self.0 / divisor)
            }
        }

        /// The ratio of two of a kind has no unit.
        impl Div for $name {
            type Output = f64;
            fn div(self, other: Self) -> f64 {
                self.0 / other.0
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
                items.fold(Self::ZERO, Add::add)
            }
        }
    };
}

quantity!(
    /// A span of time.
    Seconds,
    "seconds"
);
impl Seconds {
    /// A day of 24 hours.
    pub const DAY: Self = Self(86_400.0);
    /// What never ends: no time is longer.
    pub const ENDLESS: Self = Self(f64::MAX);

    /// A time in days of 24 hours.
    #[must_use]
    pub const fn from_days(days: f64) -> Self {
        Self::from_f64(days * Self::DAY.0)
    }

    /// In days of 24 hours.
    #[must_use]
    pub fn as_days(self) -> f64 {
        self / Self::DAY
    }

    /// True where it never ends.
    #[must_use]
    pub fn is_endless(self) -> bool {
        self >= Self::ENDLESS
    }
}

quantity!(
    /// A length.
    Metres,
    "metres"
);

quantity!(
    /// Data per time, in bytes per second: never bits.
    Bandwidth,
    "bytes per second"
);
quantity!(
    /// A number of floating-point operations (a multiply-add counts two).
    Flops,
    "floating-point operations"
);
quantity!(
    /// Floating-point operations per second.
    FlopRate,
    "FLOP/s"
);
quantity!(
    /// Electrical power.
    Watts,
    "watts"
);
quantity!(
    /// Money in US dollars; differences may be negative.
    Usd,
    "US dollars"
);

impl Seconds {
    /// Microseconds.
    #[must_use]
    pub const fn from_micros(value: f64) -> Self {
        Self::from_f64(value * 1e-6)
    }
}

impl Bandwidth {
    /// Decimal gigabytes (10⁹ bytes) per second.
    #[must_use]
    pub const fn from_gigabytes(value: f64) -> Self {
        Self::from_f64(value * 1e9)
    }

    /// Decimal gigabits per second: 8 Gb/s are 1 GB/s.
    #[must_use]
    pub const fn from_gigabits(value: f64) -> Self {
        Self::from_f64(value * 1e9 / 8.0)
    }

    /// The rate in decimal gigabits per second.
    #[must_use]
    pub const fn as_gigabits(self) -> f64 {
        self.get() * 8.0 / 1e9
    }
}

impl FlopRate {
    /// 10¹² FLOP/s.
    #[must_use]
    pub const fn from_tera(value: f64) -> Self {
        Self::from_f64(value * 1e12)
    }

    /// The rate in 10¹² FLOP/s.
    #[must_use]
    pub const fn as_tera(self) -> f64 {
        self.get() / 1e12
    }
}

/// How long the bytes take at a rate; at a rate of zero, no data takes no time and any data
/// takes the largest representable time.
impl Div<Bandwidth> for Bytes {
    type Output = Seconds;
    fn div(self, rate: Bandwidth) -> Seconds {
        if self.is_zero() { Seconds::ZERO } else { Seconds::from_f64(self.as_f64() / rate.get()) }
    }
}

/// How long the operations take at a rate; zero operations take no time.
impl Div<FlopRate> for Flops {
    type Output = Seconds;
    fn div(self, rate: FlopRate) -> Seconds {
        if self.get() == 0.0 { Seconds::ZERO } else { Seconds::from_f64(self.get() / rate.get()) }
    }
}

/// A whole number of bytes.
///
/// 128 bits wide, so that the sum over every pair of a million GPUs is still exact: the traffic
/// matrix is compared with its oracle for equality, not within a tolerance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(u128);

/// Counts below it are converted by 64 bits: conversions of 128 are calls.
const SHORT: f64 = 9.0e18;

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
            Self::rounded_up(elements as f64 * width)
        }
    }

    /// The next whole number of bytes; none where it is below zero.
    #[must_use]
    pub fn rounded_up(value: f64) -> Self {
        let whole = value.ceil();
        if whole < SHORT { Self((whole as u64).into()) } else { Self(whole as u128) }
    }

    /// The exact count.
    #[must_use]
    pub const fn count(self) -> u128 {
        self.0
    }

    /// The count as a float, for rates and times; exact below 2⁵³.
    #[must_use]
    pub const fn as_f64(self) -> f64 {
        if self.0 < SHORT as u128 { self.0 as u64 as f64 } else { self.0 as f64 }
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
    use super::{Bandwidth, Bytes, Seconds};

    #[test]
    fn bits_are_not_bytes() {
        assert_eq!(Bandwidth::from_gigabits(400.0), Bandwidth::from_gigabytes(50.0));
        assert_eq!(Bandwidth::from_gigabytes(50.0).as_gigabits(), 400.0);
    }

    /// Against the conversions of the language, on both sides of where 64 bits end.
    #[test]
    fn bytes_convert_alike_in_64_and_in_128_bits() {
        for power in 0..127 {
            for count in [(1_u128 << power) - 1, 1 << power, (1 << power) + 1, 3 << (power / 2)] {
                assert_eq!(Bytes::new(count).as_f64().to_bits(), (count as f64).to_bits());
            }
            for value in [2.0_f64.powi(power), 2.0_f64.powi(power) / 3.0, -2.0_f64.powi(power)] {
                let whole = value.max(0.0).ceil() as u128;
                assert_eq!(Bytes::rounded_up(value).count(), whole, "{value}");
            }
        }
        assert_eq!(Bytes::rounded_up(f64::INFINITY).count(), u128::MAX);
    }

    #[test]
    fn not_a_number_is_refused() {
        assert_eq!(Seconds::new(f64::NAN), None);
        assert_eq!(Seconds::new(f64::INFINITY), None);
    }

    #[test]
    fn data_over_a_dead_link_takes_as_long_as_can_be_said() {
        assert_eq!((Bytes::new(1) / Bandwidth::ZERO).get(), f64::MAX);
        assert_eq!(Bytes::ZERO / Bandwidth::ZERO, Seconds::ZERO);
    }

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

//! Short ways to an amount, for the readers of the rows: what they return is there.

use std::borrow::Cow;

use crate::units::{Amount, Bytes, Seconds, Usd, Watts};

/// Pieces.
pub(super) fn count_amount(value: impl Into<u128>) -> Option<Amount> {
    Some(Amount::from_count(value))
}

/// A name.
pub(super) fn word_amount(name: impl Into<Cow<'static, str>>) -> Option<Amount> {
    Some(Amount::from_word(name))
}

/// A time.
pub(super) const fn time_amount(value: Seconds) -> Option<Amount> {
    Some(Amount::Time(value))
}

/// Bytes in a memory.
pub(super) const fn memory_amount(value: Bytes) -> Option<Amount> {
    Some(Amount::Memory(value))
}

/// Bytes that move.
pub(super) const fn volume_amount(value: Bytes) -> Option<Amount> {
    Some(Amount::Volume(value))
}

/// Money.
pub(super) const fn money_amount(value: Usd) -> Option<Amount> {
    Some(Amount::Money(value))
}

/// Electrical power.
pub(super) const fn power_amount(value: Watts) -> Option<Amount> {
    Some(Amount::Power(value))
}

/// A share of 1.
pub(super) const fn share_amount(value: f64) -> Option<Amount> {
    Some(Amount::Share(value))
}

/// A plain number.
pub(super) const fn number_amount(value: f64) -> Option<Amount> {
    Some(Amount::Number(value))
}

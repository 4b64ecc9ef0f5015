//! What a key is read into: the kinds of field that a table may have.

use std::collections::BTreeMap;

use super::{Key, Kind, PIECES};
use crate::units::{Bandwidth, Bytes, FlopRate, Metres, Seconds, Unit, Usd, Watts};

/// Values of a table by key. Each answers what is stated, where that is sound, else the default of
/// the key; `None` where there is neither.
pub trait Values {
    /// A whole number in the key's range.
    fn count_value(&self, key: &Key) -> Option<u64>;
    /// A number in the key's range, or a quantity in base units.
    fn number_value(&self, key: &Key) -> Option<f64>;
    /// `true` or `false`.
    fn flag_value(&self, key: &Key) -> Option<bool>;
    /// A choice, by its name.
    fn choice_value(&self, key: &Key) -> Option<String>;
    /// Pieces of parts, by their names; none where nothing is stated.
    fn piece_counts(&self, key: &Key) -> BTreeMap<String, u64>;
}

/// A type that a key can be read into.
pub trait Field: Sized {
    /// The kind of such a key, where its row names none.
    const KIND: Kind;

    /// The value of a key; `None` where it is neither stated nor has a default.
    fn read_value(values: &impl Values, key: &Key) -> Option<Self>;
}

impl Field for u64 {
    const KIND: Kind = Kind::Count { min: 0, max: Self::MAX };

    fn read_value(values: &impl Values, key: &Key) -> Option<Self> {
        values.count_value(key)
    }
}

impl Field for u32 {
    const KIND: Kind = Kind::Count { min: 0, max: Self::MAX as u64 };

    fn read_value(values: &impl Values, key: &Key) -> Option<Self> {
        values.count_value(key).and_then(|count| Self::try_from(count).ok())
    }
}

impl Field for f64 {
    const KIND: Kind = Kind::Number { min: 0.0, max: Self::MAX };

    fn read_value(values: &impl Values, key: &Key) -> Option<Self> {
        values.number_value(key)
    }
}

impl Field for bool {
    const KIND: Kind = Kind::Flag;

    fn read_value(values: &impl Values, key: &Key) -> Option<Self> {
        values.flag_value(key)
    }
}

/// A length is a plain number of metres, as its key says.
impl Field for Metres {
    const KIND: Kind = Kind::Number { min: 0.0, max: 1_000.0 };

    fn read_value(values: &impl Values, key: &Key) -> Option<Self> {
        values.number_value(key).map(Self::from_f64)
    }
}

/// A time is text with its unit; a plain number of a key that says so is in days.
impl Field for Seconds {
    const KIND: Kind = Kind::Quantity(Unit::Time);

    fn read_value(values: &impl Values, key: &Key) -> Option<Self> {
        let days = matches!(key.kind, Kind::Number { .. });
        values
            .number_value(key)
            .map(|value| if days { Self::from_days(value) } else { Self::from_f64(value) })
    }
}

impl Field for Bytes {
    const KIND: Kind = Kind::Quantity(Unit::Memory);

    fn read_value(values: &impl Values, key: &Key) -> Option<Self> {
        values.number_value(key).map(|value| Self::new(value as u128))
    }
}

macro_rules! quantities {
    ($($type:ident: $unit:ident),*) => {
        $(impl Field for $type {
            const KIND: Kind = Kind::Quantity(Unit::$unit);

            fn read_value(values: &impl Values, key: &Key) -> Option<Self> {
                values.number_value(key).map(Self::from_f64)
            }
        })*
    };
}

quantities!(Bandwidth: Bandwidth, FlopRate: Rate, Watts: Power, Usd: Money);

impl Field for BTreeMap<String, u64> {
    const KIND: Kind = Kind::Map(&PIECES);

    fn read_value(values: &impl Values, key: &Key) -> Option<Self> {
        Some(values.piece_counts(key))
    }
}

/// A key that may be left out, and then has nothing.
impl<T: Field> Field for Option<T> {
    const KIND: Kind = T::KIND;

    fn read_value(values: &impl Values, key: &Key) -> Option<Self> {
        Some(T::read_value(values, key))
    }
}

//! `Key`, `Kind`, `Section`, `Field`: a key as data and what it is read into; `choices!` for enums;
//! shared keys.

use std::collections::BTreeMap;

use crate::units::{Bandwidth, Bytes, FlopRate, Metres, Seconds, Unit, Usd, Watts};

/// A table of the spec and its keys.
#[derive(Debug)]
pub struct Section {
    /// What the table is about.
    pub doc: &'static str,
    /// Its keys, in reading order.
    pub keys: &'static [Key],
}

impl Section {
    /// The key of that name.
    #[must_use]
    pub fn find_key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    pub name: &'static str,
    /// What its value may be.
    pub kind: Kind,
    /// What it means, with the unit where the value has none.
    pub doc: &'static str,
    /// What holds where it is left out.
    pub default: KeyDefault,
    /// Nothing can be computed without it.
    pub required: bool,
}

/// What holds where a key is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyDefault {
    /// Nothing, or the key is required.
    Nothing,
    /// What other keys or parts say, in words.
    Words(&'static str),
    /// A value as it would be written, without quotes.
    Value(&'static str),
}

impl KeyDefault {
    /// As it is printed, a whole number without a fraction; empty where nothing holds.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Words(text) => text,
            Self::Value(text) => text.strip_suffix(".0").unwrap_or(text),
        }
    }
}

/// What a value may be.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Any text.
    Text,
    /// The name of a part, model or preset.
    Name,
    /// A year, a month or a day of the calendar: `2026`, `2026-09` or `2026-09-15`.
    Date,
    /// One of a few texts.
    Choice(&'static [&'static str]),
    /// An order of parallel dimensions such as `tp-cp-ep-dp-pp`.
    Order,
    /// `true` or `false`.
    Flag,
    /// A whole number from `min` to `max`.
    Count { min: u64, max: u64 },
    /// A number from `min` to `max`.
    Number { min: f64, max: f64 },
    /// A count that may be written short: `300B`, `1.4T`.
    Amount { max: f64 },
    /// A quantity with its unit in the text.
    Quantity(Unit),
    /// What is inside, or the word `auto`.
    Auto(&'static Kind),
    /// One value, or a list of one or more.
    Some(&'static Kind),
    /// What one costs, in any currency that has a rate: `$32870` or `EUR 33894`.
    Cost,
    /// An amount of money, or a table with price, date and source.
    Price,
    /// A table.
    Table(&'static Section),
    /// A list of tables: `[[…]]`.
    Tables(&'static Section),
    /// A table with names of the user's own.
    Map(&'static Kind),
}

impl Kind {
    /// The kind of one value, without `auto` and lists.
    #[must_use]
    pub const fn innermost_kind(&self) -> &Self {
        match self {
            Self::Auto(inner) | Self::Some(inner) => inner.innermost_kind(),
            kind => kind,
        }
    }
}

/// A key that may be left out.
#[must_use]
pub const fn key(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    Key { name, kind, doc, default: KeyDefault::Nothing, required: false }
}

impl Key {
    /// This key, with what holds where it is left out, in words.
    #[must_use]
    pub const fn with_default_words(self, words: &'static str) -> Self {
        Self { default: KeyDefault::Words(words), ..self }
    }

    /// This key, with the value that holds where it is left out, as it would be written.
    #[must_use]
    pub const fn default(self, value: &'static str) -> Self {
        Self { default: KeyDefault::Value(value), ..self }
    }

    /// This key, required.
    #[must_use]
    pub const fn required(self) -> Self {
        Self { required: true, ..self }
    }
}

/// Where the numbers of an entry come from.
pub const SOURCE: Key = key("source", Kind::Text, "where the numbers come from");
/// When they held.
pub const DATE: Key = key("date", Kind::Date, "when they held, as 2026-07");
/// What else there is to know.
pub const NOTE: Key = key("note", Kind::Text, "what a reader should know");

/// What one costs.
pub const PRICE: Key = key("price", Kind::Price, "price of one");

/// A part of a whole.
pub const SHARE: Kind = Kind::Number { min: 0.0, max: 1.0 };
/// GPUs up to the largest cluster that is planned; a degree can't exceed it.
pub const GPUS: Kind = Kind::Count { min: 1, max: 4_194_304 };
/// Pieces of a part that anyone owns or can have delivered.
pub const PIECES: Kind = Kind::Count { min: 0, max: 1_000_000_000 };
/// Layers; none is allowed. Three times ten thousand is beyond any published model, and stage lists
/// are as long as this.
pub const LAYERS_OR_NONE: Kind = Kind::Count { min: 0, max: 10_000 };

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
    fn text_value(&self, key: &Key) -> Option<String>;
    /// Choices, by their names; none where nothing is stated.
    fn text_values(&self, key: &Key) -> Vec<String>;
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

/// Declares an enum of which a spec names one: its variants, each with its name there. It has `ALL`
/// in the order of the documentation, `NAMES`, `name` and `parse`, and can be a field of a table.
macro_rules! choices {
    (
        $(#[$meta:meta])*
        pub enum $type:ident { $($(#[$doc:meta])* $variant:ident = $name:literal),* $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $type { $($(#[$doc])* $variant),* }

        impl $type {
            /// All of them, in the order of the documentation.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// Their names in a spec, in that order.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// Its name in a spec.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// The one of that name; `None` where there is none.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|choice| choice.name() == name)
            }
        }

        impl $crate::keys::Field for $type {
            const KIND: $crate::keys::Kind = $crate::keys::Kind::Choice(Self::NAMES);

            fn read_value(
                values: &impl $crate::keys::Values,
                key: &$crate::keys::Key,
            ) -> Option<Self> {
                values.text_value(key).and_then(|name| Self::parse(&name))
            }
        }
    };
}

pub(crate) use choices;

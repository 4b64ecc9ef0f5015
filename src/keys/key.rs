//! A key as data: name, kind, range, default, meaning.

use crate::units::Unit;

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
    /// Its name.
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
    Count {
        /// Smallest.
        min: u64,
        /// Largest.
        max: u64,
    },
    /// A number from `min` to `max`.
    Number {
        /// Smallest.
        min: f64,
        /// Largest.
        max: f64,
    },
    /// A count that may be written short: `300B`, `1.4T`.
    Amount {
        /// Largest.
        max: f64,
    },
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

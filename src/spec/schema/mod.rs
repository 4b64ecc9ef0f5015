//! The keys of a spec as a table: name, kind, range, default, meaning. The checker, the readers,
//! the JSON Schema and the documentation all read it, so they can't disagree. Says nothing about
//! how keys depend on one another.

mod calibration;
mod cluster;
mod default;
mod hardware;
mod job;
mod json;
mod page;
mod root;
mod stage;
mod technique;
mod workload;

pub(crate) use calibration::CALIBRATION;
pub use default::KeyDefault;
pub use hardware::PRICE_BOOK;
pub(crate) use hardware::{GPU, NIC, NODE, OPTIC, OWN_PRICE, RATE, SWITCH};
pub(crate) use job::{FRAMEWORK, MODEL};
pub use json::json_schema;
pub use page::page;
pub use root::ROOT;

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
    pub fn key(&self, name: &str) -> Option<&'static Key> {
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

/// A physical unit that a text has to state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// `80 GiB`.
    Bytes,
    /// `400 Gb/s` or `50 GB/s`.
    Bandwidth,
    /// `312 TFLOP/s`.
    FlopRate,
    /// `6.5 kW`.
    Power,
    /// `25 s`.
    Time,
    /// `$60M`.
    Money,
}

impl Unit {
    /// How to write it.
    #[must_use]
    pub const fn example(self) -> &'static str {
        match self {
            Self::Bytes => "\"80 GiB\"",
            Self::Bandwidth => "\"400 Gb/s\"",
            Self::FlopRate => "\"312 TFLOP/s\"",
            Self::Power => "\"6.5 kW\"",
            Self::Time => "\"25 s\"",
            Self::Money => "\"$60M\"",
        }
    }

    /// What it is, in words.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Bytes => "a size",
            Self::Bandwidth => "a bandwidth",
            Self::FlopRate => "a compute rate",
            Self::Power => "a power",
            Self::Time => "a time",
            Self::Money => "an amount in US dollars",
        }
    }
}

/// A key that may be left out.
pub(crate) const fn key(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    Key { name, kind, doc, default: KeyDefault::Nothing, required: false }
}

impl Key {
    /// This key, with what holds where it is left out, in words.
    pub(crate) const fn or(self, words: &'static str) -> Self {
        Self { default: KeyDefault::Words(words), ..self }
    }

    /// This key, with the value that holds where it is left out, as it would be written.
    pub(crate) const fn default(self, value: &'static str) -> Self {
        Self { default: KeyDefault::Value(value), ..self }
    }

    /// This key, required.
    pub(crate) const fn required(self) -> Self {
        Self { required: true, ..self }
    }
}

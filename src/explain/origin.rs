//! Where the value of an input comes from. Presets are named; who published them is looked up
//! by whoever knows the files.

use std::borrow::Cow;

use crate::hardware::Price;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum InputOrigin {
    /// A key of the spec, or its default.
    Spec(&'static str),
    /// A key of the spec that was left open: the planner chose.
    Chosen(&'static str),
    /// A preset, unless the spec overrides the entry.
    Preset {
        /// Kind of the preset, as in `planner presets list`.
        kind: &'static str,
        /// Its name.
        name: String,
        /// The entry.
        entry: &'static str,
    },
    /// A price with basis, date and source.
    Priced(Price),
    /// Another quantity that can be explained, by its key.
    Quantity(Cow<'static, str>),
    /// Found by the planner on the way, in words.
    Found(&'static str),
    /// Measured and published by others: by whom, in words.
    Published(&'static str),
    /// An assumption that no key changes: why, in words.
    Assumed(&'static str),
    /// A constant of nature, the calendar or a standard, in words.
    Constant(&'static str),
}

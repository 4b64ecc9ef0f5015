//! Keys of a spec, declared once: a row of [`table!`] has the field that a key is read into, its
//! name, range, default and meaning. Reader, JSON Schema, docs/spec.md and the list of what a
//! scenario asks follow from the row. It reads no text: whoever has one is a [`Values`].

pub(crate) mod key;
mod table;

pub(crate) use key::choices;
pub use key::{
    DATE, Field, GPUS, Key, KeyDefault, Kind, LAYERS_OR_NONE, NOTE, PIECES, PRICE, SHARE, SOURCE,
    Section, Values, key,
};
pub(crate) use table::table;

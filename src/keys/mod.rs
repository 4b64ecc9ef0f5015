//! Keys of a spec, declared once: a row of [`table!`] has the field that a key is read into, its
//! name, range, default and meaning. Reader, JSON Schema, docs/spec.md and the list of what a
//! scenario asks follow from the row. It reads no text: whoever has one is a [`Values`].

mod choice;
mod common;
mod field;
pub(crate) mod key;
mod table;

pub(crate) use choice::choices;
pub use common::{DATE, GPUS, LAYERS_OR_NONE, NOTE, PIECES, PRICE, SHARE, SOURCE};
pub use field::{Field, Values};
pub use key::{Key, KeyDefault, Kind, Section, key};
pub(crate) use table::table;

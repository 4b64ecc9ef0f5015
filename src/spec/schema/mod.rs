//! The tables of a spec, put together: what the checker, the readers, the JSON Schema and the
//! documentation all read, so they can't disagree. Tables that are read into one struct are
//! declared with it, by [`crate::keys`]; here are the others. Says nothing about how keys depend on
//! one another.

mod export;
mod hardware;
mod root;

pub use crate::keys::{Key, KeyDefault, Kind, Section};
pub use export::{KeyText, describe_key, json_schema, schema_page};
pub use hardware::PRICE_BOOK;
pub(crate) use hardware::{OWN_PRICE, RATE};
pub use root::ROOT;
pub(crate) use root::TABLES;

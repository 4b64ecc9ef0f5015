//! Keys and kinds that several tables have.

use super::{Key, Kind, key};

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

//! A grid over keys of the spec: its points, the part of them that one job does, what came of
//! each, and the front of those that no other beats. It designs nothing itself.

mod front;
mod grid;
mod merge;
mod shard;
mod table;

pub use front::{Sense, front};
pub use grid::{Axis, Grid, GridError, MOST_POINTS};
pub use merge::{MergeError, merge};
pub use shard::{Shard, ShardError};
pub use table::{Column, Entry, Outcome, Row, Sweep};

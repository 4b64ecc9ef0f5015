//! A grid over keys of the spec: its points, the part of them that one job does, what came of
//! each, and the front of those that no other beats. It designs nothing itself.

mod domains;
mod front;
mod grid;
mod merge;
mod origin;
mod plot;
mod shard;
mod slower;
mod table;

pub use domains::{DomainDesign, DomainPoint, Domains};
pub use front::{Sense, Wish, WishError, front};
pub use grid::{Axis, Grid, GridError, MOST_POINTS};
pub use merge::{MergeError, Part, merge};
pub use origin::{Mismatch, Origin};
pub use plot::{PlotError, PlotWish, Plotted};
pub use shard::{Shard, ShardError};
pub use slower::Slower;
pub use table::{Column, Entry, Objective, Outcome, Row, Sweep};

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

pub use domains::{DomainDesign, DomainPoint, DomainSizes};
pub use front::{BetterDirection, FrontRequest, WishError, front};
pub use grid::{Grid, GridError, MOST_POINTS, SweepAxis};
pub use merge::{MergeError, SweepPart, merge_sweeps};
pub use origin::{Mismatch, SweepOrigin};
pub use plot::{PlotError, PlotRequest, Plotted};
pub use shard::{Shard, ShardError};
pub use slower::SlowerWithMoreGpus;
pub use table::{Outcome, Sweep, SweepColumn, SweepEntry, SweepObjective, SweepRow};

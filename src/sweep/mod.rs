//! A grid over keys of the spec: its points, the part of them that one job does, what came of
//! each, and the front of those that no other beats. It designs nothing itself.

mod domain_sizes;
mod front;
mod grid;
mod plot;
mod shard;
mod table;

pub use domain_sizes::{DomainDesign, DomainPoint, DomainSizes};
pub use front::{BetterDirection, FrontRequest, WishError, front};
pub use grid::{Grid, GridError, MOST_POINTS, SweepAxis};
pub use plot::{PlotError, PlotRequest, Plotted};
pub use shard::{Mismatch, Shard, ShardError, SweepOrigin};
pub use table::{
    MergeError, Outcome, SlowerWithMoreGpus, Sweep, SweepColumn, SweepEntry, SweepObjective,
    SweepPart, SweepRow, merge_sweeps,
};

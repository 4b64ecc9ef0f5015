//! The best parallel layouts of a job, found by looking at all of them. What is skipped can't
//! fit; the answer is that of full enumeration.

mod filter;
mod limit;
mod near;
mod no_layout;
mod phases;
mod pieces;
mod question;
mod ranking;
mod run;
mod scenario;
mod shapes;
mod silent;
mod size;
mod sought;
mod space;
mod training_gpus;
mod walk;
mod workers;

pub use filter::{Filter, FilterProblem};
pub use limit::score_upper_bound;
pub use near::Near;
pub(crate) use near::nearby_batches_and_gpus;
pub use no_layout::NoLayout;
pub use question::Question;
pub use ranking::{RankBy, RankedLayout, RankingRequest};
pub use run::{Effort, SearchProgress, SearchResult, best_layouts_within, search_space};
pub use scenario::{Breadth, Layouts, Ranked, SearchQuery, best_layouts};
pub(crate) use sought::{
    BetterUnusedLayout, LayoutCount, OpenLayouts, better_unused_layout, count_layouts_looked_at,
    open_space, search_open_layouts, step_time_bound,
};
pub use sought::{best_of_fast_kernels, least_by_kernels};
pub use space::Space;
pub(crate) use training_gpus::{gpus_that_train, least_on_fewer, next_that_all_train};
pub(crate) use workers::map_on_threads;

//! The best parallel layouts of a job, found by looking at all of them. What is skipped can't
//! fit; the answer is that of full enumeration.

mod filter;
mod kernel_bounds;
mod layout_pieces;
mod no_layout;
mod open_layouts;
mod phases;
mod query;
mod ranking;
mod run;
mod space;
mod training_gpus;
mod walk;

pub use filter::{Filter, FilterProblem};
pub(crate) use no_layout::nearby_batches_and_gpus;
pub use no_layout::{Near, NoLayout};
pub(crate) use open_layouts::{
    BetterUnusedLayout, LayoutCount, OpenLayouts, better_unused_layout, count_layouts_looked_at,
    open_space, search_open_layouts, step_time_bound,
};
pub use open_layouts::{best_of_fast_kernels, least_by_kernels};
pub use phases::score_upper_bound;
pub use query::{Breadth, Layouts, Ranked, SearchQuery, best_layouts};
pub use ranking::{Question, RankBy, RankedLayout, RankingRequest};
pub(crate) use run::map_on_threads;
pub use run::{Effort, SearchProgress, SearchResult, best_layouts_within, search_space};
pub use space::Space;
pub(crate) use training_gpus::{gpus_that_train, least_on_fewer, next_that_all_train};

//! Where traffic meets a fabric: what flows load which links, and how long they take.
//!
//! `traffic` knows no fabric and `fabric` knows no flow; they meet here and nowhere else. Closed
//! forms by symmetry; the flow-level simulation beside them is their check and needs no solver.

mod all_to_all;
mod link;
mod load;
mod manner;
mod max_min;
mod messages;
mod paths;
mod pick;
mod plugs;
mod router;
mod step;
mod tree;
mod trial;
mod web;

pub use all_to_all::AllToAll;
pub use link::{Link, Load, SlowestLink};
pub use load::{RailDemand, RailLoads, RoutingProblem, loads};
pub use manner::{NotRouted, RoutingManner, RoutingRules};
pub use max_min::{Flow, max_min_finish_time, max_min_rates};
pub use messages::Messages;
pub use paths::Paths;
pub use step::{AssumedCall, RoutedCall, RoutedStepLoads, route_step};
pub use trial::{NoPath, TrialOutcome, route_flows};

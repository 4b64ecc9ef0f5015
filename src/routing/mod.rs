//! Where traffic meets a fabric: what flows load which links, and how long they take.
//!
//! `traffic` knows no fabric and `fabric` knows no flow; they meet here and nowhere else. Closed
//! forms by symmetry; the flow-level simulation beside them is their check and needs no solver.

mod closed_form;
mod graph;
mod links;
mod max_min;
mod paths;
mod route_step;
mod router;
mod routing_trial;
mod rules;
mod tree;

pub use closed_form::{AllToAll, RailDemand, RailLoads, RoutingProblem, loads};
pub use links::{Link, Load, SlowestLink};
pub use max_min::{Flow, max_min_finish_time, max_min_rates};
pub use paths::Paths;
pub use route_step::{AssumedCall, RoutedCall, RoutedStepLoads, route_step};
pub use routing_trial::{NoPath, TrialOutcome, route_flows};
pub use rules::{Messages, NotRouted, RoutingManner, RoutingRules};

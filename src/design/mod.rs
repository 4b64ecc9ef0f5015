//! Runs the pipeline: a scenario in, a plan out. Pure: no I/O, no clock, no randomness.

mod aftermath;
mod alternatives;
mod assemble;
mod binding;
mod candidates;
mod caps;
mod choices;
mod choose;
mod clash;
mod dominance;
mod error_band;
mod exchange;
mod firmness;
mod frontier;
mod growth;
mod headroom;
mod infeasible;
mod inputs;
mod job;
mod layouts;
mod lexicographic;
mod machine;
mod money;
mod offer;
mod other;
mod partial;
mod phases;
mod pieces;
mod plan;
mod pool;
mod program;
mod racks;
mod ready;
mod reliability;
mod run;
mod running;
mod several;
mod split;
mod step;
mod terms;
mod trees;
mod unmet;
mod verify;
mod warnings;
mod wiring;
mod yard;

pub use aftermath::{Failing, Fallen, NotTried, Slowed, after_failures};
pub use exchange::Exchange;
pub use firmness::price_bands;
pub use frontier::{Frontier, frontier};
pub use headroom::Headroom;
pub use infeasible::{Extent, Infeasible, Move};
pub use inputs::{Fingerprint, Inputs};
pub use other::{network_capex, on_fabric, traffic_matrix};
pub use phases::PhaseReport;
pub use plan::{
    Alternative, Bound, GrowthReport, Idle, NodeChoice, Part, Plan, PriceBand, Priority, Relaxed,
    SolverReport, SolverStatus, StagePlan, StepReport, Turn, Warning, WorkloadPlan, Worth,
};
pub use racks::RackReport;
pub use reliability::{FabricYear, Reliability, reliability, year_of};
pub use run::{design, design_with};
pub use several::{part, part_names};
pub use step::{StepPlan, step, step_and_traffic};
pub use verify::{CallReport, HotLink, LoadReport, RoutedStep, RoutingReport};
pub use wiring::{WiringProblem, wiring};

//! Runs the pipeline: a scenario in, a plan out. Pure: no I/O, no clock, no randomness.
//!
//! Rooms, each of which uses only those before it: `candidate`, everything that is chosen before a
//! network; `fabric`, the best network of a candidate; `answer`, the plan and its check; `study`,
//! what surrounds it; `several`, parts and stages of a cluster.

mod answer;
mod bands;
mod candidate;
mod fabric;
mod fronts;
mod priced;
mod several;
mod solve;
mod step;
mod study;

pub use answer::alternative::{Alternative, Differs, NotSized, Standing};
pub use answer::exchange::Exchange;
pub use answer::failures::FailureReport;
pub use answer::filled::Filled;
pub use answer::fingerprint::Fingerprint;
pub use answer::headroom::Headroom;
pub use answer::inputs::Inputs;
pub use answer::installed::{Installed, NotInstalled, installed};
pub use answer::layouts_proven::LayoutsProven;
pub use answer::machine_price::mixed_levels;
pub use answer::networks::{OtherNetworks, beside_compute};
pub use answer::oversubscription::Oversubscription;
pub use answer::plan::{
    Bound, Doubt, ExpertLoad, FixedKey, GrowthReport, Idle, NodeChoice, Part, Plan, PriceBand,
    Priority, SolverReport, StagePlan, StepReport, Together, Turn, WorkloadPlan, Worth,
};
pub use answer::premium::{Premium, Regular};
pub use answer::programs::Programs;
pub use answer::robustness::{Carrying, LeftOut, Price, Robustness};
pub use answer::routed::{CallReport, HotLink, LoadReport, RoutedStep, RoutingReport};
pub use answer::single_point::{SinglePoint, Without};
pub use answer::solver_status::SolverStatus;
pub use answer::warning::{PricedAs, Warning};
pub use answer::wiring::{WiringProblem, wiring};
pub use bands::price_bands;
pub use candidate::free_end::FreeEnd;
pub use candidate::infeasible::Infeasible;
pub use candidate::machine::Level;
pub use candidate::member::Member;
pub use candidate::moved::{Move, Outcome};
pub use candidate::phases::PhaseReport;
pub use candidate::services::Site;
pub use fabric::racks::RackReport;
pub use fronts::{Frontiers, frontiers};
pub use priced::{step_of_design, step_of_plan};
pub use several::clusters::{
    Cluster, ClusterName, answered, clusters, one_after_another, part, part_names,
};
pub(crate) use several::ways::Ways;
pub use solve::{decided, design, design_with};
pub use step::{StepPlan, step, step_and_traffic, step_as_data};
pub use study::aftermath::{Failing, Fallen, Going, NotTried, Slowed, after_failures};
pub use study::baseline::{SizedFabric, Wanted, fabrics, routed};
pub use study::broken::broken;
pub use study::fewer::fewer_gpus;
pub use study::front::LEAST_GAIN;
pub use study::frontier::{Frontier, frontier};
pub use study::other::{network_bill, network_capex, on_fabric, traffic_matrix};
pub use study::regular::asked;
pub use study::reliability::{FabricYear, Reliability, reliability};

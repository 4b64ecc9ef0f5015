//! Runs the pipeline: a scenario in, a plan out. Pure: no I/O, no clock, no randomness.
//!
//! Rooms, each of which uses only those before it: `job`, what runs on a machine; `candidate`,
//! everything that is chosen before a network; `columns` and `network`, the best network of a
//! candidate; `plan`, the answer as data; `assemble`, how it is written up and checked; `choose`,
//! the best candidate; `study`, what surrounds it; `joint`, parts and stages of a cluster.

mod assemble;
mod candidate;
mod choose;
mod columns;
mod effort;
mod job;
mod joint;
mod network;
mod plan;
mod ranges_and_frontiers;
mod solve;
mod step;
mod study;

pub use assemble::hall_cables::{InstalledPlan, NotInstalled, WiringProblem, installed, wiring};
pub use candidate::other_networks::NetworkSite;
pub use columns::limits::RackReport;
pub use job::infeasible::Infeasible;
pub use job::infeasible_details::{FreeEnd, LimitMove, Outcome};
pub use job::job::NodeChoice;
pub use job::machine::{FamilyMember, Level};
pub use job::run::PhaseReport;
pub use job::scenario_runs::SkippedScenario;
pub use joint::clusters::{
    clusters_with_plans, list_clusters, part_names, plan_in_sequence, scenario_of_part_or_stage,
};
pub(crate) use joint::combinations::Combinations;
pub use plan::alternatives::{
    Alternative, AlternativeKind, AlternativeStanding, NotSized, Oversubscription, Premium,
    PriceBand, PriceCrossing, PriceDoubt, Priority, Regular, SinglePoint, WithoutSinglePoint,
};
pub use plan::failure_report::FailureReport;
pub use plan::other_networks::{OtherNetworks, other_networks};
pub use plan::plan::{
    BindingLimit, ClusterPlan, ExpertLoad, FixedKey, Growth, IdleParts, LimitWorth, Plan,
    SolverReport, StatedLimit, StepReport, WorkloadPlan,
};
pub use plan::proof::{ChoicesOutcome, ChoicesReport, LayoutsProven, Programs, SolverStatus};
pub use plan::provenance::{Fingerprint, Inputs, QuestionFacts};
pub use plan::routing_report::{
    AllToAllThroughput, CallReport, CarriedScenario, Headroom, HotLink, LoadReport, Price,
    Robustness, RoutedStep, RoutingReport,
};
pub use plan::warning::{FilledMachines, PricedAs, Warning, mixed_levels};
pub use ranges_and_frontiers::{Frontiers, find_frontiers, price_bands};
pub use solve::{design, design_with, design_with_default_rules};
pub use step::{StepPlan, plan_step, step_and_traffic, step_as_data, step_of_design, step_of_plan};
pub use study::baseline::{
    BaselineFabric, BaselineRequest, best_routed_fabrics, cheapest_fabrics_by_planes, network_bill,
    network_capex, plan_on_fabric, traffic_matrix,
};
pub use study::failures::{
    AftermathProblem, AftermathReport, DegradedStep, FabricYear, FailureRequest, Reliability,
    SlowedCall, after_failures, compare_reliability,
};
pub use study::frontier::{Frontier, find_cluster_frontier};
pub use study::frontier_candidates::LEAST_GAIN;
pub use study::infeasible_limits::{fewer_gpus_that_work, limits_broken_by_plan};
pub use study::regular_networks::question_of_plan;

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

pub use answer::alternative::{Alternative, AlternativeKind, AlternativeStanding, NotSized};
pub use answer::exchange::AllToAllThroughput;
pub use answer::failures::FailureReport;
pub use answer::filled::FilledMachines;
pub use answer::fingerprint::Fingerprint;
pub use answer::headroom::Headroom;
pub use answer::inputs::Inputs;
pub use answer::installed::{InstalledPlan, NotInstalled, installed};
pub use answer::layouts_proven::LayoutsProven;
pub use answer::machine_price::mixed_levels;
pub use answer::networks::{OtherNetworks, other_networks};
pub use answer::oversubscription::Oversubscription;
pub use answer::plan::{
    BindingLimit, ClusterPlans, ExpertLoad, FixedKey, IdleParts, LimitWorth, NodeChoice, PartPlan,
    Plan, PriceBand, PriceCrossing, PriceDoubt, Priority, SolverReport, StagePlan, StagesReport,
    StepReport, WorkloadPlan,
};
pub use answer::premium::{Premium, Regular};
pub use answer::programs::Programs;
pub use answer::robustness::{CarriedScenario, Price, Robustness, SkippedScenario};
pub use answer::routed::{CallReport, HotLink, LoadReport, RoutedStep, RoutingReport};
pub use answer::single_point::{SinglePoint, WithoutSinglePoint};
pub use answer::solver_status::SolverStatus;
pub use answer::warning::{PricedAs, Warning};
pub use answer::wiring::{WiringProblem, wiring};
pub use bands::price_bands;
pub use candidate::free_end::FreeEnd;
pub use candidate::infeasible::Infeasible;
pub use candidate::machine::Level;
pub use candidate::member::FamilyMember;
pub use candidate::moved::{LimitMove, Outcome};
pub use candidate::phases::PhaseReport;
pub use candidate::services::NetworkSite;
pub use fabric::racks::RackReport;
pub use fronts::{Frontiers, find_frontiers};
pub use priced::{step_of_design, step_of_plan};
pub use several::clusters::{
    ClusterName, ClusterQuestion, clusters_with_plans, list_clusters, part_names, plan_in_sequence,
    scenario_of_part_or_stage,
};
pub(crate) use several::ways::Combinations;
pub use solve::{design, design_with, design_with_house_rule};
pub use step::{StepPlan, plan_step, step_and_traffic, step_as_data};
pub use study::aftermath::{
    AftermathProblem, AftermathReport, DegradedStep, FailureRequest, SlowedCall, after_failures,
};
pub use study::baseline::{
    BaselineFabric, BaselineRequest, best_routed_fabrics, cheapest_fabrics_by_planes,
};
pub use study::broken::limits_broken_by_plan;
pub use study::fewer::fewer_gpus_that_work;
pub use study::front::LEAST_GAIN;
pub use study::frontier::{Frontier, find_cluster_frontier};
pub use study::other::{network_bill, network_capex, plan_on_fabric, traffic_matrix};
pub use study::regular::question_of_plan;
pub use study::reliability::{FabricYear, Reliability, compare_reliability};

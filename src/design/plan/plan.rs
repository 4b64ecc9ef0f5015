//! The answer to a scenario. A report prints it and computes nothing.

use super::alternatives::{Alternative, NotSized, Oversubscription, PriceBand, Priority, Regular};
use super::failure_report::FailureReport;
use super::other_networks::OtherNetworks;
use super::proof::{LayoutsProven, Programs, SolverStatus};
use super::provenance::Inputs;
use super::routing_report::{AllToAllThroughput, Headroom, Robustness, RoutingReport};
use super::warning::Warning;
use crate::cost::{BillLine, Cost};
use crate::design::columns::limits::RackReport;
use crate::design::job::job::NodeChoice;
use crate::design::job::machine::Level;
use crate::design::job::run::PhaseReport;
use crate::fabric::{Blueprint, Counts, Regularity};
use crate::memory::Memory;
use crate::parallel::Layout;
use crate::scenario::{Assumption, ClusterName, ClusterShape, Lengths, Minimize};
use crate::timing::{Interval, StepTime};
use crate::traffic::TrafficSummary;
use crate::units::{Amount, Bytes, FlopRate, Flops, Seconds, Usd};
use crate::workload::{Parameters, RecomputeModules};

/// A complete design.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub name: String,
    /// What it takes least of.
    pub minimize: Minimize,
    /// What it is built of.
    pub nodes: NodeChoice,
    /// How the model is spread.
    pub layout: Layout,
    /// One step on this fabric.
    pub step: StepReport,
    /// The pace of its workload; of several the step of the leading one at which as many tokens
    /// would be trained as all do with their shares of the time (docs/equations.md §9.8).
    pub pace: Seconds,
    /// Parts of the run with other steps; empty where all steps are alike.
    pub phases: Vec<PhaseReport>,
    /// Memory of the fullest GPU.
    pub memory: Memory,
    /// Memory that a GPU has.
    pub memory_capacity: Bytes,
    pub traffic: TrafficSummary,
    /// Every workload where several share the cluster, the leading one first; else empty.
    pub workloads: Vec<WorkloadPlan>,
    pub fabric: Counts,
    pub level: Level,
    /// What they were counted from; `None` for a fabric that a comparison gave.
    pub blueprint: Option<Blueprint>,
    /// What routing a step over the wired fabric found; `None` likewise.
    pub routing: Option<RoutingReport>,
    /// Lengths of its links as routed through the hall; `None` where the bill has those stated.
    pub lengths: Option<Lengths>,
    /// What is on the bill.
    pub bill: Vec<BillLine>,
    pub cost: Cost,
    /// Racks that it takes; `None` where none are limited, or nobody says how much room a part
    /// takes.
    pub racks: Option<RackReport>,
    /// The networks beside the compute network; `None` where the spec asks for none.
    pub networks: Option<OtherNetworks>,
    /// Work on site and cables of links; empty where the spec asks for none.
    pub installation: Vec<BillLine>,
    /// How far the cluster can grow; `None` for fabrics that are no trees.
    pub headroom: Option<Headroom>,
    /// What a uniform exchange between all GPUs would reach.
    pub all_to_all: AllToAllThroughput,
    /// A year of failures, and what of it trains.
    pub failures: FailureReport,
    /// How far the cheapest network is oversubscribed where the default on that has something to
    /// say.
    pub oversubscription: Option<Oversubscription>,
    /// Units of machines, and leaf switches that rails share; `None` of a fabric without them.
    pub regularity: Option<Regularity>,
    /// What a regular network takes more; `None` where the cheapest is one, or nothing asks for
    /// one.
    pub regular: Option<Regular>,
    /// What the fabric carries beside the workloads; `None` where nothing was asked for.
    pub robust: Option<Robustness>,
    /// How the answer came about.
    pub solver: SolverReport,
    /// What was minimised one after another; empty where one quantity was.
    pub priorities: Vec<Priority>,
    /// How far each price may move before another design is chosen; empty unless asked for.
    pub price_bands: Vec<PriceBand>,
    /// Other designs worth knowing, each with its difference.
    pub alternatives: Vec<Alternative>,
    /// Products that were not sized, as a bound tells that they take far more.
    pub not_sized: Vec<NotSized>,
    /// Limits that the spec states, each with what the design takes of it; empty of a design that
    /// is none of a whole question.
    pub limits: Vec<StatedLimit>,
    /// What was taken for granted.
    pub assumptions: Vec<Assumption>,
    /// What a reader has to know before trusting the design.
    pub warnings: Vec<Warning>,
    /// What it was made from.
    pub inputs: Inputs,
    /// The clusters that it is of, parts in the order of their workloads, stages the earliest
    /// first: what is of no cluster alone is the first part's, or the last stage's. Empty of one.
    pub clusters: Vec<ClusterPlan>,
    /// What stages come to; `None` where the cluster does not grow.
    pub growth: Option<Growth>,
}

/// A limit that the spec states.
#[derive(Clone, Debug, PartialEq)]
pub struct StatedLimit {
    /// Its key in the spec, with the name of a switch or a workload where it is of one.
    pub key: String,
    /// What it allows.
    pub may: Amount,
    /// What the design takes of it; days are those with failures.
    pub takes: Amount,
    /// The design takes no less than `may`, in place of no more.
    pub is_floor: bool,
}

impl StatedLimit {
    /// What the design takes over what is allowed; of a floor the other way round.
    #[must_use]
    pub fn used_share(&self) -> f64 {
        let (takes, may) = (self.takes.scalar(), self.may.scalar());
        let (part, whole) = if self.is_floor { (may, takes) } else { (takes, may) };
        if whole > 0.0 { part / whole } else { 1.0 }
    }
}

impl Plan {
    /// True where its machines have a price.
    #[must_use]
    pub fn prices_machines(&self) -> bool {
        !self.cost.unpriced.contains(&self.nodes.node.name)
    }

    /// Of what clusters it is.
    #[must_use]
    pub const fn cluster_shape(&self) -> ClusterShape {
        match (self.clusters.is_empty(), &self.growth) {
            (true, _) => ClusterShape::One,
            (false, None) => ClusterShape::Parts,
            (false, Some(_)) => ClusterShape::Stages,
        }
    }

    /// The parts of a cluster, in the order of their workloads; none where it has none.
    #[must_use]
    pub fn part_plans(&self) -> &[ClusterPlan] {
        if self.growth.is_none() { &self.clusters } else { &[] }
    }

    /// The plans of all clusters: parts or stages, or this one.
    #[must_use]
    pub fn cluster_plans(&self) -> Vec<&Self> {
        if self.clusters.is_empty() {
            return vec![self];
        }
        self.clusters.iter().map(|cluster| &cluster.plan).collect()
    }

    /// GPUs of the cluster: of all its parts, of its last stage.
    #[must_use]
    pub fn total_gpus(&self) -> u32 {
        match self.part_plans() {
            [] => self.nodes.gpus,
            parts => parts.iter().map(|part| part.plan.nodes.gpus).sum(),
        }
    }
}

/// One of the clusters of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterPlan {
    pub name: ClusterName,
    /// Price of parts over that of today.
    pub price: f64,
    /// The cluster by itself: a part with its share of the stock; a stage with what earlier ones
    /// bought as owned, at the prices of its day.
    pub plan: Plan,
    /// Parts in hand that an earlier stage used and this one does not.
    pub idle: Vec<IdleParts>,
}

/// What the stages of a cluster come to: bill and capex of their plan are of all that is bought on
/// the way, each at the price of its day.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// What the objective makes of all stages, in today's money.
    pub present_value: Usd,
    /// Cost where each stage is designed as if it were the last; `None` where a stage then has
    /// no design.
    pub one_by_one: Option<Usd>,
    /// Cost where the last stage is bought at once, at today's prices; `None` where the objective
    /// counts more than what is bought.
    pub at_once: Option<Usd>,
}

/// Parts that are in hand and not in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdleParts {
    /// Part by its name in the catalogue.
    pub part: String,
    pub count: u64,
}

/// One of several workloads on the cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkloadPlan {
    pub name: String,
    /// Part of the cluster's time.
    pub share: f64,
    /// How the model is spread.
    pub layout: Layout,
    /// GPUs of a domain that hold its ranks; the others are idle.
    pub used: u32,
    pub step: StepReport,
    /// Memory of the fullest GPU.
    pub memory: Memory,
    pub traffic: TrafficSummary,
    /// Days of the whole run with its share of the time; `None` where the spec states no tokens.
    pub training_days: Option<f64>,
}

/// One training step in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    pub time: StepTime,
    /// Of a run with phases its time over the steps that it would have without them; else that of a
    /// step.
    pub pace: Seconds,
    /// The pace over that on a full-bisection Clos in the fastest layout, rank order and placement;
    /// 1 = as long.
    pub slowdown: f64,
    /// Between which shares of the time 80 of 100 measured steps would lie (docs/validation.md).
    pub interval: Interval,
    /// FLOPs that the model needs, recomputation left out.
    pub model_flops: Flops,
    /// FLOPs that are computed, recomputation included.
    pub hardware_flops: Flops,
    /// Share of peak that the model's FLOPs reach.
    pub mfu: f64,
    /// Share of peak that all FLOPs reach.
    pub hfu: f64,
    /// Tokens of one global batch.
    pub tokens: u64,
    /// Tokens per second and GPU.
    pub tokens_per_gpu_second: f64,
    pub micro_batches: u64,
    /// What selective recomputation computes again, where the spec says it.
    pub recompute_modules: Option<RecomputeModules>,
    pub parameters: Parameters,
    /// How uneven the loads of ranks with experts are; `None` where they are even.
    pub experts: Option<ExpertLoad>,
}

/// Unlike loads of ranks with experts, and what they cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpertLoad {
    /// Tokens of the fullest rank over the mean of the ranks.
    pub fullest: f64,
    /// Time of a step whose ranks all receive the mean, on the same network.
    pub even: Seconds,
}

impl StepReport {
    /// Model work per second and GPU, of so many GPUs.
    #[must_use]
    pub fn model_rate(&self, gpus: u32) -> FlopRate {
        FlopRate::from_f64(
            self.model_flops.get() / self.time.total_time().get() / f64::from(gpus.max(1)),
        )
    }
}

/// How the answer came about.
#[derive(Clone, Debug, PartialEq)]
pub struct SolverReport {
    pub name: String,
    /// How far it is proven.
    pub status: SolverStatus,
    /// What the objective makes of the best that may still exist, below the answer, as a share of
    /// the answer; 0 when optimal. Of all candidates, machines included.
    pub gap: f64,
    /// The candidate that may still be better; `None` where none may.
    pub rival: Option<String>,
    /// Candidates among which it is the best: sized, or ruled out by what their machines alone
    /// take.
    pub candidates: u64,
    /// Products beside theirs of which no layout was looked for, as a bound says that every design
    /// with them takes more: machines with kernels alone.
    pub products_excluded: u64,
    /// How many of them were settled when somebody ended the choice; `None` where nobody did.
    pub settled: Option<u64>,
    /// Keys of the layout that are fixed, where other values may give a better design: the answer
    /// is proven for these values alone.
    pub fixed: Vec<FixedKey>,
    /// Keys that the spec leaves open and that are those of the layout with the shortest step,
    /// chosen before any network was sized: the answer is proven for these values alone as well.
    /// None where layouts were chosen with the network.
    pub chosen_first: Vec<&'static str>,
    /// How far the choice of the layout is proven; `None` where nothing of it is open, or where it
    /// was chosen first.
    pub layouts: Option<LayoutsProven>,
    /// Limits that bind, with what one more unit is worth.
    pub binding: Vec<BindingLimit>,
    /// The integer programs behind it.
    pub programs: Programs,
}

/// A key of the layout that was not searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedKey {
    /// The key in the spec.
    pub key: &'static str,
    /// Its value is the default, which the spec does not state.
    pub default: bool,
}

/// A limit that binds.
#[derive(Clone, Debug, PartialEq)]
pub struct BindingLimit {
    /// Spec key of the limit, or a name such as `switch radix`.
    pub limit: String,
    /// What relaxing it is worth.
    pub worth: LimitWorth,
}

/// What relaxing a limit is worth.
#[derive(Clone, Debug, PartialEq)]
pub enum LimitWorth {
    /// With another value of it, or without it, another design is best; found by designing again.
    Moved {
        has: Amount,
        /// What would do, and as little more as changes the answer; `None` where the limit is left
        /// out and how much its best design takes of it can't be read off.
        needs: Option<Amount>,
        /// What that design takes less of the quantity that is minimised: money, money per million
        /// tokens, or power.
        saved: Amount,
        quantity: Minimize,
        /// What it is built of, in a few words.
        design: String,
        /// False where less of it may do, as designing takes too long to look for that.
        least: bool,
    },
    /// Limits of which none alone is worth anything: with more of all of them another design is
    /// best.
    Together {
        /// What would do, by the key of the limit.
        needs: Vec<(String, Amount)>,
        /// What that design takes less of the quantity that is minimised.
        saved: Amount,
        quantity: Minimize,
        /// What it is built of, in a few words.
        design: String,
    },
    /// A rail has more endpoints than a switch has ports, so it needs several tiers.
    Tiers {
        endpoints: u32,
        /// Ports of the largest switch.
        radix: u32,
        tiers: usize,
    },
}

//! A figure as a row, what rows are read from, and equations with a public source.

use std::borrow::Cow;

use crate::cost::Cost;
use crate::design::{
    AllToAllThroughput, FailureReport, Growth, Headroom, NodeChoice, Oversubscription, Plan,
    QuestionFacts, RackReport, Regular, Robustness, RoutingReport, SolverReport, StepPlan,
    StepReport, WorkloadPlan,
};
use crate::fabric::{Counts, Regularity};
use crate::hardware::DomainInside;
use crate::memory::Memory;
use crate::parallel::Layout;
use crate::timing::{Interval, StepTime};
use crate::traffic::TrafficSummary;
use crate::units::{Amount, Bytes, Seconds, Unit, Usd, Watts};

/// Which way a figure gets better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Better {
    /// Money, power, time.
    Lower,
    /// Utilisation, throughput, room to grow.
    Higher,
    /// A choice or a size: whether more of it is good depends on who asks.
    Neither,
}

/// A figure of an answer.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    /// Dotted key in the JSON of a design.
    pub key: &'static str,
    /// What a table calls it.
    pub label: &'static str,
    /// Another name that people type for it; empty where there is none.
    pub nickname: &'static str,
    /// Its unit.
    pub unit: Unit,
    /// Which way it gets better.
    pub better: Better,
    /// Whether every design has it; one that has not says `null` in its place.
    pub always: bool,
    /// Largest value that it can have; `None` where nothing bounds it. None is negative.
    pub most: Option<f64>,
    /// Whether `compare` shows it beside that of each baseline.
    pub compared: bool,
    /// Reads it from an answer; `None` where the answer has none.
    pub read: fn(&FigureSource<'_>) -> Option<Amount>,
    /// What it is, in one line.
    pub meaning: &'static str,
    /// How it is computed, in the symbols of docs/equations.md; empty for a name.
    pub formula: &'static str,
    /// Where that stands, with its public source.
    pub equations: &'static [Equation],
    /// What the formula takes: keys of the spec, entries of presets, figures, and what is found on
    /// the way, each by its row in `explain`. `KEY as NAME` calls it by another name.
    pub inputs: &'static [&'static str],
    /// Keys of its summands, where it is the sum of figures; empty where it is none.
    pub parts: &'static [&'static str],
}

/// What a row says where it says nothing else.
pub(super) const ROW: Quantity = Quantity {
    key: "",
    label: "",
    nickname: "",
    unit: Unit::Count,
    better: Better::Neither,
    always: true,
    most: None,
    compared: false,
    read: |_| None,
    meaning: "",
    formula: "",
    equations: &[],
    inputs: &[],
    parts: &[],
};

// What rows of a unit have in common. Of money, power and the like less is better, unless the row
// says otherwise; of a count and a share only the row can say.
pub(super) const COUNT: Quantity = ROW;
pub(super) const WORD: Quantity = Quantity { unit: Unit::Word, ..ROW };
pub(super) const FLAG: Quantity = Quantity { unit: Unit::Flag, ..ROW };
pub(super) const SHARE: Quantity = Quantity { unit: Unit::Share, ..ROW };
pub(super) const TIME: Quantity = lower_row(Unit::Time);
pub(super) const DAYS: Quantity = lower_row(Unit::Days);
pub(super) const MEMORY: Quantity = lower_row(Unit::Memory);
pub(super) const VOLUME: Quantity = lower_row(Unit::Volume);
pub(super) const MONEY: Quantity = lower_row(Unit::Money);
pub(super) const POWER_DRAWN: Quantity = lower_row(Unit::Power);
pub(super) const NUMBER: Quantity = lower_row(Unit::Number);

/// A row of what not every design has.
pub(super) const fn optional_row(row: Quantity) -> Quantity {
    Quantity { always: false, ..row }
}

const fn lower_row(unit: Unit) -> Quantity {
    Quantity { unit, better: Better::Lower, ..ROW }
}

impl Quantity {
    /// The section of the JSON that it stands in; its own key where it stands in none.
    #[must_use]
    pub fn section(&self) -> &'static str {
        self.key.split_once('.').map_or(self.key, |(section, _)| section)
    }

    /// The last word of its key.
    #[must_use]
    pub fn key_without_section(&self) -> &'static str {
        self.key.rsplit('.').next().unwrap_or(self.key)
    }

    /// The figure of an answer; `None` where the answer has none.
    #[must_use]
    pub fn read_from(&self, answer: &FigureSource<'_>) -> Option<Amount> {
        (self.read)(answer)
    }
}

/// Pieces.
pub(crate) fn count_amount(value: impl Into<u128>) -> Option<Amount> {
    Some(Amount::from_count(value))
}

/// A name.
pub(crate) fn word_amount(name: impl Into<Cow<'static, str>>) -> Option<Amount> {
    Some(Amount::from_word(name))
}

/// A time.
pub(crate) const fn time_amount(value: Seconds) -> Option<Amount> {
    Some(Amount::Time(value))
}

/// Bytes in a memory.
pub(crate) const fn memory_amount(value: Bytes) -> Option<Amount> {
    Some(Amount::Memory(value))
}

/// Bytes that move.
pub(crate) const fn volume_amount(value: Bytes) -> Option<Amount> {
    Some(Amount::Volume(value))
}

/// Money.
pub(crate) const fn money_amount(value: Usd) -> Option<Amount> {
    Some(Amount::Money(value))
}

/// Electrical power.
pub(crate) const fn power_amount(value: Watts) -> Option<Amount> {
    Some(Amount::Power(value))
}

/// A share of 1.
pub(crate) const fn share_amount(value: f64) -> Option<Amount> {
    Some(Amount::Share(value))
}

/// A plain number.
pub(crate) const fn number_amount(value: f64) -> Option<Amount> {
    Some(Amount::Number(value))
}

/// The parts of an answer, each `None` where there is none.
#[derive(Clone, Copy, Debug, Default)]
pub struct FigureSource<'a> {
    pub nodes: Option<&'a NodeChoice>,
    /// How the model is spread.
    pub layout: Option<&'a Layout>,
    pub micro_batches: Option<u64>,
    /// Time of a step by part.
    pub time: Option<&'a StepTime>,
    pub step: Option<&'a StepReport>,
    /// Between which shares of their values lie what follows from the step time of one workload.
    pub interval: Option<&'a Interval>,
    /// Memory of the fullest GPU.
    pub memory: Option<&'a Memory>,
    /// Memory that a GPU has.
    pub memory_capacity: Option<Bytes>,
    pub traffic: Option<&'a TrafficSummary>,
    pub fabric: Option<&'a Counts>,
    pub cost: Option<&'a Cost>,
    pub racks: Option<&'a RackReport>,
    /// How far the cluster can grow.
    pub headroom: Option<Headroom>,
    /// What a uniform exchange between all GPUs would reach.
    pub all_to_all: Option<AllToAllThroughput>,
    /// A year of failures.
    pub failures: Option<&'a FailureReport>,
    /// How far the cheapest network is oversubscribed.
    pub oversubscription: Option<&'a Oversubscription>,
    /// Units of machines, and leaf switches that rails share.
    pub regularity: Option<&'a Regularity>,
    /// What a regular network takes more.
    pub regular: Option<&'a Regular>,
    /// What routing the step found.
    pub routing: Option<&'a RoutingReport>,
    /// What the fabric carries beside the workloads.
    pub robust: Option<&'a Robustness>,
    /// How the answer came about.
    pub solver: Option<&'a SolverReport>,
    pub growth: Option<&'a Growth>,
    /// What the question is called by.
    pub question: Option<&'a QuestionFacts>,
}

impl<'a> FigureSource<'a> {
    /// The parts of a design.
    #[must_use]
    pub fn from_plan(plan: &'a Plan) -> Self {
        let run = (&plan.layout, &plan.step, &plan.memory, &plan.traffic);
        Self {
            interval: (plan.workloads.is_empty() && plan.part_plans().is_empty())
                .then_some(&plan.step.interval),
            fabric: Some(&plan.fabric),
            cost: Some(&plan.cost),
            racks: plan.racks.as_ref(),
            headroom: plan.headroom,
            all_to_all: Some(plan.all_to_all),
            failures: Some(&plan.failures),
            oversubscription: plan.oversubscription.as_ref(),
            regularity: plan.regularity.as_ref(),
            regular: plan.regular.as_ref(),
            routing: plan.routing.as_ref(),
            robust: plan.robust.as_ref(),
            solver: Some(&plan.solver),
            growth: plan.growth.as_ref(),
            question: Some(&plan.inputs.facts),
            ..Self::from_run(&plan.nodes, plan.memory_capacity, run.0, run.1, run.2, run.3)
        }
    }

    /// What `planner step` has: a step on its machines, and no network.
    #[must_use]
    pub fn from_step_plan(plan: &'a StepPlan) -> Self {
        let run = (&plan.layout, &plan.step, &plan.memory, &plan.traffic);
        Self::from_run(&plan.nodes, plan.memory_capacity, run.0, run.1, run.2, run.3)
    }

    /// What one of several workloads has on the machines of a design.
    #[must_use]
    pub fn from_workload(workload_plan: &'a WorkloadPlan, plan: &'a Plan) -> Self {
        let run = (
            &workload_plan.layout,
            &workload_plan.step,
            &workload_plan.memory,
            &workload_plan.traffic,
        );
        Self::from_run(&plan.nodes, plan.memory_capacity, run.0, run.1, run.2, run.3)
    }

    /// A run of a workload on machines whose GPUs have so much memory.
    fn from_run(
        nodes: &'a NodeChoice,
        memory_capacity: Bytes,
        layout: &'a Layout,
        step: &'a StepReport,
        memory: &'a Memory,
        traffic: &'a TrafficSummary,
    ) -> Self {
        Self {
            nodes: Some(nodes),
            layout: Some(layout),
            micro_batches: Some(step.micro_batches),
            time: Some(&step.time),
            step: Some(step),
            memory: Some(memory),
            memory_capacity: Some(memory_capacity),
            traffic: Some(traffic),
            ..Self::default()
        }
    }

    /// Switch chips and links inside the HB domains; `None` where nobody stated them.
    pub(super) fn hb_domain_insides(&self) -> Option<DomainInside> {
        let nodes = self.nodes?;
        nodes.node.inside_of_domains(nodes.domains.into())
    }
}

/// A section of docs/equations.md and who published it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equation {
    pub section: &'static str,
    /// Its source; "derived" where docs/equations.md gives the arithmetic.
    pub source: &'static str,
}

const NARAYANAN_PIPELINE: &str = "Narayanan et al., arXiv 2104.04473, section 2.2";
const RAIL_ONLY: &str = "Wang et al., arXiv 2307.12169, Table 2";
const DERIVED: &str = "derived";

/// Declares equations: name, section of docs/equations.md, source.
macro_rules! equations {
    ($($name:ident = $section:literal, $source:expr;)*) => {
        $(pub(crate) const $name: Equation =
            Equation { section: $section, source: $source };)*
    };
}

equations! {
    PARAMETERS = "docs/equations.md §1.4", DERIVED;
    MODEL_FLOPS = "docs/equations.md §2.2", "Narayanan et al., arXiv 2104.04473, Eq. 3";
    UTILISATION = "docs/equations.md §2.3", "Chowdhery et al., arXiv 2204.02311, appendix B";
    SCORES = "docs/equations.md §2.4", "Dao, arXiv 2307.08691, section 3.1";
    ROOFLINE = "docs/equations.md §2.5", "Williams, Waterman and Patterson, CACM 2009";
    MEMORY_BOUND = "docs/equations.md §2.6", "Korthikanti et al., arXiv 2205.05198, section 4";
    COLLECTIVES = "docs/equations.md §3.1",
        "Thakur, Rabenseifner and Gropp, IJHPCA 2005; Patarasuk and Yuan, JPDC 2009";
    HIERARCHICAL = "docs/equations.md §3.2", DERIVED;
    TENSOR = "docs/equations.md §3.3",
        "Shoeybi et al., arXiv 1909.08053, section 3; Korthikanti et al., arXiv 2205.05198, \
         section 4.2.2";
    MESSAGES = "docs/equations.md §3.4", "Narayanan et al., arXiv 2104.04473, section 4.1";
    DATA = "docs/equations.md §3.5", "Rajbhandari et al., arXiv 1910.02054, section 7";
    TIED = "docs/equations.md §3.6", NARAYANAN_PIPELINE;
    EXPERT = "docs/equations.md §3.7", DERIVED;
    EXPERT_LOAD = "docs/equations.md §3.20", DERIVED;
    CONTEXT = "docs/equations.md §3.8",
        "Grattafiori et al., arXiv 2407.21783, section 3.3.2; Liu et al., arXiv 2310.01889";
    STAGES = "docs/equations.md §4.1", DERIVED;
    ONE_F_ONE_B = "docs/equations.md §4.2", NARAYANAN_PIPELINE;
    INTERLEAVED = "docs/equations.md §4.3", NARAYANAN_PIPELINE;
    OVERLAP = "docs/equations.md §4.5", DERIVED;
    OPTIMIZER = "docs/equations.md §4.6", DERIVED;
    STRAGGLERS = "docs/equations.md §4.7", DERIVED;
    COLLECTIVE_TIME = "docs/equations.md §4.8", "Thakur, Rabenseifner and Gropp, IJHPCA 2005";
    HOST = "docs/equations.md §4.9", DERIVED;
    ZERO_BUBBLE = "docs/equations.md §4.10", "Qi et al., arXiv 2401.10241, Table 2";
    MESSAGE_DRIVEN = "docs/equations.md §4.11", "Singh and Bhatele, arXiv 2110.13005";
    ERROR_BAND = "docs/equations.md §4.12", DERIVED;
    STATES = "docs/equations.md §5.1", "Rajbhandari et al., arXiv 1910.02054, section 3";
    ACTIVATIONS = "docs/equations.md §5.2", "Korthikanti et al., arXiv 2205.05198, Eq. 1 to 4";
    IN_FLIGHT = "docs/equations.md §5.3", "Korthikanti et al., arXiv 2205.05198, section 4.2.3 and appendix C";
    TIERS = "docs/equations.md §7.1", "Al-Fares et al., SIGCOMM 2008";
    LINKS = "docs/equations.md §7.3", RAIL_ONLY;
    TWO_TIERS = "docs/equations.md §7.4", DERIVED;
    THREE_TIERS = "docs/equations.md §7.5", DERIVED;
    RATIOS = "docs/equations.md §7.6", DERIVED;
    PLANES = "docs/equations.md §7.7", DERIVED;
    ROOM = "docs/equations.md §7.12", DERIVED;
    RACKS = "docs/equations.md §7.13", DERIVED;
    MODULES = "docs/equations.md §7.14", "NVIDIA RA-11333-001, bill of materials";
    FORWARDING = "docs/equations.md §8.2", DERIVED;
    PIPELINED_FORWARDING = "docs/equations.md §8.3", DERIVED;
    LEAF_CUT = "docs/equations.md §8.5", DERIVED;
    ROUTED = "docs/equations.md §8.6", DERIVED;
    NETWORK_CAPITAL = "docs/equations.md §9.1", DERIVED;
    CAPITAL = "docs/equations.md §9.2", DERIVED;
    POWER = "docs/equations.md §9.3", DERIVED;
    OWNERSHIP = "docs/equations.md §9.4", DERIVED;
    TOKEN_COST = "docs/equations.md §9.5", DERIVED;
    SPARES = "docs/equations.md §9.7", "Feeney and Sherbrooke, Management Science 1966";
    PHASES = "docs/equations.md §10.8", "arXiv 2404.07999 and 2403.11204; derived";
    SHARED_TOKEN_COST = "docs/equations.md §9.8", DERIVED;
    FIRMNESS = "docs/equations.md §9.10", DERIVED;
    DEMO = "docs/equations.md §10.1", "Peng, Quesnelle and Kingma, arXiv 2411.19870";
    FLEX_DEMO = "docs/equations.md §10.2", "From et al., arXiv 2502.06728";
    OFFLOAD = "docs/equations.md §10.3", "Singh and Bhatele, arXiv 2110.13005";
    SWAP = "docs/equations.md §10.7", "KARMA, arXiv 2008.11421";
    ALONE = "docs/equations.md §10.5", "arXiv 2403.11204; derived";
    RATES = "docs/equations.md §11.1", "Grattafiori et al., arXiv 2407.21783, Table 5; Qian et al., SIGCOMM 2024";
    GOODPUT = "docs/equations.md §11.2", "Young, Comm. ACM 1974; derived";
    LOSSES = "docs/equations.md §11.5", DERIVED;
    SURVIVAL = "docs/equations.md §11.6", DERIVED;
    TRAYS = "docs/equations.md §11.7", DERIVED;
    STANDBY = "docs/equations.md §11.3", "Palm's theorem";
}

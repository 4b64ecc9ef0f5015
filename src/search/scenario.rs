//! The search that a scenario asks for: what its spec leaves open, on each of its machines, all
//! ranked together. The network never blocks; what a cheaper one costs in time is the design's
//! question.

use std::fmt;

use super::ranking::Candidate;
use super::run::{Question, search};
use super::space::Space;
use crate::hardware::{Nic, Node};
use crate::scenario::{Assumption, Scenario};
use crate::technique::{Recipe, notes};
use crate::timing::{Efficiency, Network, efficiency, model_flops};
use crate::units::Bytes;
use crate::workload::{Technique, Training};

/// How much of the layout is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    /// What the spec leaves open; all of it where the spec states everything.
    Open,
    /// All of it, whatever the spec states. Context parallelism is the spec's all the same: it
    /// only pays for long sequences, and opening it multiplies the space by a dozen.
    Whole,
}

/// The best layouts of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Layouts {
    /// The fastest that fit into memory, best first; at least one.
    pub ranked: Vec<Ranked>,
    /// Pairs of machine and layout that break no rule.
    pub legal: u64,
    /// Of those, pairs that fit into memory.
    pub fitting: u64,
    /// What was searched: never [`Breadth::Open`] where the spec leaves nothing open.
    pub breadth: Breadth,
    /// Keys with more than one value to try; data parallelism follows from the GPUs.
    pub open: Vec<&'static str>,
    /// What was taken for granted.
    pub assumptions: Vec<Assumption>,
}

/// A layout on a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// HB-domain product, by name.
    pub node: String,
    /// Interface, by name.
    pub nic: String,
    /// The layout, its time and its memory.
    pub candidate: Candidate,
    /// How well the GPUs are used.
    pub efficiency: Efficiency,
    /// Micro-batches of one pipeline.
    pub micro_batches: u64,
    /// Memory that a GPU has.
    pub memory_capacity: Bytes,
}

impl Ranked {
    /// Whether the fullest GPU has the memory.
    #[must_use]
    pub fn fits(&self) -> bool {
        self.candidate.memory <= self.memory_capacity
    }
}

/// Why a search finds nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLayout {
    /// Every layout breaks a rule.
    Illegal {
        /// GPUs that it has to use.
        gpus: u32,
    },
    /// No legal layout fits into memory.
    Memory {
        /// Legal layouts.
        legal: u64,
    },
}

/// The `top` fastest layouts of a scenario over all its machines; `top` is at least 1.
///
/// # Errors
/// Why no layout runs and fits.
pub fn layouts(scenario: &Scenario, breadth: Breadth, top: usize) -> Result<Layouts, NoLayout> {
    let (model, training) = (&scenario.workload.model, &scenario.workload.training);
    let (used, present) = (used(scenario), scenario.cluster.gpus);
    let left = Space::of_request(&scenario.workload.layout, model, training, used);
    let (space, breadth, gpus) = match breadth {
        Breadth::Open if !left.open().is_empty() => (left, Breadth::Open, used),
        _ => {
            let all = Space::all(model, training, present);
            let whole = Space { context: left.context, ..all };
            (permitted(whole, scenario), Breadth::Whole, present)
        }
    };
    let mut all = Layouts {
        ranked: Vec::new(),
        legal: 0,
        fitting: 0,
        breadth,
        open: space.open(),
        assumptions: assumptions(scenario, breadth),
    };
    for (node, nic) in machines(scenario) {
        let question = Question {
            model,
            training,
            framework: &scenario.workload.framework,
            techniques: &scenario.workload.techniques,
            gpu: &node.gpu,
            network: &Network::non_blocking(node, nic),
            gpus,
        };
        let found = search(&question, &space, top.max(1));
        all.legal += found.legal;
        all.fitting += found.fitting;
        let best = found.best.into_iter().map(|of| ranked(scenario, (node, nic), of));
        all.ranked.extend(best);
    }
    // Stable: of equally fast ones, the machine that the spec names first leads.
    all.ranked.sort_by(|a, b| a.candidate.time.total().total_cmp(&b.candidate.time.total()));
    all.ranked.truncate(top.max(1));
    match all {
        Layouts { legal: 0, .. } => Err(NoLayout::Illegal { gpus }),
        Layouts { fitting: 0, legal, .. } => Err(NoLayout::Memory { legal }),
        all => Ok(all),
    }
}

/// What the techniques that are on leave of a space: some shard nothing, some are schedules.
fn permitted(space: Space, scenario: &Scenario) -> Space {
    let recipe = Recipe::of(&scenario.workload);
    let zero = space.zero.iter().copied().filter(|zero| recipe.permits(*zero)).collect();
    let own = [Technique::MessageDriven, Technique::Sil];
    if own.into_iter().any(|technique| recipe.techniques.has(technique)) {
        let schedule = scenario.workload.layout.schedule;
        return Space { zero, schedule, interleave: vec![1], ..space };
    }
    Space { zero, ..space }
}

/// GPUs of a layout whose degrees are all stated, which may leave some idle; else all there are.
fn used(scenario: &Scenario) -> u32 {
    let (all, request) = (scenario.cluster.gpus, &scenario.workload.layout);
    [request.tensor, request.pipeline, request.context, request.data]
        .into_iter()
        .try_fold(1_u32, |product, degree| product.checked_mul(degree?))
        .map_or(all, |stated| stated.min(all))
}

/// Every product with every interface that may be chosen, in the order of the scenario.
fn machines(scenario: &Scenario) -> Vec<(&Node, &Nic)> {
    let cluster = &scenario.cluster;
    let nics = |node| {
        let own: &Node = node;
        if cluster.nics.is_empty() { vec![&own.nic] } else { cluster.nics.iter().collect() }
    };
    cluster
        .nodes
        .iter()
        .flat_map(|node| nics(node).into_iter().map(move |nic| (node, nic)))
        .collect()
}

fn ranked(scenario: &Scenario, (node, nic): (&Node, &Nic), candidate: Candidate) -> Ranked {
    let training =
        Training { recompute: candidate.recompute, ..scenario.workload.training.clone() };
    let step = Recipe { training: &training, ..Recipe::of(&scenario.workload) }
        .step(&candidate.layout)
        .expect("a layout that was timed breaks no rule");
    let model = model_flops(&scenario.workload.model, &training, &scenario.workload.framework);
    Ranked {
        node: node.name.clone(),
        nic: nic.name.clone(),
        efficiency: efficiency(&step, &training, &node.gpu, model, candidate.time.total()),
        micro_batches: step.micro_batches,
        memory_capacity: node.gpu.memory,
        candidate,
    }
}

/// The scenario's assumptions without those that the search does not make.
fn assumptions(scenario: &Scenario, breadth: Breadth) -> Vec<Assumption> {
    let of_layout = |topic: &str| {
        topic.starts_with("parallelism.") && topic != "parallelism.context"
            || matches!(topic, "training.micro_batch" | "training.recompute")
    };
    let kept = |of: &&Assumption| {
        of.topic != "cluster.fabric" && !(breadth == Breadth::Whole && of_layout(&of.topic))
    };
    let mut all: Vec<Assumption> = scenario.assumptions.iter().filter(kept).cloned().collect();
    all.extend(notes(&scenario.workload.techniques));
    all.push(Assumption {
        topic: "cluster.fabric".into(),
        text: "a network that never blocks: what a cheaper one costs in time is the design's \
               question"
            .into(),
    });
    all
}

impl fmt::Display for NoLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal { gpus } => write!(
                f,
                "none can run on `{gpus}` GPUs: change `cluster.gpus` or `training.global_batch`, \
                 or search more with `--all`"
            ),
            Self::Memory { legal } => write!(
                f,
                "`{legal}` can run, and none of them fits the memory of a GPU: search more with \
                 `--all`, shard or recompute more, or take a larger GPU"
            ),
        }
    }
}

impl std::error::Error for NoLayout {}

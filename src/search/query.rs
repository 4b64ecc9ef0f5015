//! The search that a scenario asks for: what its spec leaves open, on each of its machines, all
//! ranked together. The network never blocks; what a cheaper one costs in time is the design's
//! question.

use super::filter::Filter;
use super::no_layout::{NoLayout, nearby_batches_and_gpus, refuse_too_large};
use super::open_layouts::{
    BetterUnusedLayout, LayoutCount, OpenLayouts, better_unused_layout, open_space,
    search_open_layouts,
};
use super::ranking::{Question, RankBy, RankedLayout, RankingRequest};
use super::run::{Effort, SearchProgress, search_space};
use super::space::Space;
use super::training_gpus::gpus_that_train;
use crate::cost::{BillParts, OperatingTime, bill_lines, sum_bill};
use crate::hardware::{Nic, Node};
use crate::parallel::Layout;
use crate::scenario::{Assumption, Scenario, Workload};
use crate::technique::{Recipe, technique_assumptions, technique_schedule};
use crate::timing::{Efficiency, NetworkModel, StepTime, model_flops, step_efficiency};
use crate::units::{Bytes, Seconds, Usd};

/// How much of the layout is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    /// What the spec leaves open; all of it where the spec states everything.
    Open,
    /// All of it, whatever the spec states.
    Whole,
}

/// The best layouts of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Layouts {
    /// The best that fit into memory, best first; at least one.
    pub ranked: Vec<Ranked>,
    /// Pairs of machine and layout that break no rule.
    pub legal: u64,
    /// Of those, pairs that fit into memory.
    pub fitting: u64,
    /// What was searched: never [`Breadth::Open`] where the spec leaves nothing open.
    pub breadth: Breadth,
    /// What they are ranked by.
    pub by: RankBy,
    /// Keys with more than one value to try; data parallelism follows from the GPUs.
    pub open: Vec<&'static str>,
    /// What was taken for granted.
    pub assumptions: Vec<Assumption>,
}

impl Layouts {
    /// Keeps the best of those that differ in interleave, schedule and order of ranks alone, and
    /// of what is left no more than `top`.
    pub fn keep_distinct(&mut self, top: usize) {
        let mut kept: Vec<Ranked> = Vec::new();
        for ranked in std::mem::take(&mut self.ranked) {
            if kept.len() < top && !kept.iter().any(|best| best.is_alike(&ranked)) {
                kept.push(ranked);
            }
        }
        self.ranked = kept;
    }
}

/// A layout on a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// HB-domain product, by name.
    pub node: String,
    /// Interface, by name.
    pub nic: String,
    /// The layout, its time and its memory.
    pub candidate: RankedLayout,
    /// How well the GPUs are used.
    pub efficiency: Efficiency,
    pub micro_batches: u64,
    /// Memory that a GPU has.
    pub memory_capacity: Bytes,
    /// Cost of ownership of the machines and their interfaces over the tokens that they train;
    /// without any network. `None` where the machine has no price.
    pub usd_per_million_tokens: Option<Usd>,
}

impl Ranked {
    /// Whether another is the same but for interleave, schedule and order of ranks.
    fn is_alike(&self, other: &Self) -> bool {
        let (layout, theirs) = (&self.candidate.layout, &other.candidate.layout);
        let same = Layout {
            interleave: layout.interleave,
            schedule: layout.schedule,
            order: layout.order,
            ..theirs.clone()
        };
        (&self.node, &self.nic, layout) == (&other.node, &other.nic, &same)
    }

    /// Whether the fullest GPU has the memory.
    #[must_use]
    pub fn is_within_memory(&self) -> bool {
        self.candidate.memory <= self.memory_capacity
    }
}

/// What is asked of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchQuery<'a> {
    pub breadth: Breadth,
    /// Conditions that every layout has to meet.
    pub filters: &'a [Filter],
    /// Which layouts are wanted; at least one is.
    pub wanted: RankingRequest,
}

/// The best layouts of a scenario over all its machines.
///
/// # Errors
/// Why no layout runs and fits.
pub fn best_layouts(
    scenario: &Scenario,
    query: &SearchQuery<'_>,
    effort: &Effort<'_>,
) -> Result<Layouts, NoLayout> {
    let wanted = RankingRequest { top: query.wanted.top.max(1), ..query.wanted };
    let machines: Vec<SearchedProduct<'_>> = products_with_nics(scenario)
        .into_iter()
        .map(|(node, nic)| {
            let workload = scenario.lead_workload().for_product(node);
            let all = scenario.cluster.gpus;
            let network = NetworkModel::non_blocking(node, nic);
            let training = match query.breadth {
                Breadth::Open => {
                    gpus_that_train(&layout_question(workload, node, &network, all), workload)
                }
                Breadth::Whole => all,
            };
            let (space, breadth, gpus) = space_to_search(workload, all, training, query);
            SearchedProduct { node, nic, workload, space, breadth, gpus }
        })
        .collect();
    // What is stated, and so how wide the search is, does not depend on the product.
    let breadth = machines.first().map_or(query.breadth, |first| first.breadth);
    let gpus = machines.first().map_or(scenario.cluster.gpus, |first| first.gpus);
    let mut all = Layouts {
        ranked: Vec::new(),
        legal: 0,
        fitting: 0,
        breadth,
        by: wanted.by,
        open: machines.first().map_or_else(Vec::new, |first| first.space.open_keys()),
        assumptions: search_assumptions(scenario, breadth, wanted.by),
    };
    let mut nearest: Option<(Bytes, &Node)> = None;
    let mut unused = None;
    let networks: Vec<NetworkModel> = machines
        .iter()
        .map(|product| NetworkModel::non_blocking(product.node, product.nic))
        .collect();
    let questions: Vec<Question<'_>> = machines
        .iter()
        .zip(&networks)
        .map(|(product, network)| product.question_on_network(network))
        .collect();
    if breadth == Breadth::Whole {
        refuse_too_large(questions.iter().zip(machines.iter().map(|machine| &machine.space)))?;
    }
    for (place, (machine, question)) in machines.iter().zip(&questions).enumerate() {
        let node = machine.node;
        let (before, machines) = (place as u64, machines.len() as u64);
        let progress = |SearchProgress { done, total: count }| {
            (effort.progress)(SearchProgress {
                done: before * count + done,
                total: machines * count,
            });
        };
        let effort = Effort { progress: &progress, ..*effort };
        let request = &machine.workload.layout;
        let answer = match breadth {
            Breadth::Open => {
                let effort = (&effort, LayoutCount::Fitting);
                search_open_layouts(question, &machine.space, request, wanted, effort.0, effort.1)?
            }
            Breadth::Whole => OpenLayouts::from_full_search(search_space(
                question,
                &machine.space,
                wanted,
                &effort,
            )),
        };
        let quiet = Effort { progress: &|_| {}, ..effort };
        unused = unused
            .or_else(|| better_unused_layout(question, &machine.space, wanted.by, &answer, &quiet));
        let found = answer.found;
        all.legal += found.legal;
        all.fitting += found.fitting;
        if let Some(least) =
            found.least.filter(|bytes| nearest.is_none_or(|(known, _)| *bytes < known))
        {
            nearest = Some((least, node));
        }
        let ends = |layout: &RankedLayout| layout.time.total_time() <= StepTime::LONGEST;
        let best = found.best.into_iter().filter(ends);
        let best = best.map(|layout| report_ranked_layout(scenario, machine, layout));
        all.ranked.extend(best);
    }
    let score = |this_ranked: &Ranked| match wanted.by {
        RankBy::StepTime => this_ranked.candidate.pace.get(),
        RankBy::UsdPerToken => this_ranked.usd_per_million_tokens.map_or(f64::INFINITY, Usd::get),
    };
    // Stable: of equally good ones, the machine that the spec names first leads.
    all.ranked.sort_by(|a, b| score(a).total_cmp(&score(b)));
    all.ranked.truncate(wanted.top);
    all.assumptions.extend(unused.as_ref().map(BetterUnusedLayout::unused_layout_assumption));
    match nearest {
        None => {
            let first = machines.first().filter(|_| query.filters.is_empty());
            let open = first.filter(|product| product.breadth == Breadth::Open);
            let near = open
                .and_then(|product| nearby_batches_and_gpus(product.workload, gpus, product.node));
            let batch = scenario.lead_workload().training.global_batch;
            let gpus = scenario.cluster.gpus.into();
            Err(match near {
                Some(near) => NoLayout::Undivided { gpus, batch, near },
                None => NoLayout::Illegal { gpus, problems: Vec::new() },
            })
        }
        Some((_, node)) if all.ranked.is_empty() && all.fitting > 0 => {
            Err(NoLayout::Endless { node: node.name.clone() })
        }
        Some((needs, node)) if all.ranked.is_empty() => Err(NoLayout::Memory {
            node: node.name.clone(),
            needs,
            has: node.gpu.memory,
            legal: all.legal,
            fits: None,
        }),
        Some(_) => Ok(all),
    }
}

/// A product with an interface, and what is searched on it.
struct SearchedProduct<'a> {
    node: &'a Node,
    nic: &'a Nic,
    /// The workload as this product trains it.
    workload: &'a Workload,
    space: Space,
    breadth: Breadth,
    gpus: u32,
}

impl SearchedProduct<'_> {
    fn question_on_network<'q>(&'q self, network: &'q NetworkModel) -> Question<'q> {
        layout_question(self.workload, self.node, network, self.gpus)
    }
}

/// What a layout is sought for on so many GPUs of a product.
fn layout_question<'q>(
    workload: &'q Workload,
    node: &'q Node,
    network: &'q NetworkModel,
    gpus: u32,
) -> Question<'q> {
    let Workload { model, training, framework, techniques, .. } = workload;
    let (gpu, longest_step) = (&node.gpu, Seconds::ENDLESS);
    Question { model, training, framework, techniques, gpu, network, gpus, longest_step }
}

/// What is searched, and on how many GPUs of all that are `present`, of which the fastest layout
/// uses so many.
fn space_to_search(
    workload: &Workload,
    present: u32,
    training: u32,
    query: &SearchQuery<'_>,
) -> (Space, Breadth, u32) {
    let used = gpus_of_stated_layout(workload, training);
    let left = open_space(workload, used);
    let (mut space, breadth, gpus) = match query.breadth {
        Breadth::Open if !left.open_keys().is_empty() => (left, Breadth::Open, used),
        _ => {
            let all = Space::all_layouts(&workload.model, &workload.training, present);
            (permitted_space(all, workload), Breadth::Whole, present)
        }
    };
    query.filters.iter().for_each(|filter| space.narrow_by_filter(filter));
    (space, breadth, gpus)
}

/// What the techniques that are on leave of a space: some shard nothing, some are schedules.
fn permitted_space(space: Space, workload: &Workload) -> Space {
    let recipe = Recipe::from_workload(workload);
    let zero = space.zero.iter().copied().filter(|zero| recipe.can_use_zero(*zero)).collect();
    match technique_schedule(recipe.techniques) {
        Some(own) => Space { zero, schedule: vec![own], interleave: vec![1], ..space },
        None => Space { zero, ..space },
    }
}

/// GPUs of a layout whose degrees are all stated, which may leave some idle; else all there are.
fn gpus_of_stated_layout(workload: &Workload, all: u32) -> u32 {
    let request = &workload.layout;
    [request.tensor, request.pipeline, request.context, request.data]
        .into_iter()
        .try_fold(1_u32, |product, degree| product.checked_mul(degree?))
        .map_or(all, |stated| stated.min(all))
}

/// Every product with every interface that may be chosen, in the order of the scenario.
fn products_with_nics(scenario: &Scenario) -> Vec<(&Node, &Nic)> {
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

fn report_ranked_layout(
    scenario: &Scenario,
    machine: &SearchedProduct<'_>,
    candidate: RankedLayout,
) -> Ranked {
    let SearchedProduct { node, nic, workload, .. } = *machine;
    let Workload { model, training, framework, .. } = workload;
    let step = Recipe::from_workload(workload)
        .heaviest_step(&candidate.layout)
        .expect("a layout that was timed breaks no rule");
    let model = model_flops(model, training, framework);
    Ranked {
        node: node.name.clone(),
        nic: nic.name.clone(),
        efficiency: step_efficiency(&step, training, &node.gpu, model, candidate.time.total_time()),
        micro_batches: step.micro_batches,
        memory_capacity: node.gpu.memory,
        usd_per_million_tokens: machine_cost(scenario, node, nic, &candidate),
        candidate,
    }
}

/// What a million tokens cost on the machines of a layout, without any network.
fn machine_cost(scenario: &Scenario, node: &Node, nic: &Nic, layout: &RankedLayout) -> Option<Usd> {
    let machines = scenario.cluster.gpus.div_ceil(node.gpus.max(1)).max(layout.domains);
    let parts = BillParts {
        nodes: (node, u64::from(machines)),
        standby: 0,     // the same for every layout that takes as many
        host_memory: 0, // what a layout offloads is the design's question
        nic,
        switches: Vec::new(),
        optics: Vec::new(),
        links: Vec::new(),
    };
    let lines = bill_lines(&parts, &scenario.prices, &scenario.inventory, scenario.spares.as_ref());
    let cost = sum_bill(&lines, &OperatingTime::from_step_time(scenario, layout.pace, 1.0));
    let priced = !cost.unpriced.contains(&node.name);
    cost.usd_per_million_tokens.filter(|_| priced)
}

/// The scenario's assumptions without those that the search does not make.
fn search_assumptions(scenario: &Scenario, breadth: Breadth, by: RankBy) -> Vec<Assumption> {
    let of_layout = |topic: &str| {
        topic.starts_with("parallelism.")
            || matches!(topic, "training.micro_batch" | "training.recompute")
    };
    let kept = |assumption: &Assumption| {
        assumption.topic != "cluster.fabric"
            && !(breadth == Breadth::Whole && of_layout(&assumption.topic))
    };
    let mut all: Vec<Assumption> =
        scenario.collect_assumptions().into_iter().filter(kept).collect();
    all.extend(technique_assumptions(scenario.lead_workload()));
    all.push(Assumption {
        topic: "cluster.fabric".into(),
        text: "on a network that never blocks; `planner design` has the real one".into(),
        default: false,
    });
    if by == RankBy::UsdPerToken {
        all.push(Assumption {
            topic: "search.cost".into(),
            text: "machines, NICs and their power over the years of the objective, without any \
                   network"
                .into(),
            default: false,
        });
    }
    all
}

//! The layouts to design for: the one that is requested, or the fastest one that leaves nothing
//! open, in every rank order that is allowed. Judges nothing but rules, memory and step time.

use super::machine::{Level, Machine, machines};
use crate::parallel::{Layout, LayoutRequest, Order, RankGrid, Seats};
use crate::scenario::{Loss, Scenario, Workload};
use crate::search::{
    Beyond, By, Counted, Effort, NoLayout, Question, Sought, Space, Wanted, beyond, least_of,
    looked_at, near, open_space, sought,
};
use crate::technique::Recipe;
use crate::timing::Network;
use crate::units::Seconds;

/// Layouts of a machine that are kept for each way to seat them, the fastest first, where layout and network are
/// chosen together.
pub(crate) const LISTED: usize = 64;

/// True where layouts beside the fastest one may be part of an answer. Of workloads that share a cluster, where all
/// sit on the same domains in any layout.
pub(crate) fn are_open_beside_network(scenario: &Scenario) -> bool {
    let alike = || machines(&scenario.cluster).into_iter().all(|of| are_seated_alike(scenario, of));
    scenario.workloads().any(|of| of.layout.is_open()) && (scenario.others.is_empty() || alike())
}

/// True where something is asked of one layout of each workload, whatever the level of the network: phases,
/// scenarios beside them, a loss to survive. Elsewhere the fastest of several runs on each network.
pub(crate) fn is_of_one_each(scenario: &Scenario) -> bool {
    let survives = |loss| scenario.limits.survives(loss);
    scenario.robust.is_some()
        || [Loss::Link, Loss::Switch, Loss::Plane].into_iter().any(survives)
        || scenario.workloads().any(|of| Recipe::of(of).has_phases())
}

/// True where every layout of every workload sits on as many GPUs of a domain: on the same domains.
pub(crate) fn are_seated_alike(scenario: &Scenario, machine: Machine<'_>) -> bool {
    machine.replaceable_tray().is_none() && are_cut_evenly(scenario, machine)
}

/// True where borders of domains cut every layout evenly, as all degrees are powers of two: it has the same seats
/// whether they are to be cut evenly or all are to be used.
pub(crate) fn are_cut_evenly(scenario: &Scenario, machine: Machine<'_>) -> bool {
    let ranks = |of: &Workload| sought_on(scenario, &of.on(machine.node).layout);
    let whole = [scenario.cluster.gpus, machine.node.gpus];
    whole.into_iter().chain(scenario.workloads().map(ranks)).all(u32::is_power_of_two)
}

/// Of the layouts that a workload leaves open, those that it may run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Open<'l> {
    /// The fastest one.
    Fastest,
    /// All that may be part of an answer beside the network.
    Listed,
    /// That one.
    Pinned(&'l PinnedLayout),
}

/// Layouts that a machine runs in the place of its fastest ones.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pinned {
    /// The product, by name.
    pub(crate) node: String,
    /// Its interface, by name.
    pub(crate) nic: String,
    /// Of each workload, the leading one first; those beyond the last run as elsewhere.
    pub(crate) each: Vec<PinnedLayout>,
}

impl Pinned {
    /// Layouts of a machine.
    pub(crate) fn on(machine: Machine<'_>, each: Vec<PinnedLayout>) -> Self {
        Self { node: machine.node.name.clone(), nic: machine.nic.name.clone(), each }
    }
}

/// The layout of a workload, in any rank order that is open.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PinnedLayout {
    pub(crate) layout: Layout,
    /// What slowdown of the fastest one is measured against.
    pub(crate) reference: Seconds,
}

/// The layouts of a workload on a machine, each in every rank order that is open, the fastest one first; true
/// where they are of those that were looked for.
///
/// Degrees that the request leaves open are those of the fastest layout on a full-bisection
/// Clos, or of several, where it is weighed what each asks of the network: a slow layout would
/// look cheap by itself.
///
/// # Errors
/// The rules that the layout breaks, or that no layout fits the memory of a GPU.
pub(super) fn layouts(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
    open: Open<'_>,
) -> Result<(Vec<Layout>, bool), NoLayout> {
    let request = &workload.layout;
    let (all, sought) = match open {
        _ if !request.is_open() => (vec![request.plainest(Some(scenario.cluster.gpus))], false),
        Open::Pinned(of) => (vec![of.layout.clone()], false),
        Open::Fastest => (vec![fastest(scenario, workload, machine)?], true),
        Open::Listed => (all_listed(scenario, workload, machine)?, true),
    };
    let orders = |of: Layout| in_orders(of, request.order);
    Ok((all.into_iter().flat_map(orders).collect(), sought))
}

/// A layout in the rank order that is asked for, or in every one that is worth a try.
fn in_orders(base: Layout, asked: Option<Order>) -> Vec<Layout> {
    if let Some(order) = asked {
        return vec![Layout { order, ..base }];
    }
    if base.pipeline == 1 || base.data == 1 {
        return vec![base]; // both orders seat all ranks alike
    }
    let orders = [Order::DP_INSIDE_PP, Order::PP_INSIDE_DP];
    let mut all = orders.map(|order| Layout { order, ..base.clone() }).to_vec();
    if all.iter().any(|layout| RankGrid::new(layout).is_some()) {
        all.retain(|layout| RankGrid::new(layout).is_some()); // experts nest in some orders only
    }
    all
}

/// The fastest layouts of a request that may be part of an answer, each in one rank order.
fn all_listed(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
) -> Result<Vec<Layout>, NoLayout> {
    let order = fastest(scenario, workload, machine)?.order;
    let all = kept(scenario, workload, machine).layouts.into_iter();
    Ok(all.map(|(_, layout)| Layout { order, ..layout }).collect())
}

/// The fastest layouts of a workload on a machine, however they are seated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    /// Each in one rank order, with what no step of it takes less than without a network that blocks, on seats
    /// that are cut evenly or on all; the fastest first. None where nothing is open.
    pub(crate) layouts: Vec<(Seconds, Layout)>,
    /// Likewise of all that are not kept; `None` where all are.
    pub(crate) rest: Option<Seconds>,
}

/// The fastest layouts of what a workload leaves open on a machine.
pub(crate) fn kept(scenario: &Scenario, workload: &Workload, machine: Machine<'_>) -> Kept {
    let workload = workload.on(machine.node);
    if !workload.layout.is_open() {
        return Kept::default();
    }
    let even = are_cut_evenly(scenario, machine);
    let seats = if even { &Seats::ALL[..1] } else { &Seats::ALL[..] };
    let most = if even { LISTED } else { fewer(LISTED, scenario).max(1) };
    let lists: Vec<Vec<(Seconds, Layout)>> = seats
        .iter()
        .filter_map(|seats| found(scenario, workload, machine, (most, *seats)).ok())
        .map(|of| of.found.best.into_iter().map(|of| (of.pace, of.layout)).collect())
        .collect();
    // What is in no list takes no less than the last of it, where it is full.
    let last = |list: &Vec<(Seconds, Layout)>| {
        list.last().filter(|_| list.len() >= most).map(|(time, _)| *time)
    };
    let mut layouts: Vec<(Seconds, Layout)> = Vec::new();
    for (_, layout) in lists.iter().flatten() {
        if layouts.iter().any(|(_, known)| are_alike(known, layout)) {
            continue;
        }
        let in_list = |list: &Vec<(Seconds, Layout)>| {
            let own = list.iter().find(|(_, of)| are_alike(of, layout)).map(|(time, _)| *time);
            own.or_else(|| last(list))
        };
        let least = lists.iter().filter_map(in_list).fold(Seconds::ENDLESS, Seconds::min);
        layouts.push((least, layout.clone()));
    }
    layouts.sort_by(|one, other| one.0.total_cmp(&other.0));
    let rest = lists.iter().filter_map(last).reduce(Seconds::min);
    Kept { layouts, rest }
}

/// Layouts that are sized beside the fastest ones of some machines, at most.
pub(crate) fn most_sized<'a>(
    scenario: &Scenario,
    mut machines: impl Iterator<Item = Machine<'a>>,
) -> usize {
    const MOST: usize = 24;
    match machines.all(|of| are_cut_evenly(scenario, of)) {
        true => MOST,
        false => fewer(MOST, scenario),
    }
}

/// Fewer layouts of uneven domains the more GPUs there are above 4,096: what each interface of such a domain carries is
/// counted by itself, which takes longer.
pub(crate) fn fewer(layouts: usize, scenario: &Scenario) -> usize {
    const GPUS: u32 = 4096;
    layouts / scenario.cluster.gpus.div_ceil(GPUS).max(1) as usize
}

/// True for layouts that differ in the rank order alone.
pub(crate) fn are_alike(one: &Layout, other: &Layout) -> bool {
    Layout { order: other.order, ..one.clone() } == *other
}

/// The fastest layout that fits where the requested one does not: sharding over tensor, pipeline
/// and data free, everything else as requested. `None` where none fits.
pub(super) fn layout_that_fits(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
) -> Option<Layout> {
    let layout =
        LayoutRequest { tensor: None, pipeline: None, data: None, ..workload.layout.clone() };
    let workload = Workload { layout, ..workload.clone() };
    fastest(scenario, &workload, machine).ok()
}

/// The fastest layouts of other degrees than one has, that one of each: sharding over tensor, pipeline, data
/// and context ranks free, everything else as requested.
pub(super) fn of_other_degrees(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
    own: &Layout,
) -> Vec<Layout> {
    let free = LayoutRequest {
        tensor: None,
        pipeline: None,
        data: None,
        context: None,
        ..workload.layout.clone()
    };
    let workload = Workload { layout: free, ..workload.clone() };
    let best = found(scenario, &workload, machine, (LISTED, Seats::Even))
        .map_or_else(|_| Vec::new(), |of| of.found.best);
    let mut others: Vec<Layout> = Vec::new();
    for layout in best.into_iter().map(|of| of.layout) {
        let alike = |of: &Layout| of.degrees() == layout.degrees();
        if !alike(own) && !others.iter().any(alike) {
            others.push(layout);
        }
    }
    others
}

/// The fastest layout of a request on a full-bisection Clos that fits a GPU.
fn fastest(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
) -> Result<Layout, NoLayout> {
    let (model, training, request) = (&workload.model, &workload.training, &workload.layout);
    let gpus = sought_on(scenario, request);
    let Sought { found, .. } = found(scenario, workload, machine, ONE)?;
    if let Some(best) = found.best.first() {
        return Ok(best.layout.clone());
    }
    let Some(needs) = found.least else {
        if let Some(near) = near(workload, gpus, machine.node) {
            let batch = training.global_batch;
            return Err(NoLayout::Undivided { gpus: gpus.into(), batch, near });
        }
        let stated = request.plainest(Some(scenario.cluster.gpus));
        let mut problems = stated.problems(model, training);
        problems.extend(Recipe::of(workload).problems(&stated));
        return Err(NoLayout::Illegal { gpus: gpus.into(), problems });
    };
    let node = machine.node.name.clone();
    Err(NoLayout::Memory {
        node,
        needs,
        has: machine.node.gpu.memory,
        legal: found.legal,
        fits: None,
    })
}

/// The fastest layout alone, seated as domains are cut evenly.
const ONE: (usize, Seats) = (1, Seats::Even);

/// What is found of what a workload leaves open on a machine, so many layouts of it, seated in one way.
fn found(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
    (top, seats): (usize, Seats),
) -> Result<Sought, NoLayout> {
    let wanted = Wanted { top, by: BY };
    let effort = (&Effort::SINGLE, Counted::Legal);
    asked(scenario, workload, (machine, seats), |question, space| {
        let found = sought(question, space, &workload.layout, wanted, effort)?;
        if !found.found.best.is_empty() || question.longest_step.is_endless() {
            return Ok(found);
        }
        // The best one says how far away the limit is.
        let any = Question { longest_step: Seconds::ENDLESS, ..*question };
        sought(&any, space, &workload.layout, wanted, effort)
    })
}

/// Layouts that break no rule among those that are looked for on a machine.
pub(crate) fn legal(scenario: &Scenario, workload: &Workload, machine: Machine<'_>) -> u64 {
    let workload = workload.on(machine.node);
    let Ok(sought) = found(scenario, workload, machine, ONE) else { return 0 };
    asked(scenario, workload, (machine, Seats::Even), |question, space| {
        looked_at(question, space, &sought)
    })
}

/// A layout that is faster by the clock than the fastest that is used on a machine, as it lies beyond what was
/// measured.
pub(crate) fn unused(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
) -> Option<Beyond> {
    let found = found(scenario, workload, machine, ONE).ok()?;
    asked(scenario, workload, (machine, Seats::Even), |question, space| {
        beyond(question, space, BY, (&found, &Effort::SINGLE))
    })
}

/// What no step of a workload is shorter than on a machine, in any layout that may be chosen.
pub(crate) fn least_step(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
) -> Seconds {
    let workload = workload.on(machine.node);
    if !workload.layout.is_open() {
        return Seconds::ZERO;
    }
    asked(scenario, workload, (machine, Seats::Even), least_of)
}

/// What layouts are ranked by.
const BY: By = By::StepTime;

/// What is asked of the search for what a workload leaves open on a machine.
fn asked<T>(
    scenario: &Scenario,
    workload: &Workload,
    (machine, seats): (Machine<'_>, Seats),
    ask: impl FnOnce(&Question<'_>, &Space) -> T,
) -> T {
    let (model, training, request) = (&workload.model, &workload.training, &workload.layout);
    let gpus = sought_on(scenario, request);
    let space = open_space(workload, gpus);
    let network = Network { seats, ..machine.network(Level::FULL) };
    let (framework, techniques) = (&workload.framework, &workload.techniques);
    let gpu = &machine.node.gpu;
    let network = &network;
    let longest_step = longest_step(scenario, workload);
    let question =
        Question { model, training, framework, techniques, gpu, network, gpus, longest_step };
    ask(&question, &space)
}

/// The longest step of layouts that are looked for: the one with the best pace need not have the shortest step of the
/// whole model, where a run has phases. Without them it has.
fn longest_step(scenario: &Scenario, workload: &Workload) -> Seconds {
    let limit = workload.limits.longest_step(&scenario.limits);
    limit.filter(|_| Recipe::of(workload).has_phases()).unwrap_or(Seconds::ENDLESS)
}

/// GPUs that hold ranks, of the workload that has fewest.
pub(crate) fn fewest_ranks(scenario: &Scenario) -> u32 {
    let each = scenario.workloads().map(|of| sought_on(scenario, &of.layout));
    each.min().unwrap_or(scenario.cluster.gpus)
}

/// GPUs that layouts are looked for on: a stated degree of data parallelism fixes them.
fn sought_on(scenario: &Scenario, request: &LayoutRequest) -> u32 {
    request.data.map_or(scenario.cluster.gpus, |_| used(scenario, request))
}

/// GPUs of a request with every degree stated; those of the cluster otherwise.
fn used(scenario: &Scenario, request: &LayoutRequest) -> u32 {
    let all = scenario.cluster.gpus;
    match (request.tensor, request.pipeline, request.context) {
        (Some(_), Some(_), Some(_)) => {
            u32::try_from(request.plainest(Some(all)).gpus()).unwrap_or(all).min(all)
        }
        _ => all,
    }
}

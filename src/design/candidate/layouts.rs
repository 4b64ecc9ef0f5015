//! The layouts to design for: the one that is requested, or the fastest one that leaves nothing
//! open, in every rank order that is allowed. Judges nothing but rules, memory and step time.

use super::machine::{Level, Machine, machines};
use crate::parallel::{Layout, LayoutRequest, Order, RankGrid};
use crate::scenario::{Scenario, Workload};
use crate::search::{
    Beyond, By, Counted, Effort, Found, NoLayout, Question, Sought, Space, Wanted, beyond,
    least_of, looked_at, near, open_space, sought,
};
use crate::technique::Recipe;
use crate::units::Seconds;

/// Layouts of a machine that are kept, the fastest first, where layout and network are chosen together.
pub(crate) const LISTED: usize = 64;

/// True where layouts beside the fastest one may be part of an answer: for one quantity, where borders of
/// domains cut every layout evenly, as all degrees are powers of two. Elsewhere a layout that is packed on all
/// GPUs of a domain may be faster than it is listed. Not where workloads that share a cluster have phases, or
/// scenarios beside them: these are of one layout of each.
pub(crate) fn are_open_beside_network(scenario: &Scenario) -> bool {
    let plain = |of: &Workload| !Recipe::of(of).has_phases();
    let alone = scenario.others.is_empty();
    let even = |machine: &Machine<'_>| machine.node.gpus.is_power_of_two();
    scenario.objective.then.is_empty()
        && (alone || scenario.robust.is_none() && scenario.workloads().all(plain))
        && scenario.workloads().any(|of| of.layout.is_open())
        && scenario.cluster.gpus.is_power_of_two()
        && machines(&scenario.cluster).iter().all(even)
}

/// Of the layouts that a workload leaves open, those that it may run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Open<'l> {
    /// The fastest one.
    Fastest,
    /// All that may be part of an answer beside the network.
    Listed,
    /// That one.
    Pinned(&'l Layout),
}

/// How many layouts are looked for: the fastest, and those that an answer may need beside it.
fn needed(scenario: &Scenario) -> usize {
    if are_open_beside_network(scenario) { LISTED } else { 1 }
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
        Open::Pinned(layout) => (vec![layout.clone()], false),
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
    let fastest = fastest(scenario, workload, machine)?;
    let Sought { found, .. } = found(scenario, workload, machine, needed(scenario))?;
    let order = fastest.order;
    let mut all = vec![fastest];
    for layout in found.best.into_iter().map(|of| Layout { order, ..of.layout }) {
        if !all.contains(&layout) {
            all.push(layout);
        }
    }
    Ok(all)
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

/// The fastest layouts that fit a GPU, of all that are looked for; `None` where the request leaves
/// nothing open or none fits.
pub(crate) fn listed(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
) -> Option<Found> {
    let workload = workload.on(machine.node);
    let found = found(scenario, workload, machine, needed(scenario)).ok()?.found;
    (workload.layout.is_open() && !found.best.is_empty()).then_some(found)
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
    let best =
        found(scenario, &workload, machine, LISTED).map_or_else(|_| Vec::new(), |of| of.found.best);
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
    let Sought { found, .. } = found(scenario, workload, machine, needed(scenario))?;
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

/// What is found of what a workload leaves open on a machine, so many layouts of it.
fn found(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
    top: usize,
) -> Result<Sought, NoLayout> {
    let wanted = Wanted { top, by: BY };
    asked(scenario, workload, machine, |question, space| {
        sought(question, space, &workload.layout, wanted, (&Effort::SINGLE, Counted::Legal))
    })
}

/// Layouts that break no rule among those that are looked for on a machine.
pub(crate) fn legal(scenario: &Scenario, workload: &Workload, machine: Machine<'_>) -> u64 {
    let workload = workload.on(machine.node);
    let Ok(sought) = found(scenario, workload, machine, needed(scenario)) else { return 0 };
    asked(scenario, workload, machine, |question, space| looked_at(question, space, &sought))
}

/// A layout that is faster by the clock than the fastest that is used on a machine, as it lies beyond what was
/// measured.
pub(crate) fn unused(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
) -> Option<Beyond> {
    let found = found(scenario, workload, machine, needed(scenario)).ok()?;
    asked(scenario, workload, machine, |question, space| {
        beyond(question, space, BY, (&found, &Effort::SINGLE))
    })
}

/// What no step of a workload is shorter than on a machine, in any layout that may be chosen.
pub(super) fn least_step(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
) -> Seconds {
    let workload = workload.on(machine.node);
    if !workload.layout.is_open() {
        return Seconds::ZERO;
    }
    asked(scenario, workload, machine, least_of)
}

/// What layouts are ranked by.
const BY: By = By::StepTime;

/// What is asked of the search for what a workload leaves open on a machine.
fn asked<T>(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
    ask: impl FnOnce(&Question<'_>, &Space) -> T,
) -> T {
    let (model, training, request) = (&workload.model, &workload.training, &workload.layout);
    let gpus = sought_on(scenario, request);
    let space = open_space(workload, gpus);
    let network = machine.network(Level::FULL);
    let (framework, techniques) = (&workload.framework, &workload.techniques);
    let gpu = &machine.node.gpu;
    let network = &network;
    ask(&Question { model, training, framework, techniques, gpu, network, gpus }, &space)
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

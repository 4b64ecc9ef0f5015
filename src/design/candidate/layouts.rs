//! The layouts to design for: the one that is requested, or the fastest one that leaves nothing
//! open, in every rank order that is allowed. Judges nothing but rules, memory and step time.

use super::kept::keep_best_layouts;
use super::looked_for::{
    ONE, divides_domains_evenly, fewer_layouts_for_large_clusters, gpus_to_search_on,
    search_layouts, with_rank_orders,
};
use super::machine::Machine;
use crate::parallel::{Layout, LayoutRequest};
use crate::scenario::{Loss, Scenario, Workload};
use crate::search::{NoLayout, OpenLayouts, nearby_batches_and_gpus};
use crate::technique::Recipe;
use crate::units::Seconds;

/// True where layouts beside the fastest one may be part of an answer.
pub(crate) fn has_open_layouts(scenario: &Scenario) -> bool {
    scenario.workloads().any(|workload| workload.layout.is_open())
}

/// True where something is asked of one layout of each workload, whatever the level of the network: phases,
/// scenarios beside them, a loss to survive. Elsewhere the fastest of several runs on each network.
pub(crate) fn needs_one_layout_per_workload(scenario: &Scenario) -> bool {
    let survives = |loss| scenario.limits.has_to_survive(loss);
    scenario.robust.is_some()
        || [Loss::Link, Loss::Switch, Loss::Plane].into_iter().any(survives)
        || scenario.workloads().any(|workload| Recipe::from_workload(workload).has_phases())
}

/// True where every layout of every workload sits on as many GPUs of a domain: on the same domains.
pub(crate) fn has_uniform_placement(scenario: &Scenario, machine: Machine<'_>) -> bool {
    machine.replaceable_tray().is_none() && divides_domains_evenly(scenario, machine)
}

/// Of the layouts that a workload leaves open, those that it may run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LayoutFilter<'l> {
    /// The fastest one.
    Fastest,
    /// All that may be part of an answer beside the network.
    Listed,
    /// That one.
    Pinned(&'l PinnedLayout),
}

/// Layouts that a machine runs in the place of its fastest ones.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PinnedLayouts {
    /// The product, by name.
    pub(crate) node: String,
    /// Its interface, by name.
    pub(crate) nic: String,
    /// Of each workload, the leading one first; those beyond the last run as elsewhere.
    pub(crate) each: Vec<PinnedLayout>,
}

impl PinnedLayouts {
    /// Layouts of a machine.
    pub(crate) fn for_machine(machine: Machine<'_>, each: Vec<PinnedLayout>) -> Self {
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
pub(super) fn layouts_to_design_for(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
    open: LayoutFilter<'_>,
) -> Result<(Vec<Layout>, bool), NoLayout> {
    let request = &workload.layout;
    let (all, sought) = match open {
        _ if !request.is_open() => {
            (vec![request.simplest_layout(Some(scenario.cluster.gpus))], false)
        }
        LayoutFilter::Pinned(layout) => (vec![layout.layout.clone()], false),
        LayoutFilter::Fastest => (vec![fastest_layout(scenario, workload, machine)?], true),
        LayoutFilter::Listed => (all_listed(scenario, workload, machine)?, true),
    };
    let orders = |layout: Layout| with_rank_orders(layout, request.order);
    Ok((all.into_iter().flat_map(orders).collect(), sought))
}

/// The layouts of a request that may be part of an answer, each in one rank order: those that are slower than the
/// fastest by no more than is allowed.
fn all_listed(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
) -> Result<Vec<Layout>, NoLayout> {
    let order = fastest_layout(scenario, workload, machine)?.order;
    let slowdown = workload.limits.allowed_slowdown(&scenario.objective);
    let pace = search_layouts(scenario, workload, machine, ONE)?
        .found
        .best
        .first()
        .map(|layout| layout.pace);
    let longest = pace.map_or(Seconds::ENDLESS, |pace| pace * slowdown.max(1.0));
    let all = keep_best_layouts(scenario, workload, machine, longest).layouts.into_iter();
    Ok(all.map(|layout| Layout { order, ..layout.layout }).collect())
}

/// Layouts that are sized beside the fastest ones of some machines, those of a product together, at most.
pub(crate) fn max_layouts_sized<'a>(
    scenario: &Scenario,
    machines: impl Iterator<Item = Machine<'a>>,
) -> usize {
    const MOST: usize = 24;
    /// At least so many of any number of GPUs.
    const FEWEST: usize = 2;
    /// GPUs of uneven domains up to which as many are.
    const ALL_UP_TO: u32 = 16_384;
    /// None of more GPUs times products of uneven domains: to look for layouts takes too long.
    const LOOKED_FOR: u64 = 1 << 24;
    let mut products: Vec<Machine<'_>> = machines.collect();
    if products.iter().all(|machine| divides_domains_evenly(scenario, *machine)) {
        return MOST;
    }
    products.dedup_by(|one, other| one.node.name == other.node.name);
    match u64::from(scenario.cluster.gpus) * products.len() as u64 <= LOOKED_FOR {
        true => fewer_layouts_for_large_clusters(MOST, ALL_UP_TO, scenario).max(FEWEST),
        false => 0,
    }
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
    fastest_layout(scenario, &workload, machine).ok()
}

/// The fastest layout of a request on a full-bisection Clos that fits a GPU.
fn fastest_layout(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
) -> Result<Layout, NoLayout> {
    let (model, training, request) = (&workload.model, &workload.training, &workload.layout);
    let gpus = gpus_to_search_on(scenario, workload, machine);
    let OpenLayouts { found, .. } = search_layouts(scenario, workload, machine, ONE)?;
    if let Some(best) = found.best.first() {
        return Ok(best.layout.clone());
    }
    let Some(needs) = found.least else {
        if let Some(near) = nearby_batches_and_gpus(workload, gpus, machine.node) {
            let batch = training.global_batch;
            return Err(NoLayout::Undivided { gpus: gpus.into(), batch, near });
        }
        let stated = request.simplest_layout(Some(scenario.cluster.gpus));
        let mut problems = stated.broken_rules(model, training);
        problems.extend(Recipe::from_workload(workload).rules_broken_by_layout(&stated));
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

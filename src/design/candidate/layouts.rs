//! Layouts to design for, and runs that fit memory.

use super::kept_layouts::keep_best_layouts;
use super::standby::sparing_seats;
use crate::design::effort;
use crate::design::job::infeasible::Infeasible;
use crate::design::job::layout_search::{
    divides_domains_evenly, fewer_layouts_for_large_clusters, gpus_to_search_on, search_layouts,
    with_rank_orders,
};
use crate::design::job::machine::Machine;
use crate::design::job::run::JobRun;
use crate::memory::MemoryFit;
use crate::parallel::{Layout, LayoutRequest, Seats};
use crate::scenario::{Loss, Scenario, Workload};
use crate::search::{NoLayout, OpenLayouts, RankingRequest, nearby_batches_and_gpus};
use crate::technique::Recipe;
use crate::timing::StepTime;
use crate::units::Seconds;

/// True where layouts beside the fastest one may be part of an answer.
pub(crate) fn has_open_layouts(scenario: &Scenario) -> bool {
    scenario.workloads.iter().any(|workload| workload.layout.is_open())
}

/// True where something is asked of one layout of each workload, whatever the level of the network:
/// phases, scenarios beside them, a loss to survive. Elsewhere the fastest of several runs on each
/// network.
pub(crate) fn needs_one_layout_per_workload(scenario: &Scenario) -> bool {
    let survives = |loss| scenario.limits.has_to_survive(loss);
    scenario.robust.is_some()
        || [Loss::Link, Loss::Switch, Loss::Plane].into_iter().any(survives)
        || scenario.workloads.iter().any(|workload| Recipe::from_workload(workload).has_phases())
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

/// The layouts of a workload on a machine, each in every rank order that is open, the fastest one
/// first; true where they are of those that were looked for.
///
/// Degrees that the request leaves open are those of the fastest layout on a full-bisection
/// Clos, or of several, where it is weighed what each asks of the network: a slow layout would
/// look cheap by itself.
///
/// # Errors
/// The rules that the layout breaks, or that no layout fits the memory of a GPU.
fn layouts_to_design_for(
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

/// The layouts of a request that may be part of an answer, each in one rank order: those that are
/// slower than the fastest by no more than is allowed.
fn all_listed(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
) -> Result<Vec<Layout>, NoLayout> {
    let order = fastest_layout(scenario, workload, machine)?.order;
    let slowdown = workload.limits.allowed_slowdown(&scenario.objective);
    let pace = search_layouts(scenario, workload, machine, RankingRequest::FASTEST, Seats::Even)?
        .found
        .best
        .first()
        .map(|layout| layout.pace);
    let longest = pace.map_or(Seconds::ENDLESS, |pace| pace * slowdown.max(1.0));
    let all = keep_best_layouts(scenario, workload, machine, longest).layouts.into_iter();
    Ok(all.map(|layout| Layout { order, ..layout.layout }).collect())
}

/// Layouts that are sized beside the fastest ones of some machines, those of a product together, at
/// most.
pub(crate) fn max_layouts_sized<'a>(
    scenario: &Scenario,
    machines: impl Iterator<Item = Machine<'a>>,
) -> usize {
    /// None of more GPUs times products of uneven domains: to look for layouts takes too long.
    const LOOKED_FOR: u64 = 1 << 24;
    let mut products: Vec<Machine<'_>> = machines.collect();
    if products.iter().all(|machine| divides_domains_evenly(scenario, *machine)) {
        return effort::LAYOUTS_SIZED;
    }
    products.dedup_by(|one, other| one.node.name == other.node.name);
    if u64::from(scenario.cluster.gpus) * products.len() as u64 <= LOOKED_FOR {
        fewer_layouts_for_large_clusters(effort::LAYOUTS_SIZED, effort::ALL_SIZED_UP_TO, scenario)
            .max(effort::FEWEST_LAYOUTS_SIZED)
    } else {
        0
    }
}

/// The fastest layout that fits where the requested one does not: sharding over tensor, pipeline
/// and data free, everything else as requested. `None` where none fits.
fn layout_that_fits(
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
    let OpenLayouts { found, .. } =
        search_layouts(scenario, workload, machine, RankingRequest::FASTEST, Seats::Even)?;
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

/// What a layout that needs more memory than a GPU has means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overflow {
    /// No job: who buys for it, buys in vain.
    Refused,
    /// A job, and the report says what is missing: the ledger counts what the framework states,
    /// and a team that measures the layout knows better.
    Reported,
}

/// A workload in every rank order that is open and on every number of GPUs of a domain that may be
/// best, where it fits a GPU and stays within the slowdown that is allowed; at least one.
///
/// # Errors
/// Why no layout fits.
pub(super) fn runs_that_fit<'a>(
    scenario: &Scenario,
    workload: &'a Workload,
    machine: Machine<'a>,
    overflow: Overflow,
    open: LayoutFilter<'_>,
) -> Result<Vec<JobRun<'a>>, Infeasible> {
    let read = |open| runs_that_fit_memory(scenario, workload, machine, overflow, open);
    let of_fastest = || {
        read(LayoutFilter::Fastest).map_err(|reason| match reason {
            Infeasible::Layout(NoLayout::Memory { node, needs, has, legal, .. }) => {
                let fits = layout_that_fits(scenario, workload, machine).map(Box::new);
                NoLayout::Memory { node, needs, has, legal, fits }.into()
            }
            other => other,
        })
    };
    let (fitting, known) = match open {
        LayoutFilter::Fastest => (of_fastest()?, Seconds::ENDLESS),
        LayoutFilter::Listed => {
            of_fastest()?; // it is among them, and where it does not run it is told why
            (read(open)?, Seconds::ENDLESS)
        }
        LayoutFilter::Pinned(pinned) => (read(open)?, pinned.reference),
    };
    // One that is pinned may be faster on seats that are not cut evenly.
    let fastest = fitting.iter().map(|run| run.full).fold(known, Seconds::min);
    let slowdown = workload.limits.allowed_slowdown(&scenario.objective);
    let slowest = fastest * slowdown.max(1.0);
    Ok(fitting
        .into_iter()
        .filter(|run| run.full <= slowest)
        .map(|run| JobRun { reference: fastest, ..run })
        .collect())
}

/// The layouts that fit the memory of a GPU, or need not: each on the GPUs of a domain that its
/// borders cut evenly, and on all of them where those are more.
fn runs_that_fit_memory<'a>(
    scenario: &Scenario,
    workload: &'a Workload,
    machine: Machine<'a>,
    overflow: Overflow,
    open: LayoutFilter<'_>,
) -> Result<Vec<JobRun<'a>>, Infeasible> {
    let gpus = scenario.cluster.gpus;
    let has = machine.node.gpu.memory;
    let mut runs = Vec::new();
    let mut failed: Option<Infeasible> = None;
    let (layouts, is_sought) = layouts_to_design_for(scenario, workload, machine, open)?;
    for layout in layouts {
        if layout.gpus() > u64::from(gpus) {
            let reason = NoLayout::Gpus { needs: layout.gpus(), has: gpus };
            failed = Some(Infeasible::pick_further(failed, reason.into()));
            continue;
        }
        let run = match JobRun::new(workload, machine, &layout, Seats::Even) {
            Ok(run) => run,
            Err(problems) => {
                let reason = NoLayout::Illegal { gpus: layout.gpus(), problems };
                failed = Some(Infeasible::pick_further(failed, reason.into()));
                continue;
            }
        };
        let needs = run.memory.total_on_gpu();
        let too_large = MemoryFit::of_total(needs, has) == MemoryFit::TooLarge;
        if too_large && overflow == Overflow::Refused {
            let node = machine.node.name.clone();
            let reason = NoLayout::Memory { node, needs, has, legal: 1, fits: None };
            failed = Some(Infeasible::pick_further(failed, reason.into()));
            continue;
        }
        if run.full > StepTime::LONGEST {
            let reason = NoLayout::Endless { node: machine.node.name.clone() };
            failed = Some(Infeasible::pick_further(failed, reason.into()));
            continue;
        }
        if let Some(reason) = run.host_memory_shortfall() {
            failed = Some(Infeasible::pick_further(failed, reason));
            continue;
        }
        let packed = JobRun::new(workload, machine, &layout, Seats::Most);
        let packed = packed.ok().filter(|packed| packed.placement() != run.placement());
        let sparing = sparing_seats(scenario, &run).into_iter();
        let sparing =
            sparing.filter_map(|seats| JobRun::new(workload, machine, &layout, seats).ok());
        let sparing: Vec<JobRun<'a>> = sparing.collect();
        let all = std::iter::once(run).chain(packed).chain(sparing);
        runs.extend(all.map(|run| JobRun { is_sought, ..run }));
    }
    match failed {
        Some(failed) if runs.is_empty() => Err(failed),
        _ => Ok(runs),
    }
}

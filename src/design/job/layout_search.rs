//! What is looked for of the layouts that a workload leaves open on a machine. Chooses none.

use super::machine::{Level, Machine};
use crate::design::effort;
use crate::parallel::{Layout, LayoutRequest, Order, RankGrid, Seats};
use crate::scenario::{Scenario, Workload};
use crate::search::{
    BetterUnusedLayout, Effort, LayoutCount, NoLayout, OpenLayouts, Question, RankBy,
    RankingRequest, Space, better_unused_layout, count_layouts_looked_at, gpus_that_train,
    least_on_fewer, next_that_all_train, open_space, search_open_layouts, step_time_bound,
};
use crate::technique::Recipe;
use crate::timing::NetworkModel;
use crate::units::Seconds;

/// True where borders of domains cut every layout evenly, as all degrees are powers of two: it has
/// the same seats whether they are to be cut evenly or all are to be used.
pub(crate) fn divides_domains_evenly(scenario: &Scenario, machine: Machine<'_>) -> bool {
    let ranks = |workload: &Workload| {
        gpus_to_search_on(scenario, workload.for_product(machine.node), machine)
    };
    let whole = [scenario.cluster.gpus, machine.node.gpus];
    whole.into_iter().chain(scenario.workloads.iter().map(ranks)).all(u32::is_power_of_two)
}

/// A layout in the rank order that is asked for, or in every one that is worth a try.
pub(in crate::design) fn with_rank_orders(base: Layout, asked: Option<Order>) -> Vec<Layout> {
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

/// Fewer layouts of uneven domains the more GPUs there are above so many: what each interface of
/// such a domain carries is counted by itself, which takes longer.
pub(crate) fn fewer_layouts_for_large_clusters(
    layouts: usize,
    gpus: u32,
    scenario: &Scenario,
) -> usize {
    layouts / scenario.cluster.gpus.div_ceil(gpus).max(1) as usize
}

/// True for layouts that differ in the rank order alone.
pub(crate) fn differ_in_order_only(one: &Layout, other: &Layout) -> bool {
    Layout { order: other.order, ..one.clone() } == *other
}

/// What is found of what a workload leaves open on a machine, so many layouts of it, seated in one
/// way.
pub(in crate::design) fn search_layouts(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
    wanted: RankingRequest,
    seats: Seats,
) -> Result<OpenLayouts, NoLayout> {
    let (effort, counted) = (&Effort::SINGLE, LayoutCount::Legal);
    ask_layout_search(scenario, workload, machine, seats, |question, space| {
        let found =
            search_open_layouts(question, space, &workload.layout, wanted, effort, counted)?;
        if !found.found.best.is_empty() || question.longest_step.is_endless() {
            return Ok(found);
        }
        // The best one says how far away the limit is.
        let any = Question { longest_step: Seconds::ENDLESS, ..*question };
        search_open_layouts(&any, space, &workload.layout, wanted, effort, counted)
    })
}

/// As `search_layouts`, of those that are like what was measured, with steps that take no longer
/// than that: there may be none.
pub(in crate::design) fn search_layouts_within(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
    wanted: RankingRequest,
    seats: Seats,
    longest: Seconds,
) -> Result<OpenLayouts, NoLayout> {
    let (effort, counted) = (&Effort::SINGLE, LayoutCount::Measured);
    ask_layout_search(scenario, workload, machine, seats, |question, space| {
        let longest_step = question.longest_step.min(longest);
        let question = Question { longest_step, ..*question };
        search_open_layouts(&question, space, &workload.layout, wanted, effort, counted)
    })
}

/// The fastest layouts of other degrees than one has, that one of each: sharding over tensor,
/// pipeline, data and context ranks free, everything else as requested.
pub(super) fn fastest_with_other_degrees(
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
    let wanted = RankingRequest { top: effort::LAYOUTS_LISTED, by: BY };
    let best = search_layouts(scenario, &workload, machine, wanted, Seats::Even)
        .map_or_else(|_| Vec::new(), |layouts| layouts.found.best);
    let mut others: Vec<Layout> = Vec::new();
    for layout in best.into_iter().map(|ranked_layout| ranked_layout.layout) {
        let alike = |other_layout: &Layout| other_layout.degrees_text() == layout.degrees_text();
        if !alike(own) && !others.iter().any(alike) {
            others.push(layout);
        }
    }
    others
}

/// Layouts that break no rule among those that are looked for on a machine.
pub(crate) fn count_legal_layouts(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
) -> u64 {
    let workload = workload.for_product(machine.node);
    let Ok(sought) =
        search_layouts(scenario, workload, machine, RankingRequest::FASTEST, Seats::Even)
    else {
        return 0;
    };
    ask_layout_search(scenario, workload, machine, Seats::Even, |question, space| {
        count_layouts_looked_at(question, space, &sought)
    })
}

/// A layout that is faster by the clock than the fastest that is used on a machine, as it lies
/// beyond what was measured.
pub(crate) fn best_unused_layout(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
) -> Option<BetterUnusedLayout> {
    let found =
        search_layouts(scenario, workload, machine, RankingRequest::FASTEST, Seats::Even).ok()?;
    ask_layout_search(scenario, workload, machine, Seats::Even, |question, space| {
        better_unused_layout(question, space, BY, &found, &Effort::SINGLE)
    })
}

/// What no step of a workload is shorter than on a machine, in any layout that may be chosen.
pub(crate) fn kernel_step_bound(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
) -> Seconds {
    let workload = workload.for_product(machine.node);
    if !workload.layout.is_open() {
        return Seconds::ZERO;
    }
    let all = stated_on(scenario, &workload.layout);
    asked_on(all, scenario, workload, machine, Seats::Even, |question| {
        let of_all = step_time_bound(question, &open_space(workload, all));
        of_all.min(least_on_fewer(question, workload))
    })
}

/// What layouts are ranked by.
const BY: RankBy = RankBy::StepTime;

/// What is asked of the search for what a workload leaves open on a machine, on the GPUs that
/// train.
fn ask_layout_search<T>(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
    seats: Seats,
    ask: impl FnOnce(&Question<'_>, &Space) -> T,
) -> T {
    let gpus = gpus_to_search_on(scenario, workload, machine);
    asked_on(gpus, scenario, workload, machine, seats, |question| {
        ask(question, &open_space(workload, gpus))
    })
}

/// As `ask_layout_search`, on so many GPUs.
fn asked_on<T>(
    gpus: u32,
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
    seats: Seats,
    ask: impl FnOnce(&Question<'_>) -> T,
) -> T {
    let Workload { model, training, framework, techniques, .. } = workload;
    let network = &NetworkModel { seats, ..machine.network_at_level(Level::FULL) };
    let gpu = &machine.node.gpu;
    let longest_step = longest_step(scenario, workload);
    ask(&Question { model, training, framework, techniques, gpu, network, gpus, longest_step })
}

/// The longest step of layouts that are looked for: the one with the best pace need not have the
/// shortest step of the whole model, where a run has phases. Without them it has.
fn longest_step(scenario: &Scenario, workload: &Workload) -> Seconds {
    let limit = workload.limits.longest_step(&scenario.limits);
    limit.filter(|_| Recipe::from_workload(workload).has_phases()).unwrap_or(Seconds::ENDLESS)
}

/// GPUs that hold ranks at least, of the workload that has fewest.
pub(crate) fn min_rank_count(scenario: &Scenario, machine: Machine<'_>) -> u32 {
    let each = scenario
        .workloads
        .iter()
        .map(|workload| gpus_to_search_on(scenario, workload.for_product(machine.node), machine));
    each.min().unwrap_or(scenario.cluster.gpus)
}

/// GPUs that layouts are looked for on: those that train in the fastest layout. A stated degree of
/// data parallelism fixes them.
pub(in crate::design) fn gpus_to_search_on(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
) -> u32 {
    let all = stated_on(scenario, &workload.layout);
    if !workload.layout.is_open() {
        return all;
    }
    let seats = (machine, Seats::Even);
    asked_on(all, scenario, workload, seats.0, seats.1, |question| {
        gpus_that_train(question, workload)
    })
}

/// The next number of GPUs above that of the cluster that all train, where a workload trains on
/// fewer of them in a layout with such a step; `None` where none was found.
pub(crate) fn more_that_all_train(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
    layout: &Layout,
    step: Seconds,
) -> Option<u32> {
    let all = scenario.cluster.gpus;
    if workload.layout.is_open() && workload.layout.data.is_none() {
        return asked_on(all, scenario, workload, machine, Seats::Even, |question| {
            next_that_all_train(question, workload, machine.node.gpus, step)
        });
    }
    let replica = layout.gpus() / u64::from(layout.data.max(1));
    let most = u32::try_from(workload.training.global_batch).unwrap_or(u32::MAX);
    let runs = |data: &u32| {
        let more = Layout { data: *data, ..layout.clone() };
        workload.training.global_batch.is_multiple_of(u64::from(*data))
            && more.broken_rules(&workload.model, &workload.training).is_empty()
    };
    let data = (layout.data + 1..=most).find(runs)?;
    u32::try_from(replica * u64::from(data)).ok().filter(|gpus| *gpus > all)
}

/// GPUs of a request with every degree stated; those of the cluster otherwise.
fn stated_on(scenario: &Scenario, request: &LayoutRequest) -> u32 {
    let all = scenario.cluster.gpus;
    match (request.tensor, request.pipeline, request.context, request.data) {
        (Some(_), Some(_), Some(_), Some(_)) => {
            u32::try_from(request.simplest_layout(Some(all)).gpus()).unwrap_or(all).min(all)
        }
        _ => all,
    }
}

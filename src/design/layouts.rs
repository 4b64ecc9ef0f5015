//! The layouts to design for: the one that is requested, or the fastest one that leaves nothing
//! open, in every rank order that is allowed. Judges nothing but rules, memory and step time.

use super::machine::{Level, Machine};
use crate::parallel::{Layout, LayoutRequest, Order};
use crate::scenario::{Scenario, Workload};
use crate::search::{Effort, NoLayout, Question, Space, Wanted, search};
use crate::technique::Recipe;

/// The layouts of a workload on a machine, alike but for their rank order.
///
/// Degrees that the request leaves open are those of the fastest layout on a full-bisection
/// Clos, so that the fabric never decides them: a slow layout would look cheap, as it asks
/// little of the network.
///
/// # Errors
/// The rules that the layout breaks, or that no layout fits the memory of a GPU.
pub(super) fn layouts(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
) -> Result<Vec<Layout>, NoLayout> {
    let request = &workload.layout;
    let stated = stated(scenario, workload, request);
    let base =
        if is_open(workload) { fastest(scenario, workload, machine, request)? } else { stated };
    let orders = request
        .order
        .map_or_else(|| vec![Order::DP_INSIDE_PP, Order::PP_INSIDE_DP], |order| vec![order]);
    Ok(orders.into_iter().map(|order| Layout { order, ..base.clone() }).collect())
}

/// The fastest layout that fits where the requested one does not: sharding over tensor, pipeline
/// and data free, everything else as requested. `None` where none fits.
pub(super) fn layout_that_fits(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
) -> Option<Layout> {
    let request =
        LayoutRequest { tensor: None, pipeline: None, data: None, ..workload.layout.clone() };
    fastest(scenario, workload, machine, &request).ok()
}

/// True where the workload leaves a degree to the planner. Data parallelism follows from the
/// others.
fn is_open(workload: &Workload) -> bool {
    let request = &workload.layout;
    let degrees =
        [request.tensor, request.pipeline, request.context, request.expert, request.interleave];
    degrees.contains(&None) || workload.training.micro_batch.is_none()
}

/// The layout of a request, open degrees at 1.
fn stated(scenario: &Scenario, workload: &Workload, request: &LayoutRequest) -> Layout {
    let tensor = request.tensor.unwrap_or(1);
    let pipeline = request.pipeline.unwrap_or(1);
    let context = request.context.unwrap_or(1);
    let replica = [tensor, pipeline, context].into_iter().map(u64::from).product::<u64>().max(1);
    let whole = u64::from(scenario.cluster.gpus) / replica;
    Layout {
        tensor,
        pipeline,
        data: request.data.unwrap_or_else(|| u32::try_from(whole).unwrap_or(u32::MAX).max(1)),
        context,
        expert: request.expert.unwrap_or(1),
        expert_tensor: request.expert_tensor.unwrap_or(1),
        interleave: request.interleave.unwrap_or(1),
        micro_batch: workload.training.micro_batch.unwrap_or(1),
        sequence_parallel: request.sequence_parallel,
        zero: request.zero,
        order: request.order.unwrap_or(Order::DP_INSIDE_PP),
        schedule: request.schedule,
    }
}

/// The fastest layout of a request on a full-bisection Clos that fits a GPU.
fn fastest(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
    request: &LayoutRequest,
) -> Result<Layout, NoLayout> {
    let (model, training) = (&workload.model, &workload.training);
    // A stated degree of data parallelism fixes the GPUs that are used.
    let gpus = request.data.map_or(scenario.cluster.gpus, |_| used(scenario, workload, request));
    let space = Space::of_request(request, model, training, gpus);
    let network = machine.network(Level::FULL);
    let (framework, techniques) = (&workload.framework, &workload.techniques);
    let gpu = &machine.node.gpu;
    let network = &network;
    let question = Question { model, training, framework, techniques, gpu, network, gpus };
    let found = search(&question, &space, Wanted::FASTEST, &Effort::SINGLE);
    if let Some(best) = found.best.first() {
        return Ok(best.layout.clone());
    }
    let Some(needs) = found.least else {
        let stated = stated(scenario, workload, request);
        let mut problems = stated.problems(model, training);
        problems.extend(Recipe::of(workload).problems(&stated));
        return Err(NoLayout::Illegal { gpus: gpus.into(), problems });
    };
    let node = machine.node.name.clone();
    Err(NoLayout::Memory { node, needs, has: gpu.memory, legal: found.legal, fits: None })
}

/// GPUs of a request with every degree stated; those of the cluster otherwise.
fn used(scenario: &Scenario, workload: &Workload, request: &LayoutRequest) -> u32 {
    let all = scenario.cluster.gpus;
    match (request.tensor, request.pipeline, request.context) {
        (Some(_), Some(_), Some(_)) => {
            u32::try_from(stated(scenario, workload, request).gpus()).unwrap_or(all).min(all)
        }
        _ => all,
    }
}

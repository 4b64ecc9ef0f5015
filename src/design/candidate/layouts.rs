//! The layouts to design for: the one that is requested, or the fastest one that leaves nothing
//! open, in every rank order that is allowed. Judges nothing but rules, memory and step time.

use super::machine::{Level, Machine};
use crate::parallel::{Layout, LayoutRequest, Order, RankGrid};
use crate::scenario::{Scenario, Workload};
use crate::search::{Effort, NoLayout, Question, Space, Wanted, near, refused, search};
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
    let base = if request.is_open() {
        fastest(scenario, workload, machine, request)?
    } else {
        request.plainest(Some(scenario.cluster.gpus))
    };
    if let Some(order) = request.order {
        return Ok(vec![Layout { order, ..base }]);
    }
    let orders = [Order::DP_INSIDE_PP, Order::PP_INSIDE_DP];
    let mut all = orders.map(|order| Layout { order, ..base.clone() }).to_vec();
    if all.iter().any(|layout| RankGrid::new(layout).is_some()) {
        all.retain(|layout| RankGrid::new(layout).is_some()); // experts nest in some orders only
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
    let request =
        LayoutRequest { tensor: None, pipeline: None, data: None, ..workload.layout.clone() };
    fastest(scenario, workload, machine, &request).ok()
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
    let gpus = request.data.map_or(scenario.cluster.gpus, |_| used(scenario, request));
    let space = Space::of_request(request, model, training, gpus);
    let network = machine.network(Level::FULL);
    let (framework, techniques) = (&workload.framework, &workload.techniques);
    let gpu = &machine.node.gpu;
    let network = &network;
    let question = Question { model, training, framework, techniques, gpu, network, gpus };
    refused([(&question, &space)].into_iter())?;
    let found = search(&question, &space, Wanted::FASTEST, &Effort::SINGLE);
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
    Err(NoLayout::Memory { node, needs, has: gpu.memory, legal: found.legal, fits: None })
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

//! What is near a question that no layout divides: batches and numbers of GPUs with which one runs.
//! Asks nothing about memory or time.

use super::space::Space;
use crate::hardware::Node;
use crate::parallel::{Layout, Schedule};
use crate::scenario::Workload;
use crate::technique::Recipe;
use crate::workload::Training;

/// Numbers next to those of a question, the one below first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Near {
    /// Sequences of a batch.
    pub batches: Vec<u64>,
    /// GPUs, of machines that are bought whole.
    pub gpus: Vec<u64>,
}

/// Machines more or fewer that are looked at.
const MACHINES: u32 = 64;

/// Batches and numbers of GPUs near those of a workload for which a layout breaks no rule; `None`
/// where there are none.
pub(crate) fn nearby_batches_and_gpus(workload: &Workload, gpus: u32, node: &Node) -> Option<Near> {
    let batch = workload.training.global_batch;
    let with = |global_batch| Training { global_batch, ..workload.training.clone() };
    let runs_with = |batch: &u64| has_legal_layout(workload, &with(*batch), gpus);
    let mut below = Vec::new();
    let mut above = Vec::new();
    for unit in batch_multiples(workload, gpus) {
        below.extend((batch >= unit).then_some(batch / unit * unit));
        above.push(batch.div_ceil(unit) * unit);
    }
    below.sort_unstable_by_key(|number| std::cmp::Reverse(*number));
    above.sort_unstable();
    let batches = [below.into_iter().find(runs_with), above.into_iter().find(runs_with)];
    let domain = node.gpus.max(1);
    let machines = gpus / domain;
    let runs_on = |machines: &u32| {
        machines
            .checked_mul(domain)
            .is_some_and(|gpus| has_legal_layout(workload, &workload.training, gpus))
    };
    let fewer = (1..=machines.min(MACHINES)).map(|less| machines + 1 - less);
    let more = (1..=MACHINES).map(|more| machines.saturating_add(more));
    let other = |machines: &u32| machines.checked_mul(domain) != Some(gpus);
    let counts = [fewer.filter(other).find(runs_on), more.filter(other).find(runs_on)];
    let near = Near {
        batches: batches.into_iter().flatten().collect(),
        gpus: counts.into_iter().flatten().map(|count| u64::from(count * domain)).collect(),
    };
    (!near.batches.is_empty() || !near.gpus.is_empty()).then_some(near)
}

/// Sequences of which a batch has to be a multiple, one for each number of replicas.
fn batch_multiples(workload: &Workload, gpus: u32) -> Vec<u64> {
    let each = simplest_layouts(workload, &workload.training, gpus);
    let mut all: Vec<u64> = each
        .iter()
        .map(|layout| u64::from(layout.data) * layout.micro_batch)
        .filter(|count| *count > 0)
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// True where a layout breaks no rule.
fn has_legal_layout(workload: &Workload, training: &Training, gpus: u32) -> bool {
    let workload = Workload { training: training.clone(), ..workload.clone() };
    let recipe = Recipe::from_workload(&workload);
    simplest_layouts(&workload, training, gpus).iter().any(|layout| {
        layout.broken_rules(&workload.model, training).is_empty()
            && recipe.rules_broken_by_layout(layout).is_empty()
    })
}

/// The plainest layout for each set of degrees that uses all GPUs.
fn simplest_layouts(workload: &Workload, training: &Training, gpus: u32) -> Vec<Layout> {
    let request = &workload.layout;
    let space = Space::from_request(request, &workload.model, training, gpus);
    let plainest = request.simplest_layout(Some(gpus));
    let interleave = match (request.interleave, request.schedule) {
        (None, Schedule::Interleaved) => 2,
        _ => plainest.interleave,
    };
    let mut all = Vec::new();
    for (tensor, context) in degree_pairs(&space.tensor, &space.context) {
        for (pipeline, expert) in degree_pairs(&space.pipeline, &space.expert) {
            let ranks = [tensor, context, pipeline].map(u64::from).iter().product::<u64>();
            let fits = ranks > 0 && u64::from(gpus).is_multiple_of(ranks);
            let Some(data) = u32::try_from(u64::from(gpus) / ranks.max(1)).ok().filter(|_| fits)
            else {
                continue;
            };
            if request.data.is_none_or(|stated| stated == data) {
                let degrees =
                    Layout { tensor, context, pipeline, expert, data, ..plainest.clone() };
                all.push(Layout { interleave, ..degrees });
            }
        }
    }
    all
}

fn degree_pairs<'a>(one: &'a [u32], other: &'a [u32]) -> impl Iterator<Item = (u32, u32)> + 'a {
    one.iter().flat_map(|a| other.iter().map(move |b| (*a, *b)))
}

//! Batches and numbers of GPUs near those of a spec with which a job leaves no GPU of its machines idle.
//! Each was laid out again; nothing else of the scenario is changed.

use crate::design::candidate::fitting::Overflow;
use crate::design::candidate::job::Job;
use crate::design::candidate::jobs::list_jobs;
use crate::design::candidate::machine::Machine;
use crate::scenario::Scenario;

/// A change of the spec after which every GPU that is bought holds a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilledMachines {
    /// `cluster.gpus`; `None` where it stays.
    pub gpus: Option<u32>,
    /// `training.global_batch`; `None` where it stays.
    pub batch: Option<u64>,
}

/// Most changes that are told.
const TOLD: usize = 2;
/// Share of the GPUs bought that has to be idle for a change to be looked for: below it another number of GPUs
/// or another batch is no gain.
const WORTH: f64 = 0.005;
/// Part of a batch by which it may change at most, as one over this.
const NEAR: u64 = 4;

/// The nearest changes that fill the machines of a job: of the batch alone where so many GPUs fill
/// machines, else of the number of GPUs. Empty where none was found, where hardly a GPU is idle, and of several
/// workloads.
pub(super) fn changes_that_fill_machines(job: &Job<'_>) -> Vec<FilledMachines> {
    let scenario = job.scenario;
    if !scenario.others.is_empty() {
        return Vec::new();
    }
    let (gpus, domain) = (scenario.cluster.gpus, job.machine.node.gpus.max(1));
    let bought = f64::from(job.domains) * f64::from(domain);
    let used = job.lead.layout().gpus() as f64;
    if bought - used < WORTH * bought {
        return Vec::new();
    }
    let fills = |change: &FilledMachines| leaves_none_idle(scenario, job.machine, *change);
    let batches = |gpus: u32| near_batches(scenario.workload.training.global_batch, gpus);
    if gpus.is_multiple_of(domain) {
        let all = batches(gpus).into_iter().flatten();
        let with = |batch| FilledMachines { gpus: None, batch: Some(batch) };
        return all.map(with).filter(fills).take(TOLD).collect();
    }
    let whole = gpus / domain * domain;
    let counts = [Some(whole), whole.checked_add(domain)].into_iter().flatten();
    let changed = |gpus: u32| {
        let with = move |batch| FilledMachines { gpus: Some(gpus), batch };
        let all = std::iter::once(None).chain(batches(gpus).into_iter().flatten().map(Some));
        all.map(with).find(fills)
    };
    counts.filter(|gpus| *gpus > 0).filter_map(changed).collect()
}

/// The batches next to one that the odd part of a number of GPUs divides, and as many twos as leave
/// both near: replicas then have that odd part, and other degrees powers of two.
fn near_batches(batch: u64, gpus: u32) -> [Option<u64>; 2] {
    let odd = u64::from(gpus >> gpus.trailing_zeros().min(31));
    let most = batch / NEAR;
    if odd == 0 || odd > most {
        return [None, None];
    }
    let unit = odd << (most / odd).ilog2();
    let below = batch / unit * unit;
    let above = batch.div_ceil(unit) * unit;
    [below, above].map(|other| (other > 0 && other != batch).then_some(other))
}

/// True where every job of the changed scenario uses all GPUs of the machines that it takes.
fn leaves_none_idle(scenario: &Scenario, machine: Machine<'_>, change: FilledMachines) -> bool {
    let mut scenario = scenario.clone();
    scenario.cluster.gpus = change.gpus.unwrap_or(scenario.cluster.gpus);
    scenario.workload = scenario.workload.map_products(|mut workload| {
        workload.training.global_batch = change.batch.unwrap_or(workload.training.global_batch);
        workload
    });
    let full = |job: &Job<'_>| {
        u64::from(job.domains) * u64::from(job.machine.node.gpus) == job.lead.layout().gpus()
    };
    list_jobs(&scenario, machine, (Overflow::Refused, &[]))
        .is_ok_and(|jobs| !jobs.is_empty() && jobs.iter().all(full))
}

#[cfg(test)]
mod tests {
    use super::near_batches;

    #[test]
    fn near_batches_have_the_odd_part_of_the_gpus() {
        assert_eq!(near_batches(2048, 4608), [Some(2016), Some(2304)]);
        assert_eq!(near_batches(2304, 4608), [None, None]);
        assert_eq!(near_batches(16, 72 * 7), [None, None]);
        assert_eq!(near_batches(0, 72), [None, None]);
    }
}

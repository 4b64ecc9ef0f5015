//! What is chosen before a fabric is sized: products, interfaces, planes, protocols, rank orders. Sizes
//! nothing.

use std::num::NonZeroUsize;

use super::faults::min_step_time_over_goodput;
use super::fitting::Overflow;
use super::infeasible::Infeasible;
use super::job::Job;
use super::jobs::{list_jobs, with_standby};
use super::layouts::PinnedLayouts;
use super::linking::{LinkPurchase, allowed_protocols, free_end};
use super::machine::{self, Machine};
use super::money::cost_of_machines;
use super::unpriced::{drop_unpriced, priced_machines};
use crate::hardware::{Cage, Protocol};
use crate::scenario::{Minimize, Scenario};
use crate::search::map_on_threads;
use crate::sizing::Options;

/// Everything that is chosen before a fabric is sized.
#[derive(Clone, Debug)]
pub(crate) struct Candidate<'a> {
    pub(crate) job: Job<'a>,
    pub(crate) planes: u32,
    pub(crate) protocol: Protocol,
}

impl Candidate<'_> {
    /// What it takes of a quantity whatever its network: its machines, where the step can't be shorter
    /// than without a bottleneck in the network, and no more of the time trains than without its switches;
    /// in the units of a design's value.
    pub(crate) fn lower_bound_without_network(&self, quantity: Minimize) -> f64 {
        let job = &self.job;
        let alone = cost_of_machines(&job.fleet()).value_without_network(quantity);
        match quantity {
            Minimize::UsdPerToken => alone * min_step_time_over_goodput(job, self.planes).get(),
            Minimize::Capex | Minimize::Tco | Minimize::Power => alone,
        }
    }

    /// True for one that differs in machines on standby alone.
    pub(crate) fn is_same_but_standby(&self, other: &Candidate<'_>) -> bool {
        self.job.kin == other.job.kin && self.is_alike(other)
    }

    /// True for one that differs in layouts, rank orders, seats and machines on standby alone.
    pub(crate) fn is_alike(&self, other: &Candidate<'_>) -> bool {
        self.job.machine == other.job.machine
            && (self.planes, self.protocol) == (other.planes, other.protocol)
    }

    /// What it is, in a few words.
    pub(crate) fn describe(&self) -> String {
        let machine = self.job.machine;
        let planes = match self.planes {
            1 => "one plane".to_owned(),
            planes => format!("{planes} planes"),
        };
        let order = self.job.lead.layout().order;
        let (node, nic, switches) = (&machine.node.name, &machine.nic.name, self.protocol.title());
        format!("{node} with {nic}, {planes}, {switches}, order {order}")
    }
}

/// Every candidate of a scenario in a fixed order, whatever the number of threads, and the furthest failure among those that no
/// job fits. Not all of them, where the best design so far is enough.
pub(crate) fn list_candidates<'a>(
    scenario: &'a Scenario,
    options: &Options,
) -> (Vec<Candidate<'a>>, Option<Infeasible>) {
    let machines = machine::list_machines(&scenario.cluster);
    let priced = priced_machines(scenario, &machines);
    let is_stopped = || options.watch.is_stopped();
    let numbered = (0, options.threads);
    let read = |machines: &[Machine<'a>]| {
        list_candidates_on_machines(scenario, machines, None, (numbered, &is_stopped))
    };
    let found = read(&priced);
    // Where no job fits those, the others count.
    if found.0.is_empty() && priced.len() < machines.len() { read(&machines) } else { found }
}

/// Candidates of some machines in their order, and the furthest failure among those that no job fits. A machine
/// may run another layout than its fastest one. Jobs are numbered from `first`; none is looked for once it is
/// stopped.
pub(crate) fn list_candidates_on_machines<'a>(
    scenario: &'a Scenario,
    machines: &[Machine<'a>],
    pinned: Option<&PinnedLayouts>,
    ((first, threads), is_stopped): ((usize, NonZeroUsize), &(dyn Fn() -> bool + Sync)),
) -> (Vec<Candidate<'a>>, Option<Infeasible>) {
    let mut all = Vec::new();
    let mut failed: Option<Infeasible> = None;
    let mut next = first;
    let jobs_of = |place: usize| {
        let machine = machines[place];
        if is_stopped() {
            return Err(Infeasible::Interrupted);
        }
        let own = |layouts: &&PinnedLayouts| {
            layouts.node == machine.node.name && layouts.nic == machine.nic.name
        };
        let each = pinned.filter(own).map_or(&[][..], |layouts| &layouts.each);
        list_jobs(scenario, machine, (Overflow::Refused, each))
    };
    for (machine, jobs) in machines.iter().zip(map_on_threads(machines.len(), threads, jobs_of)) {
        let machine = *machine;
        let jobs = match jobs {
            Ok(jobs) => jobs,
            Err(reason) => {
                failed = Some(Infeasible::pick_further(failed, reason));
                continue;
            }
        };
        for job in jobs {
            let each = with_standby(&Job { id: next, kin: next, ..job });
            next = each.iter().map(|this_job| this_job.id + 1).fold(next + 1, usize::max);
            let splits = machine.plane_options(&scenario.cluster);
            if splits.is_empty() {
                let (nic, needs) =
                    (machine.nic.name.clone(), scenario.cluster.fabric.nic_ports_per_plane());
                failed = Some(Infeasible::pick_further(failed, Infeasible::Ports { nic, needs }));
            }
            for planes in splits {
                for protocol in allowed_protocols(scenario) {
                    match LinkPurchase::for_machine(scenario, machine, planes, protocol) {
                        LinkPurchase::Apart => {
                            let reason = no_link_reason(scenario, machine, planes, protocol);
                            failed = Some(Infeasible::pick_further(failed, reason));
                        }
                        _ => all.extend(each.iter().map(|job| Candidate {
                            job: job.clone(),
                            planes,
                            protocol,
                        })),
                    }
                }
            }
        }
    }
    drop_unpriced(scenario, &mut all, |candidate| {
        (candidate.job.machine, candidate.planes, candidate.protocol)
    });
    (all, failed)
}

/// Why an interface has no link.
fn no_link_reason(
    scenario: &Scenario,
    machine: Machine<'_>,
    planes: u32,
    protocol: Protocol,
) -> Infeasible {
    Infeasible::NoLink {
        node: machine.node.name.clone(),
        nic: machine.nic.name.clone(),
        cage: machine.link_cage(planes).map_or("", Cage::name),
        protocol: protocol.title(),
        gigabits: machine.link_rate(planes).as_gigabits().round() as u64,
        end: Box::new(free_end(scenario, machine, planes, protocol)),
    }
}

/// Some candidates by place, what takes least first, each with [that](Candidate::lower_bound_without_network).
pub(crate) fn sort_by_lower_bound(
    all: &[Candidate<'_>],
    some: impl Iterator<Item = usize>,
    quantity: Minimize,
) -> Vec<(f64, usize)> {
    sort_ascending(some, |place| all[place].lower_bound_without_network(quantity))
}

/// Places in the order of a bound, each with that; equal ones stay as they were.
pub(crate) fn sort_ascending(
    some: impl Iterator<Item = usize>,
    bound: impl Fn(usize) -> f64,
) -> Vec<(f64, usize)> {
    let mut order: Vec<(f64, usize)> = some.map(|place| (bound(place), place)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    order
}

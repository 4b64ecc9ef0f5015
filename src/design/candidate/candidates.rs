//! `Candidate`: jobs of a machine, planes, protocols.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use super::layouts::{
    LayoutFilter, Overflow, PinnedLayout, PinnedLayouts, has_open_layouts,
    needs_one_layout_per_workload, runs_that_fit,
};
use super::machine_cost::cost_of_machines;
use super::priced_links::{
    LinkPurchase, allowed_protocols, drop_unpriced, free_end, priced_machines,
};
use super::standby::{min_step_time_over_goodput, standby_choices};
use crate::design::job::infeasible::Infeasible;
use crate::design::job::job::Job;
use crate::design::job::machine::{self, Machine};
use crate::design::job::run::JobRun;
use crate::design::job::scenario_runs::RobustScenarios;
use crate::hardware::{Cage, Protocol};
use crate::reliability::Standby;
use crate::scenario::{Minimize, Scenario, Workload};
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
    /// What it takes of a quantity whatever its network: its machines, where the step can't be
    /// shorter than without a bottleneck in the network, and no more of the time trains than
    /// without its switches; in the units of a design's value.
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
            1 => "1 plane".to_owned(),
            planes => format!("{planes} planes"),
        };
        let order = self.job.lead_run().layout().order;
        let (node, nic, switches) = (&machine.node.name, &machine.nic.name, self.protocol.title());
        format!("{node} with {nic}, {planes}, {switches}, order {order}")
    }
}

/// Every candidate of a scenario in a fixed order, whatever the number of threads, and the furthest
/// failure among those that no job fits. Not all of them, where the best design so far is enough.
pub(crate) fn list_candidates<'a>(
    scenario: &'a Scenario,
    options: &Options,
) -> (Vec<Candidate<'a>>, Option<Infeasible>) {
    let machines = machine::list_machines(&scenario.cluster);
    let priced = priced_machines(scenario, &machines);
    let is_stopped = || options.watch.is_stopped();
    let run = ListingRun { is_stopped: &is_stopped, ..ListingRun::new(0, options.threads) };
    let read =
        |machines: &[Machine<'a>]| list_candidates_on_machines(scenario, machines, None, run);
    let found = read(&priced);
    // Where no job fits those, the others count.
    if found.0.is_empty() && priced.len() < machines.len() { read(&machines) } else { found }
}

/// How candidates are listed.
#[derive(Clone, Copy)]
pub(crate) struct ListingRun<'s> {
    /// From where jobs are numbered.
    pub(crate) first_job: usize,
    pub(crate) threads: NonZeroUsize,
    /// True once no further job is to be looked for.
    pub(crate) is_stopped: &'s (dyn Fn() -> bool + Sync),
}

impl ListingRun<'static> {
    /// One that nobody stops.
    pub(crate) fn new(first_job: usize, threads: NonZeroUsize) -> Self {
        Self { first_job, threads, is_stopped: &|| false }
    }
}

/// Candidates of some machines in their order, and the furthest failure among those that no job
/// fits. A machine may run another layout than its fastest one.
pub(crate) fn list_candidates_on_machines<'a>(
    scenario: &'a Scenario,
    machines: &[Machine<'a>],
    pinned: Option<&PinnedLayouts>,
    run: ListingRun<'_>,
) -> (Vec<Candidate<'a>>, Option<Infeasible>) {
    let mut all = Vec::new();
    let mut failed: Option<Infeasible> = None;
    let mut next = run.first_job;
    let jobs_of = |place: usize| {
        let machine = machines[place];
        if (run.is_stopped)() {
            return Err(Infeasible::Interrupted);
        }
        let own = |layouts: &&PinnedLayouts| {
            layouts.node == machine.node.name && layouts.nic == machine.nic.name
        };
        let each = pinned.filter(own).map_or(&[][..], |layouts| &layouts.each);
        list_jobs(scenario, machine, Overflow::Refused, each)
    };
    for (machine, jobs) in machines.iter().zip(map_on_threads(machines.len(), run.threads, jobs_of))
    {
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

/// Some candidates by place, what takes least first, each with
/// [that](Candidate::lower_bound_without_network).
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

/// The jobs worth designing for on a machine: of every workload the layout that is requested or
/// pinned, or the fastest one that fits, in every rank order that is open and stays within the
/// slowdown that the scenario allows. Of workloads beside the leading one a job has all orders and,
/// where layouts may be chosen beside the network, all layouts that fit its machines; one of each
/// where something is asked of one.
///
/// # Errors
/// Why a workload does not fit.
pub(crate) fn list_jobs<'a>(
    scenario: &'a Scenario,
    machine: Machine<'a>,
    overflow: Overflow,
    pinned: &[PinnedLayout],
) -> Result<Vec<Job<'a>>, Infeasible> {
    let one_each = needs_one_layout_per_workload(scenario);
    let weighed = overflow == Overflow::Refused && has_open_layouts(scenario) && !one_each;
    let all = |(number, workload): (usize, &'a Workload)| {
        let open = match pinned.get(number) {
            Some(layout) => LayoutFilter::Pinned(layout),
            None if number > 0 && weighed => LayoutFilter::Listed,
            None => LayoutFilter::Fastest,
        };
        runs_that_fit(scenario, workload.for_product(machine.node), machine, overflow, open)
            .map_err(|reason| reason.for_workload(scenario, workload))
    };
    let mut all = scenario.workloads.iter().enumerate().map(all).collect::<Result<Vec<_>, _>>()?;
    let leads = all.remove(0);
    let of_one_lead = |lead: JobRun<'a>| -> Vec<Job<'a>> {
        let teams = if one_each {
            one_of_each(&all)
        } else {
            other_runs_by_machine_use(scenario, &lead, &all)
        };
        teams
            .into_iter()
            .map(|others| {
                let runs = std::iter::once(vec![lead.clone()]).chain(others).collect();
                job_of_runs(scenario, overflow, runs)
            })
            .collect()
    };
    Ok(leads.into_iter().flat_map(of_one_lead).collect())
}

/// The job of a run of the leading workload beside some of every other.
fn job_of_runs<'a>(
    scenario: &'a Scenario,
    overflow: Overflow,
    runs: Vec<Vec<JobRun<'a>>>,
) -> Job<'a> {
    let machine = runs[0][0].machine;
    let all = runs.iter().flatten();
    let domains = all.map(|run| run.domains_needed(scenario)).max().unwrap_or(1);
    let scenarios = match overflow {
        Overflow::Refused => {
            let each: Vec<&JobRun<'a>> = runs.iter().filter_map(|runs| runs.first()).collect();
            RobustScenarios::from_limits(scenario, domains, &each)
        }
        Overflow::Reported => RobustScenarios::default(), // no fabric is sized
    };
    let used = max_used_gpus(&runs);
    let (id, kin, standby) = (0, 0, Standby::NONE);
    Job { id, kin, scenario, machine, domains, standby, used, runs, scenarios }
}

/// A job with the machines on standby that may be best: each with other ports than its own has a
/// fabric of its own, of which routing said nothing.
fn with_standby<'a>(job: &Job<'a>) -> Vec<Job<'a>> {
    let mut next = job.id;
    let with = |standby| {
        let this_job = Job { standby, ..job.clone() };
        if this_job.networked_domains() == job.networked_domains() {
            return this_job;
        }
        next += 1;
        Job { id: next, ..this_job.without_routes() }
    };
    standby_choices(&job.fleet()).into_iter().map(with).collect()
}

/// Every choice of one of each list.
pub(crate) fn every_layout_combination<T: Copy>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |choices, list| {
        let with = |choice: &Vec<T>| -> Vec<Vec<T>> {
            list.iter().map(|one| [choice.as_slice(), &[*one]].concat()).collect()
        };
        choices.iter().flat_map(with).collect()
    })
}

/// Every choice of one run of each workload.
fn one_of_each<'a>(all: &[Vec<JobRun<'a>>]) -> Vec<Vec<Vec<JobRun<'a>>>> {
    let lists: Vec<Vec<&JobRun<'a>>> = all.iter().map(|runs| runs.iter().collect()).collect();
    let alone = |team: Vec<&JobRun<'a>>| team.into_iter().map(|run| vec![run.clone()]).collect();
    every_layout_combination(&lists).into_iter().map(alone).collect()
}

/// Beside a run of the leading workload all runs of every other that take no more of its machines
/// than some amount: as much as the leading one does, and every larger amount that another one
/// could.
fn other_runs_by_machine_use<'a>(
    scenario: &Scenario,
    lead: &JobRun<'a>,
    others: &[Vec<JobRun<'a>>],
) -> Vec<Vec<Vec<JobRun<'a>>>> {
    let size = |run: &JobRun<'a>| run.domains_needed(scenario);
    // How many GPUs of a domain are used matters where trays that are not take the place of others.
    let spares = lead.machine.replaceable_tray().is_some();
    let used = if spares {
        amounts_from_lead_up(lead, others, JobRun::used_gpus_per_domain)
    } else {
        BTreeSet::from([u32::MAX])
    };
    let hosts = amounts_from_lead_up(lead, others, JobRun::host_memory_bought);
    let mut teams = Vec::new();
    for domains in amounts_from_lead_up(lead, others, size) {
        for used in &used {
            for host in &hosts {
                let holds = |run: &&JobRun<'a>| {
                    let host_memory = run.host_memory_bought();
                    size(run) <= domains
                        && run.used_gpus_per_domain() <= *used
                        && host_memory <= *host
                };
                let fitting = |runs: &Vec<JobRun<'a>>| runs.iter().filter(holds).cloned().collect();
                let team: Vec<Vec<JobRun<'a>>> = others.iter().map(fitting).collect();
                // Amounts that hold no layout of a workload, or none more than less of them.
                let takes = |pair: &dyn Fn(&JobRun<'a>) -> u64| {
                    std::iter::once(lead).chain(team.iter().flatten()).map(pair).max()
                };
                let all_of_it = takes(&|run| size(run).into()) == Some(domains.into())
                    && (!spares
                        || takes(&|run| run.used_gpus_per_domain().into())
                            == Some(u64::from(*used)))
                    && takes(&JobRun::host_memory_bought) == Some(*host);
                if all_of_it && team.iter().all(|runs| !runs.is_empty()) {
                    teams.push(team);
                }
            }
        }
    }
    teams
}

/// What the leading workload uses, and every larger amount that another one could.
fn amounts_from_lead_up<'a, T: Ord + Copy>(
    lead: &JobRun<'a>,
    others: &[Vec<JobRun<'a>>],
    read: impl Fn(&JobRun<'a>) -> T,
) -> BTreeSet<T> {
    let least = read(lead);
    let more = others.iter().flatten().map(read).filter(|own| *own > least);
    std::iter::once(least).chain(more).collect()
}

/// GPUs of a domain that hold ranks, of the workload that has most there.
pub(crate) fn max_used_gpus(runs: &[Vec<JobRun<'_>>]) -> u32 {
    runs.iter().flatten().map(JobRun::used_gpus_per_domain).max().unwrap_or(1)
}

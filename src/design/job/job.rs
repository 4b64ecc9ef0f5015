//! `Job`: all workloads of a cluster on one machine; `NodeChoice`: the machines of a plan.

use std::sync::Arc;

use super::fleet::{Fleet, count_networked_domains};
use super::machine::{Level, Machine};
use super::run::JobRun;
use super::scenario_runs::RobustScenarios;
use crate::hardware::{Nic, Node};
use crate::reliability::Standby;
use crate::scenario::Scenario;
use crate::units::Seconds;

/// Workloads that fit a machine.
#[derive(Clone, Debug)]
pub(crate) struct Job<'a> {
    /// Unlike that of every other job of the scenario that has another fabric.
    pub(crate) id: usize,
    /// Shared by those that differ in machines on standby alone.
    pub(crate) kin: usize,
    pub(crate) scenario: &'a Scenario,
    pub(crate) machine: Machine<'a>,
    /// HB domains M of the cluster that train.
    pub(crate) domains: u32,
    /// HB domains that stand by for broken ones.
    pub(crate) standby: Standby,
    /// GPUs of a domain that hold ranks, of the workload that has most there.
    pub(crate) used: u32,
    /// One run of the workload that a report leads with, then of every other its rank orders, and
    /// its layouts where these may be chosen beside the network: whatever the fabric, the fastest
    /// of them runs.
    pub(crate) runs: Vec<Vec<JobRun<'a>>>,
    /// What the fabric has to carry besides; they take no time and cost nothing.
    pub(crate) scenarios: RobustScenarios<'a>,
}

impl<'a> Job<'a> {
    /// Its machines.
    pub(crate) fn fleet(&self) -> Fleet<'a> {
        let Self { scenario, machine, domains, standby, used, .. } = *self;
        let host_memory = self.host_memory_bought();
        Fleet { scenario, machine, domains, standby, used, host_memory }
    }

    /// The run of the leading workload.
    pub(crate) fn lead_run(&self) -> &JobRun<'a> {
        &self.runs[0][0]
    }

    /// Pace of every workload on a fabric of that level, the leading one first, of every scenario
    /// after them, and at last the time of a whole step of those [in phases](Job::phased_runs);
    /// endless where messages for another rail have no way.
    pub(crate) fn step_times(&self, level: Level) -> Vec<Seconds> {
        let paces = self.runs.iter().map(|runs| fastest_run(runs, level).1);
        let scenarios = self.scenarios.runs.iter().map(|robust_run| robust_run.step_time(level));
        let paces = paces.chain(scenarios);
        paces.chain(self.phased_runs().map(|run| run.step_time(level).total_time())).collect()
    }

    /// Every workload in the order that runs on a fabric of that level, the leading one first.
    pub(crate) fn runs_at_level(&self, level: Level) -> Vec<&JobRun<'a>> {
        let fastest =
            |runs: &[JobRun<'a>]| if runs.len() == 1 { 0 } else { fastest_run(runs, level).0 };
        self.runs.iter().filter_map(|runs| runs.get(fastest(runs))).collect()
    }

    /// True where routing corrected the clock of a workload or a scenario at a level.
    pub(crate) fn is_strained(&self, level: Level) -> bool {
        let strained = |run: &JobRun<'_>| run.strains.factors_at_level(level).is_some();
        self.possible_runs().any(strained)
            || self.scenarios.runs.iter().any(|robust_run| robust_run.is_strained(level))
    }

    /// True where routing corrected it at any level.
    pub(crate) fn is_corrected(&self) -> bool {
        let corrected = |run: &JobRun<'_>| !run.strains.is_empty();
        self.possible_runs().any(corrected)
            || self.scenarios.runs.iter().any(|robust_run| corrected(&robust_run.run))
    }

    /// The job as the clock alone times it, whatever routing found.
    pub(crate) fn without_routing_corrections(&self) -> Self {
        let read = |runs: &Vec<JobRun<'a>>| runs.iter().map(JobRun::without_corrections).collect();
        let scenarios = self.scenarios.without_correction_factors();
        Self { runs: self.runs.iter().map(read).collect(), scenarios, ..self.clone() }
    }

    /// The job with each of its runs made anew.
    pub(in crate::design) fn with_runs(
        &self,
        fresh: &mut dyn FnMut(&JobRun<'a>) -> JobRun<'a>,
    ) -> Self {
        let runs = self.runs.iter().map(|runs| runs.iter().map(&mut *fresh).collect()).collect();
        let mut scenarios = self.scenarios.clone();
        for run in &mut scenarios.runs {
            run.run = fresh(&run.run);
        }
        Self { runs, scenarios, ..self.clone() }
    }

    /// The job as it was before routing said anything about its steps.
    pub(in crate::design) fn without_routes(&self) -> Self {
        self.with_runs(&mut |run| JobRun { strains: Arc::default(), ..run.clone() })
    }

    /// Workloads that are trained in phases: their pace is not the time of a step of the whole
    /// model.
    pub(crate) fn phased_runs(&self) -> impl Iterator<Item = &JobRun<'a>> {
        self.one_run_per_workload().filter(|run| !run.phases.is_empty())
    }

    /// Time of a step of every workload on a fabric of that level, the leading one first: of one
    /// with phases, of the whole model.
    pub(crate) fn whole_steps(&self, level: Level) -> Vec<Seconds> {
        self.runs_at_level(level).into_iter().map(|run| run.step_time(level).total_time()).collect()
    }

    /// All that may run.
    pub(crate) fn possible_runs(&self) -> impl Iterator<Item = &JobRun<'a>> {
        self.runs.iter().flatten()
    }

    /// One run of each workload, the leading one first: what does not depend on the order.
    pub(crate) fn one_run_per_workload(&self) -> impl Iterator<Item = &JobRun<'a>> {
        self.runs.iter().filter_map(|runs| runs.first())
    }

    /// The step of the leading workload at whose pace the cluster trains as many tokens as all
    /// workloads do with their shares of its time (docs/equations.md §9.8). With one workload
    /// that is its own step.
    pub(crate) fn blend_step_times(&self, paces: &[Seconds]) -> Seconds {
        if self.runs.len() == 1 {
            return paces.first().copied().unwrap_or(Seconds::ZERO);
        }
        Seconds::from_f64(self.lead_run().step.tokens as f64 / self.token_rates(paces).sum::<f64>())
    }

    /// Tokens a second that each workload trains with its share of the time.
    fn token_rates(&self, paces: &[Seconds]) -> impl Iterator<Item = f64> {
        let each = self.one_run_per_workload().zip(paces);
        each.map(|(run, pace)| run.workload.share * run.step.tokens as f64 / pace.get())
    }

    /// The share of their paces that all workloads keep together where each keeps so much of its
    /// own: by the tokens that it trains.
    pub(crate) fn combined_pace_share(&self, paces: &[Seconds], each: &[f64]) -> f64 {
        let kept: f64 = self.token_rates(paces).zip(each).map(|(rate, kept)| rate * kept).sum();
        kept / self.token_rates(paces).sum::<f64>()
    }

    /// Blended step time on a full-bisection Clos.
    pub(crate) fn full_bisection_step_time(&self) -> Seconds {
        let others = self.one_run_per_workload().skip(1).map(|run| run.reference);
        let fulls: Vec<Seconds> = std::iter::once(self.lead_run().full).chain(others).collect();
        self.blend_step_times(&fulls)
    }

    /// GiB that every host needs beyond what ships, for the workload that offloads most.
    pub(crate) fn host_memory_bought(&self) -> u64 {
        self.possible_runs().map(JobRun::host_memory_bought).max().unwrap_or(0)
    }

    /// HB domains that are bought: those that train, and those that stand by.
    pub(crate) fn domains_to_buy(&self) -> u64 {
        u64::from(self.domains) + self.standby.domains
    }

    /// HB domains that a network joins: those that train, and those that [stand
    /// by](Fleet::networked_domains) with ports.
    pub(crate) fn networked_domains(&self) -> u32 {
        count_networked_domains(self.domains, self.standby)
    }

    /// HB domains that stand by and that no network joins.
    pub(crate) fn standby_domains_without_ports(&self) -> u64 {
        self.domains_to_buy() - u64::from(self.networked_domains())
    }

    /// Interfaces of the network.
    pub(crate) fn endpoints(&self) -> u64 {
        u64::from(self.networked_domains()) * u64::from(self.machine.node.nics)
    }
}

/// The fastest run of some on a fabric of a level, by place, and its pace; of equal ones the first.
fn fastest_run(runs: &[JobRun<'_>], level: Level) -> (usize, Seconds) {
    let mut best = (0, Seconds::ENDLESS);
    for (place, run) in runs.iter().enumerate() {
        // No network makes a step shorter.
        if run.full >= best.1 {
            continue;
        }
        let pace = run.effective_step_time(level);
        if pace < best.1 {
            best = (place, pace);
        }
    }
    best
}

/// The HB-domain product and interface of a design.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeChoice {
    pub gpus: u32,
    /// Those of them that train; the others are bought and stay idle.
    pub training: u64,
    pub node: Node,
    /// Products that train: HB domains M.
    pub domains: u32,
    /// HB domains that the network joins: those, and those that stand by with ports of their own.
    pub cabled: u32,
    /// GPUs of a domain that hold ranks; the others are idle.
    pub used: u32,
    pub nic: Nic,
    /// Separate copies of the fabric.
    pub planes: u32,
}

impl NodeChoice {
    /// What a job runs on, with so many planes.
    pub(crate) fn from_job(job: &Job<'_>, planes: u32) -> Self {
        Self {
            gpus: job.scenario.cluster.gpus,
            training: job.lead_run().layout().gpus(),
            node: job.machine.node.clone(),
            domains: job.domains,
            cabled: job.networked_domains(),
            used: job.lead_run().placement().used_gpus_per_domain(),
            nic: job.machine.nic.clone(),
            planes,
        }
    }

    /// True where GPUs of the cluster train nothing.
    #[must_use]
    pub fn idles_some(&self) -> bool {
        self.training < u64::from(self.gpus)
    }

    /// True where every domain has GPUs that hold no rank, as the layout's groups do not divide it.
    #[must_use]
    pub const fn has_idle_gpus(&self) -> bool {
        self.used < self.node.gpus && self.domains > 1
    }
}

//! A layout on a machine: its step, its memory, and what a step takes on any fabric.

use super::infeasible::Infeasible;
use super::layouts::layouts;
use super::machine::{Level, Machine};
use crate::collective::{Policy, volumes};
use crate::memory::{Memory, ledger};
use crate::parallel::{Layout, Placed, Placement};
use crate::scenario::Scenario;
use crate::step::Step;
use crate::timing::{StepTime, step_time};
use crate::units::Seconds;

/// A job that fits a machine.
#[derive(Clone, Debug)]
pub(super) struct Job<'a> {
    /// Unlike that of every other job of the scenario.
    pub(super) id: usize,
    pub(super) scenario: &'a Scenario,
    pub(super) machine: Machine<'a>,
    pub(super) step: Step,
    pub(super) memory: Memory,
    /// HB domains M of the cluster.
    pub(super) domains: u32,
    /// Least bandwidth across rails over that of the NICs (σ) that a fabric needs: nothing where
    /// the HB domain forwards messages to the right rail.
    pub(super) least_across: f64,
    /// Time of a step on a full-bisection Clos.
    pub(super) full: Seconds,
    /// The same of the fastest rank order: what slowdown is measured against.
    pub(super) reference: Seconds,
}

impl Job<'_> {
    /// Time of a step on a fabric of that level.
    pub(super) fn time(&self, level: Level) -> StepTime {
        let network = self.machine.network(level);
        step_time(&self.step, &self.machine.node.gpu, &network, &self.scenario.workload.framework)
    }

    /// The largest share of off-rail bytes in what a communication sends to other domains, where
    /// nothing forwards them: the spine has to carry it at the rate of the NICs.
    fn off_rail_share(&self) -> f64 {
        if self.machine.node.forwards {
            return 0.0;
        }
        let placed = Placed::new(&self.step.grid, self.placement());
        let policy = Policy::default();
        let share = |(of, stage)| {
            let volumes = volumes(of, stage, &placed, &policy);
            let across = volumes.across.as_f64();
            if across > 0.0 { volumes.off_rail.as_f64() / across } else { 0.0 }
        };
        let stages = 0..self.step.stages.len();
        let calls = self.step.communications.iter();
        calls
            .flat_map(|of| stages.clone().map(move |stage| (of, stage)))
            .map(share)
            .fold(0.0, f64::max)
    }

    /// Layout of the job.
    pub(super) const fn layout(&self) -> &Layout {
        &self.step.layout
    }

    /// Ranks on the GPUs of domains.
    pub(super) fn placement(&self) -> Placement {
        placement(&self.step, self.machine)
    }

    /// Interfaces of the cluster.
    pub(super) fn endpoints(&self) -> u64 {
        u64::from(self.domains) * u64::from(self.machine.node.nics)
    }
}

/// What a layout that needs more memory than a GPU has means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overflow {
    /// No job: who buys for it, buys in vain.
    Refused,
    /// A job, and the report says what is missing: the ledger counts what the framework states,
    /// and a team that measures the layout knows better.
    Reported,
}

/// The jobs worth designing for on a machine: the layout that is requested, or the fastest one
/// that fits, in every rank order that is open and stays within the slowdown that the scenario
/// allows.
///
/// # Errors
/// Why no layout fits.
pub(super) fn jobs<'a>(
    scenario: &'a Scenario,
    machine: Machine<'a>,
    overflow: Overflow,
) -> Result<Vec<Job<'a>>, Infeasible> {
    let fitting = fitting(scenario, machine, overflow)?;
    let fastest = fitting.iter().map(|job| job.full).fold(Seconds::of(f64::MAX), Seconds::min);
    let slowest = fastest * scenario.objective.max_slowdown.max(1.0);
    Ok(fitting
        .into_iter()
        .filter(|job| job.full <= slowest)
        .map(|job| Job { reference: fastest, ..job })
        .collect())
}

/// The layouts that fit the memory of a GPU, or need not.
fn fitting<'a>(
    scenario: &'a Scenario,
    machine: Machine<'a>,
    overflow: Overflow,
) -> Result<Vec<Job<'a>>, Infeasible> {
    let gpus = scenario.cluster.gpus;
    let has = machine.node.gpu.memory;
    let mut jobs = Vec::new();
    let mut failed: Option<Infeasible> = None;
    for layout in layouts(scenario, machine)? {
        if layout.gpus() > u64::from(gpus) {
            let needs = layout.gpus();
            failed = Some(Infeasible::further(failed, Infeasible::Gpus { needs, has: gpus }));
            continue;
        }
        let (model, training, framework) =
            (&scenario.workload.model, &scenario.workload.training, &scenario.workload.framework);
        let step = Step::new(model, training, framework, &layout).map_err(Infeasible::Layout)?;
        let memory = ledger(model, training, framework, &step);
        let needs = memory.total();
        if needs > has && overflow == Overflow::Refused {
            let node = machine.node.name.clone();
            let reason = Infeasible::Memory { node, needs, has, fits: None };
            failed = Some(Infeasible::further(failed, reason));
            continue;
        }
        let placed = placement(&step, machine).domains(step.grid.ranks());
        let domains = gpus.div_ceil(machine.node.gpus.max(1)).max(placed);
        let mut job = Job {
            id: 0,
            scenario,
            machine,
            step,
            memory,
            domains,
            least_across: 0.0,
            full: Seconds::ZERO,
            reference: Seconds::ZERO,
        };
        job.full = job.time(Level::FULL).total();
        job.least_across = job.off_rail_share();
        jobs.push(job);
    }
    match failed {
        Some(failed) if jobs.is_empty() => Err(failed),
        _ => Ok(jobs),
    }
}

fn placement(step: &Step, machine: Machine<'_>) -> Placement {
    Placement::aligned(&step.grid, machine.node.gpus, machine.node.nics)
}

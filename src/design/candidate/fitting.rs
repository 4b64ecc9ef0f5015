//! The runs of a workload that fit a machine: its layouts, each on every number of GPUs of a domain that may be
//! best. Times no network.

use super::infeasible::Infeasible;
use super::layouts::{LayoutFilter, layout_that_fits, layouts_to_design_for};
use super::machine::Machine;
use super::run::JobRun;
use super::sparing::sparing_seats;
use crate::parallel::Seats;
use crate::scenario::{Scenario, Workload};
use crate::search::NoLayout;
use crate::timing::StepTime;
use crate::units::Seconds;

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
    (overflow, open): (Overflow, LayoutFilter<'_>),
) -> Result<Vec<JobRun<'a>>, Infeasible> {
    let read = |open| runs_that_fit_memory(scenario, workload, machine, (overflow, open));
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
    (overflow, open): (Overflow, LayoutFilter<'_>),
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
        if needs > has && overflow == Overflow::Refused {
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

//! The runs of a workload that fit a machine: its layouts, each on every number of GPUs of a domain that may be
//! best. Times no network.

use super::infeasible::Infeasible;
use super::layouts::{Open, layout_that_fits, layouts};
use super::machine::Machine;
use super::run::Run;
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
pub(super) fn runs<'a>(
    scenario: &Scenario,
    workload: &'a Workload,
    machine: Machine<'a>,
    (overflow, open): (Overflow, Open<'_>),
) -> Result<Vec<Run<'a>>, Infeasible> {
    let of = |open| fitting(scenario, workload, machine, (overflow, open));
    let of_fastest = || {
        of(Open::Fastest).map_err(|reason| match reason {
            Infeasible::Layout(NoLayout::Memory { node, needs, has, legal, .. }) => {
                let fits = layout_that_fits(scenario, workload, machine).map(Box::new);
                NoLayout::Memory { node, needs, has, legal, fits }.into()
            }
            other => other,
        })
    };
    let (fitting, known) = match open {
        Open::Fastest => (of_fastest()?, Seconds::ENDLESS),
        Open::Listed => {
            of_fastest()?; // it is among them, and where it does not run it is told why
            (of(open)?, Seconds::ENDLESS)
        }
        Open::Pinned(pinned) => (of(open)?, pinned.reference),
    };
    // One that is pinned may be faster on seats that are not cut evenly.
    let fastest = fitting.iter().map(|run| run.full).fold(known, Seconds::min);
    let slowdown = workload.limits.slowdown(&scenario.objective);
    let slowest = fastest * slowdown.max(1.0);
    Ok(fitting
        .into_iter()
        .filter(|run| run.full <= slowest)
        .map(|run| Run { reference: fastest, ..run })
        .collect())
}

/// The layouts that fit the memory of a GPU, or need not: each on the GPUs of a domain that its
/// borders cut evenly, and on all of them where those are more.
fn fitting<'a>(
    scenario: &Scenario,
    workload: &'a Workload,
    machine: Machine<'a>,
    (overflow, open): (Overflow, Open<'_>),
) -> Result<Vec<Run<'a>>, Infeasible> {
    let gpus = scenario.cluster.gpus;
    let has = machine.node.gpu.memory;
    let mut runs = Vec::new();
    let mut failed: Option<Infeasible> = None;
    let (layouts, is_sought) = layouts(scenario, workload, machine, open)?;
    for layout in layouts {
        if layout.gpus() > u64::from(gpus) {
            let reason = NoLayout::Gpus { needs: layout.gpus(), has: gpus };
            failed = Some(Infeasible::further(failed, reason.into()));
            continue;
        }
        let run = match Run::new(workload, machine, &layout, Seats::Even) {
            Ok(run) => run,
            Err(problems) => {
                let reason = NoLayout::Illegal { gpus: layout.gpus(), problems };
                failed = Some(Infeasible::further(failed, reason.into()));
                continue;
            }
        };
        let needs = run.memory.total();
        if needs > has && overflow == Overflow::Refused {
            let node = machine.node.name.clone();
            let reason = NoLayout::Memory { node, needs, has, legal: 1, fits: None };
            failed = Some(Infeasible::further(failed, reason.into()));
            continue;
        }
        if run.full > StepTime::LONGEST {
            let reason = NoLayout::Endless { node: machine.node.name.clone() };
            failed = Some(Infeasible::further(failed, reason.into()));
            continue;
        }
        if let Some(reason) = run.beyond_host() {
            failed = Some(Infeasible::further(failed, reason));
            continue;
        }
        let packed = Run::new(workload, machine, &layout, Seats::Most);
        let packed = packed.ok().filter(|packed| packed.placement() != run.placement());
        let sparing = sparing_seats(scenario, &run).into_iter();
        let sparing = sparing.filter_map(|of| Run::new(workload, machine, &layout, of).ok());
        let sparing: Vec<Run<'a>> = sparing.collect();
        let all = std::iter::once(run).chain(packed).chain(sparing);
        runs.extend(all.map(|run| Run { is_sought, ..run }));
    }
    match failed {
        Some(failed) if runs.is_empty() => Err(failed),
        _ => Ok(runs),
    }
}

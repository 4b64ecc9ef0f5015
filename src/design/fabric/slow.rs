//! Why no fabric is fast enough, from what steps take on the fastest one.

use super::context::ColumnContext;
use crate::design::candidate::infeasible::Infeasible;
use crate::scenario::Workload;
use crate::units::Seconds;

/// What is too slow.
enum MissedLimit<'a> {
    Workload(&'a Workload),
    Scenario(&'a str),
}

/// Why steps as long as these are too slow: by the workload or scenario that misses its limit by most.
pub(super) fn too_slow_reason(context: &ColumnContext<'_>, paces: Vec<Seconds>) -> Infeasible {
    let limits = context.demand.each.iter().zip(&context.demand.names);
    let workloads =
        context.job.one_run_per_workload().map(|run| MissedLimit::Workload(&run.workload));
    let scenarios =
        context.job.scenarios.all.iter().map(|robust_run| MissedLimit::Scenario(&robust_run.name));
    let whole = context.job.phased_runs().map(|run| MissedLimit::Workload(&run.workload));
    let missed = workloads.chain(scenarios).chain(whole).zip(paces).zip(limits);
    let worst =
        missed.max_by(|((_, a), (x, _)), ((_, b), (y, _))| (*a / **x).total_cmp(&(*b / **y)));
    worst.map_or(Infeasible::Unknown, |((whose, best), (has, limit))| {
        let slow = Infeasible::Slow { limit, has: *has, best };
        match whose {
            MissedLimit::Workload(workload) => slow.for_workload(context.job.scenario, workload),
            MissedLimit::Scenario(name) => {
                Infeasible::Scenario { name: name.to_owned(), reason: Box::new(slow) }
            }
        }
    })
}

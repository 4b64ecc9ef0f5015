//! Why no fabric is fast enough, from what steps take on the fastest one.

use super::context::Context;
use crate::design::candidate::infeasible::Infeasible;
use crate::scenario::Workload;
use crate::units::Seconds;

/// What is too slow.
enum Missed<'a> {
    Workload(&'a Workload),
    Scenario(&'a str),
}

/// Why steps as long as these are too slow: by the workload or scenario that misses its limit by most.
pub(super) fn too_slow(context: &Context<'_>, paces: Vec<Seconds>) -> Infeasible {
    let limits = context.demand.each.iter().zip(&context.demand.names);
    let workloads = context.job.each().map(|run| Missed::Workload(&run.workload));
    let scenarios = context.job.scenarios.all.iter().map(|of| Missed::Scenario(&of.name));
    let whole = context.job.in_phases().map(|run| Missed::Workload(&run.workload));
    let missed = workloads.chain(scenarios).chain(whole).zip(paces).zip(limits);
    let worst =
        missed.max_by(|((_, a), (x, _)), ((_, b), (y, _))| (*a / **x).total_cmp(&(*b / **y)));
    worst.map_or(Infeasible::Unknown, |((whose, best), (has, limit))| {
        let slow = Infeasible::Slow { limit, has: *has, best };
        match whose {
            Missed::Workload(workload) => slow.of(context.job.scenario, workload),
            Missed::Scenario(name) => {
                Infeasible::Scenario { name: name.to_owned(), reason: Box::new(slow) }
            }
        }
    })
}

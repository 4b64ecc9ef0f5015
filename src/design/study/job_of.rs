//! From a plan back to the job that it was made for. Sizes nothing.

use crate::design::answer::plan::{Plan, StepReport};
use crate::design::answer::rounds::RoutingRound;
use crate::design::answer::verify::correct_clock_by_routing;
use crate::design::candidate::carried::RobustScenarios;
use crate::design::candidate::job::Job;
use crate::design::candidate::jobs::max_used_gpus;
use crate::design::candidate::machine::Machine;
use crate::design::candidate::run::JobRun;
use crate::parallel::{Layout, Seats};
use crate::scenario::{Scenario, Workload};
use crate::search::NoLayout;
use crate::timing::UplinkBalance;

/// The job that a plan was made for.
pub(super) fn job_of_plan<'a>(scenario: &'a Scenario, plan: &'a Plan) -> Result<Job<'a>, NoLayout> {
    let balance = UplinkBalance::from_cluster(&scenario.cluster);
    let machine = Machine { node: &plan.nodes.node, nic: &plan.nodes.nic, balance };
    let run = |workload: &'a Workload, layout: &Layout, step: &StepReport, used: u32| {
        let reference = step.pace * (1.0 / step.slowdown);
        let on = |seats| {
            JobRun::new(workload.for_product(machine.node), machine, layout, seats)
                .map(|run| JobRun { reference, least_across: 0.0, ..run })
                .map_err(|problems| NoLayout::Illegal { gpus: layout.gpus(), problems })
        };
        let even = on(Seats::Even)?;
        if even.placement().used_gpus_per_domain() == used {
            return Ok(even);
        }
        let most = on(Seats::Most)?;
        if most.placement().used_gpus_per_domain() == used {
            return Ok(most);
        }
        on(Seats::Sparing(machine.node.gpus.saturating_sub(used)))
    };
    let lead = run(&scenario.workload, &plan.layout, &plan.step, plan.nodes.used)?;
    let others = scenario.others.iter().zip(plan.workloads.iter().skip(1));
    let others = others
        .map(|(workload, plan)| Ok(vec![run(workload, &plan.layout, &plan.step, plan.used)?]))
        .collect::<Result<Vec<_>, NoLayout>>()?;
    let used = max_used_gpus(&lead, &others);
    let job = Job {
        id: 0,
        kin: 0,
        scenario,
        machine,
        domains: plan.nodes.domains,
        standby: plan.failures.year.standby,
        used,
        lead,
        others,
        scenarios: RobustScenarios::default(),
    };
    // The clock knows nothing of a fabric that is timed on its cables before it was routed.
    if let Some(blueprint) = plan.blueprint.as_ref().filter(|_| plan.level.member.is_some()) {
        correct_clock_by_routing(&job, plan.level, blueprint, RoutingRound::default());
    }
    Ok(job)
}

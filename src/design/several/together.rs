//! The plan of several clusters from the plans of each: one bill, one cost. Decides nothing.

use crate::cost::{Cost, OperatingTime, merge_bills, merge_stage_bills, range_of_sum, sum_bill};
use crate::design::answer::inputs::Inputs;
use crate::design::answer::once::dedup_in_order;
use crate::design::answer::plan::{
    ClusterPlans, IdleParts, PartPlan, Plan, SolverReport, StagePlan, StagesReport,
};
use crate::scenario::{Minimize, Scenario};
use crate::units::{Seconds, Usd};

/// The plan of all parts. Its own fields are those of the first workload's part; bill and cost are
/// of the whole.
pub(super) fn plan_of_parts(scenario: &Scenario, plans: Vec<Plan>) -> Option<Plan> {
    let lead = plans.first()?.clone();
    let bill = merge_bills(plans.iter().map(|plan| &plan.bill[..]));
    let cost = sum_bill(&bill, &OperatingTime::from_step_time(scenario, Seconds::ZERO, 1.0));
    let warnings = dedup_in_order(plans.iter().flat_map(|plan| &plan.warnings));
    let assumptions = dedup_in_order(plans.iter().flat_map(|plan| &plan.assumptions));
    let racks =
        plans.iter().map(|plan| plan.racks).reduce(|a, b| Some(a?.add_racks(&b?))).flatten();
    let fixed = dedup_in_order(plans.iter().flat_map(|plan| &plan.solver.fixed));
    let chosen_first = dedup_in_order(plans.iter().flat_map(|plan| &plan.solver.chosen_first));
    let solver = SolverReport { fixed, chosen_first, ..lead.solver.clone() };
    let names = scenario.workloads().map(|workload| workload.name.clone());
    let parts = names.zip(plans).map(|(name, plan)| PartPlan { name, plan }).collect();
    let together = ClusterPlans::Parts(parts);
    let (name, inputs) = (scenario.name.clone(), Inputs::from_scenario(scenario));
    Some(Plan { name, bill, cost, racks, solver, assumptions, warnings, inputs, together, ..lead })
}

/// The plan of all stages, each with what lies idle then. Its own fields are those of the last
/// stage; bill and cost are of the whole.
pub(super) fn plan_of_stages(
    scenario: &Scenario,
    plans: Vec<(Plan, Vec<IdleParts>)>,
) -> Option<Plan> {
    let last = plans.last()?.0.clone();
    let stages: Vec<StagePlan> = scenario
        .every_stage()
        .into_iter()
        .zip(plans)
        .map(|(stage, (plan, idle))| StagePlan { year: stage.year, price: stage.price, plan, idle })
        .collect();
    let plans = || stages.iter().map(|stage| &stage.plan);
    let present = |money: fn(&Cost) -> Usd| -> Usd {
        let each = stages.iter().map(|stage| (stage.year, money(&stage.plan.cost)));
        each.map(|(year, money)| money * scenario.objective.present_value(year)).sum()
    };
    let tco = present(|cost| cost.tco);
    let present_value = match scenario.objective.minimize {
        Minimize::Capex => present(|cost| cost.capex),
        Minimize::Tco | Minimize::UsdPerToken | Minimize::Power => tco,
    };
    let bill = merge_stage_bills(plans().map(|plan| &plan.bill[..]), &scenario.inventory);
    let all = sum_bill(&bill, &OperatingTime::from_step_time(scenario, Seconds::ZERO, 1.0));
    let assumptions = dedup_in_order(plans().flat_map(|plan| &plan.assumptions));
    let warnings = dedup_in_order(plans().flat_map(|plan| &plan.warnings));
    // Each stage at the prices of its day.
    let costs = || plans().map(|plan| &plan.cost);
    let cost = Cost {
        network_capex: all.network_capex,
        network_capex_range: range_of_sum(
            costs().map(|this_cost| (this_cost.network_capex, this_cost.network_capex_range)),
        ),
        capex: all.capex,
        capex_range: range_of_sum(
            costs().map(|this_cost| (this_cost.capex, this_cost.capex_range)),
        ),
        unpriced: all.unpriced,
        lead: all.lead,
        tco,
        years: scenario.objective.years,
        usd_per_million_tokens: None,
        run: None,
        ..last.cost
    };
    let fixed = dedup_in_order(plans().flat_map(|plan| &plan.solver.fixed));
    let chosen_first = dedup_in_order(plans().flat_map(|plan| &plan.solver.chosen_first));
    let solver = SolverReport { fixed, chosen_first, ..last.solver.clone() };
    let growth = StagesReport { present_value, one_by_one: None, at_once: None, stages };
    Some(Plan {
        name: scenario.name.clone(),
        cost,
        bill,
        solver,
        assumptions,
        warnings,
        inputs: Inputs::from_scenario(scenario),
        together: ClusterPlans::Stages(growth),
        ..last
    })
}

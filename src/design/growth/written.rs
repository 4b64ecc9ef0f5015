//! The plan of a cluster that grows: each stage with what is in hand by then, and all of them
//! together. Decides nothing.

use super::choice::Choice;
use super::hand::{Hand, as_asked};
use super::program::Joint;
use crate::cost::{Cost, Running, grown, total};
use crate::design::inputs::Inputs;
use crate::design::plan::{GrowthReport, Plan, SolverReport, StagePlan};
use crate::design::warnings::once;
use crate::scenario::{Scenario, Stage};
use crate::units::{Seconds, Usd};

/// Every stage as it is built, the earliest first.
pub(super) fn staged(
    scenario: &Scenario,
    stages: &[Stage],
    (choice, joint): (&Choice<'_, '_>, &Joint),
    solver: &SolverReport,
) -> Vec<StagePlan> {
    let mut hand = Hand::of(scenario);
    let each = stages.iter().zip(&choice.ready).zip(joint.built(choice));
    each.map(|((stage, ready), built)| {
        let plan = ready.plan(&hand.deal(&as_asked(stage)), &built, solver);
        let idle = hand.idle(&plan.bill);
        hand.keep(&plan.bill);
        StagePlan { year: stage.year, price: stage.price, plan, idle }
    })
    .collect()
}

/// The plan of all stages.
pub(super) fn written(scenario: &Scenario, report: GrowthReport, plan: Plan) -> Plan {
    let plans = || report.stages.iter().map(|stage| &stage.plan);
    let bill = grown(plans().map(|plan| &plan.bill[..]), &scenario.inventory);
    let all = total(&bill, &Running::of(scenario, Seconds::ZERO));
    let present = |stage: &StagePlan| stage.plan.cost.tco * scenario.objective.present(stage.year);
    let tco: Usd = report.stages.iter().map(present).sum();
    Plan {
        name: scenario.name.clone(),
        cost: Cost {
            network_capex: all.network_capex,
            network_capex_range: all.network_capex_range,
            capex: all.capex,
            capex_range: all.capex_range,
            unpriced: all.unpriced,
            tco,
            usd_per_million_tokens: None,
            ..plan.cost
        },
        bill,
        assumptions: once(plans().flat_map(|plan| &plan.assumptions)),
        warnings: once(plans().flat_map(|plan| &plan.warnings)),
        inputs: Inputs::of(scenario),
        growth: Some(report),
        ..plan
    }
}

//! What a design saves against what it is held against, in a sentence of its summary.

use super::super::number;
use super::compare::relative_length_text;
use crate::design::{Alternative, AlternativeKind, AlternativeStanding, Plan, StagesReport};
use crate::fabric::FabricKind;
use crate::units::Usd;

/// What it saves against a full-bisection Clos of the same machines, or against stages that are
/// planned otherwise; nothing where nothing is held against it.
pub(super) fn savings_sentence(plan: &Plan) -> String {
    if let Some(growth) = plan.stages_report() {
        return savings_of_stages(growth);
    }
    let is_clos = |alternative: &&Alternative| {
        alternative.differs == AlternativeKind::Family(FabricKind::Clos)
    };
    match plan.alternatives.iter().find(is_clos) {
        Some(clos) if clos.standing == AlternativeStanding::KeptOut => {
            format!("not counted against {}: {}", clos.name, clos.reason)
        }
        Some(clos) => {
            let less = |saved: Usd| match saved >= Usd::ZERO {
                true => format!("{} of network", number::money(saved)),
                false => format!("nothing, it costs {} more,", number::money(Usd::ZERO - saved)),
            };
            let change = clos.step_ratio - 1.0;
            format!(
                "{} against {}, whose step takes {}{}",
                less(clos.network_capex_change),
                clos.name,
                relative_length_text(change),
                change_in_fastest_layout(plan, change)
            )
        }
        None if plan.parts().is_empty() && is_full_clos(plan) => {
            "nothing against a full-bisection Clos of these machines: it is one".to_owned()
        }
        None => String::new(),
    }
}

/// How much shorter a step is on a Clos in the layout that is fastest there, where that is another one and tells;
/// `change` is that in the layout of the plan.
fn change_in_fastest_layout(plan: &Plan, change: f64) -> String {
    /// Shares of a step that are told.
    const TOLD: f64 = 1e-3;
    let fastest = 1.0 / plan.step.slowdown.max(1.0) - 1.0;
    let is_open = plan.solver.layouts.is_some();
    let is_one = plan.workloads.len() < 2 && plan.phases.is_empty();
    match is_open && is_one && fastest < change - TOLD {
        true => format!(" in this layout, {} in its fastest", relative_length_text(fastest)),
        false => String::new(),
    }
}

/// True where the design itself is what savings are counted against.
fn is_full_clos(plan: &Plan) -> bool {
    let fabric = &plan.fabric;
    let full = fabric.within_rail >= 1.0 && fabric.across_rails >= 1.0;
    fabric.kind == FabricKind::Clos && full
}

fn savings_of_stages(growth: &StagesReport) -> String {
    let against = |value: Option<Usd>, what: &str| {
        let more = value? - growth.present_value;
        Some(format!("{} against {what}", number::money_change(more)))
    };
    let all = [
        against(growth.one_by_one, "stages planned one by one"),
        against(growth.at_once, "all bought at the start"),
    ];
    let all: Vec<String> = all.into_iter().flatten().collect();
    if all.is_empty() { all.concat() } else { format!("{} in today's money", all.join(", ")) }
}

//! Explains racks, where the spec limits them: how many, and what the fullest draws. How much a rack
//! holds is `hardware`'s rule.

use super::explanation::{ExplainedInput, Explanation};
use super::facts::{Facts, explained_input, preset_origin};
use super::origin::InputOrigin;
use crate::cost::Role;
use crate::design::RackReport;
use crate::hardware::{RackSpace, Switch};
use crate::quantity::equation::RACKS;
use crate::units::Amount;

/// Adds what a figure of `racks` takes.
pub(super) fn explain_racks(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let Some(report) = &facts.plan.racks else { return explanation };
    let stated =
        |name, key, value: &Amount| explained_input(name, value.clone(), InputOrigin::Spec(key));
    match explanation.key.as_ref() {
        "racks.nodes" => explain_machine_racks(facts, explanation, report),
        "racks.switches" => {
            explanation.with_inputs(rack_inputs(report)).with_inputs(switch_models_inputs(facts))
        }
        "racks.others" => explanation.with_inputs(rack_inputs(report)),
        "racks.least" => {
            let others = Amount::from_count(report.others);
            let others = explained_input(
                "racks of the other networks",
                others,
                InputOrigin::Found("placed in the hall, docs/halls.md"),
            );
            explanation
                .with_inputs(rack_inputs(report))
                .with_inputs(machine_room_inputs(facts))
                .with_inputs(switch_models_inputs(facts))
                .with_inputs([others])
        }
        "racks.limit" => {
            let most = stated("racks", "limits.racks", &explanation.result);
            explanation.with_inputs([most])
        }
        "racks.fullest_w" => explanation
            .with_inputs(rack_inputs(report))
            .with_inputs(machine_room_inputs(facts))
            .with_inputs(switch_models_inputs(facts)),
        "racks.rack_power_w" => {
            let power = stated("power of a rack", key_of_power(report), &explanation.result);
            explanation.with_inputs([power])
        }
        _ => explanation,
    }
}

fn explain_machine_racks(
    facts: &Facts<'_>,
    explanation: Explanation,
    report: &RackReport,
) -> Explanation {
    let explanation = match facts.plan.nodes.node.space {
        Some(RackSpace::Racks(_)) => explanation.with_formula("M · racks of a machine", &[RACKS]),
        _ => explanation,
    };
    explanation.with_inputs(rack_inputs(report)).with_inputs(machine_room_inputs(facts))
}

/// The key that says how much power a rack has.
fn key_of_power(report: &RackReport) -> &'static str {
    match report.rack.power {
        Some(limit) if report.rack.fed.is_none_or(|fed| limit <= fed) => "limits.rack_power",
        _ => "hall.rack_power",
    }
}

/// What a rack offers.
fn rack_inputs(report: &RackReport) -> Vec<ExplainedInput> {
    let units = Amount::from_count(report.rack.units);
    let power = report.rack.most_power().map(|power| {
        explained_input(
            "power of a rack",
            Amount::Power(power),
            InputOrigin::Spec(key_of_power(report)),
        )
    });
    let mut all =
        vec![explained_input("units of a rack", units, InputOrigin::Spec("limits.rack_units"))];
    all.extend(power);
    let hall = |name, most: Option<u32>, key| {
        most.map(|most| explained_input(name, Amount::from_count(most), InputOrigin::Spec(key)))
    };
    all.extend(hall("most machines of a rack", report.rack.machines, "hall.machines_per_rack"));
    all.extend(hall("most switches of a rack", report.rack.switches, "hall.switches_per_rack"));
    all
}

/// The machines and the room that one takes.
fn machine_room_inputs(facts: &Facts<'_>) -> Vec<ExplainedInput> {
    let node = &facts.plan.nodes.node;
    let space = node.space.map(|space| match space {
        RackSpace::Units(units) => {
            facts.node_entry("units of a machine", "rack_units", Amount::from_count(units))
        }
        RackSpace::Racks(racks) => {
            facts.node_entry("racks of a machine", "racks", Amount::from_count(racks))
        }
    });
    let mut all = vec![facts.domain_count(), facts.standby_domains()];
    all.extend(space);
    all.push(facts.node_entry("power of a machine", "power", Amount::Power(node.power)));
    all
}

/// The models of switch in use, and the room that one of each takes.
fn switch_models_inputs(facts: &Facts<'_>) -> Vec<ExplainedInput> {
    let fabric = &facts.plan.fabric;
    let catalogue = &facts.scenario.catalogue;
    let mut all = Vec::new();
    for switch in &catalogue.switches {
        let count = fabric.switches_of(&switch.name);
        if count > 0 {
            all.extend(switch_room_inputs(facts, switch, count));
        }
    }
    let cabled = facts.plan.bill.iter().any(|line| line.role == Role::Cable);
    let modules = facts.plan.bill.iter().filter(|line| line.role == Role::Optic);
    all.extend(modules.map(|bill_line| {
        let power = Amount::Power(bill_line.power);
        let name = if cabled {
            format!("power of {}", bill_line.part)
        } else {
            "power of a transceiver".to_owned()
        };
        explained_input(name, power, preset_origin("optic", &bill_line.part, "power"))
    }));
    all
}

fn switch_room_inputs(facts: &Facts<'_>, switch: &Switch, count: u64) -> [ExplainedInput; 4] {
    let Switch { name, .. } = switch;
    let units = Amount::from_count(switch.rack_units.unwrap_or(0));
    let ports = Amount::from_count(switch.radix(facts.plan.fabric.link));
    let sheet = |entry| preset_origin("switch", name, entry);
    [
        explained_input(
            format!("switches {name}"),
            Amount::from_count(count),
            InputOrigin::Found("chosen by the integer program, docs/formulation.md"),
        ),
        explained_input(format!("units of {name}"), units, sheet("rack_units")),
        explained_input(format!("power of {name}"), Amount::Power(switch.power), sheet("power")),
        explained_input(
            format!("ports of {name}"),
            ports,
            InputOrigin::Found("split to the rate of a link"),
        ),
    ]
}

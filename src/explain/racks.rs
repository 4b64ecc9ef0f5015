//! Explains racks, where the spec limits them: how many, and what the fullest draws. How much a rack
//! holds is `hardware`'s rule.

use super::equation::RACKS;
use super::facts::{Facts, input, preset};
use super::{Amount, Explanation, Input, Origin};
use crate::design::RackReport;
use crate::hardware::{Space, Switch};

pub(super) fn explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    let Some(of) = &facts.plan.racks else { return Vec::new() };
    let mut all = vec![machines(facts, of), switches(facts, of)];
    all.extend(limit(of));
    all.push(fullest(facts, of));
    all.extend(fed(of));
    all
}

fn machines(facts: &Facts<'_>, of: &RackReport) -> Explanation {
    let formula = match facts.plan.nodes.node.space {
        Some(Space::Racks(_)) => "M · racks of a machine",
        _ => {
            "⌈M / min(⌊units of a rack / units of a machine⌋, ⌊power of a rack / power of a \
             machine⌋)⌉"
        }
    };
    let result = Amount::count(of.nodes);
    Explanation::new("racks.nodes", "racks of machines", result, formula, &[RACKS])
        .from(rack(of))
        .from(machine(facts))
}

fn switches(facts: &Facts<'_>, of: &RackReport) -> Explanation {
    Explanation::new(
        "racks.switches",
        "racks of switches; a rack holds one model",
        Amount::count(of.switches),
        "Σ over models: ⌈switches / min(⌊units of a rack / units of one⌋, ⌊power of a rack / power \
         of one with all ports lit⌋)⌉",
        &[RACKS],
    )
    .from(rack(of))
    .from(models(facts))
}

fn fullest(facts: &Facts<'_>, of: &RackReport) -> Explanation {
    Explanation::new(
        "racks.fullest_w",
        "power of the rack that draws most",
        Amount::Power(of.fullest),
        "the largest over machines and models of switch: as many as there are and a rack holds · \
         power of one, all ports of a switch lit",
        &[RACKS],
    )
    .from(rack(of))
    .from(machine(facts))
    .from(models(facts))
}

fn limit(of: &RackReport) -> Option<Explanation> {
    let most = Amount::count(of.most?);
    let explanation = Explanation::new(
        "racks.limit",
        "racks that there are for machines and switches",
        most.clone(),
        "as the spec says",
        &[RACKS],
    );
    Some(explanation.from([input("racks", most, Origin::Spec("limits.racks"))]))
}

fn fed(of: &RackReport) -> Option<Explanation> {
    let power = Amount::Power(of.rack.power?);
    let explanation = Explanation::new(
        "racks.rack_power_w",
        "power that one rack can feed and cool",
        power.clone(),
        "as the spec says",
        &[RACKS],
    );
    Some(explanation.from([input("power of a rack", power, Origin::Spec("limits.rack_power"))]))
}

/// What a rack offers.
fn rack(of: &RackReport) -> Vec<Input> {
    let units = Amount::count(of.rack.units);
    let power = of.rack.power.map(|power| {
        input("power of a rack", Amount::Power(power), Origin::Spec("limits.rack_power"))
    });
    let mut all = vec![input("units of a rack", units, Origin::Spec("limits.rack_units"))];
    all.extend(power);
    all
}

/// The machines and the room that one takes.
fn machine(facts: &Facts<'_>) -> Vec<Input> {
    let node = &facts.plan.nodes.node;
    let space = node.space.map(|space| match space {
        Space::Units(units) => facts.node("units of a machine", "rack_units", Amount::count(units)),
        Space::Racks(racks) => facts.node("racks of a machine", "racks", Amount::count(racks)),
    });
    let mut all = vec![facts.domains()];
    all.extend(space);
    all.push(facts.node("power of a machine", "power", Amount::Power(node.power)));
    all
}

/// The models of switch in use, and the room that one of each takes.
fn models(facts: &Facts<'_>) -> Vec<Input> {
    let fabric = &facts.plan.fabric;
    let catalogue = &facts.scenario.catalogue;
    let mut all = Vec::new();
    for switch in &catalogue.switches {
        let count = fabric.switches_of(&switch.name);
        if count > 0 {
            all.extend(room(facts, switch, count));
        }
    }
    let end = catalogue.optic(fabric.link).map(|optic| {
        let power = Amount::Power(optic.power);
        input("power of a transceiver", power, preset("optic", &optic.name, "power"))
    });
    all.extend(end);
    all
}

fn room(facts: &Facts<'_>, switch: &Switch, count: u64) -> [Input; 4] {
    let Switch { name, .. } = switch;
    let units = Amount::count(switch.rack_units.unwrap_or(0));
    let ports = Amount::count(switch.radix(facts.plan.fabric.link));
    let sheet = |entry| preset("switch", name, entry);
    [
        input(
            format!("switches {name}"),
            Amount::count(count),
            Origin::Found("chosen by the integer program, docs/formulation.md"),
        ),
        input(format!("units of {name}"), units, sheet("rack_units")),
        input(format!("power of {name}"), Amount::Power(switch.power), sheet("power")),
        input(format!("ports of {name}"), ports, Origin::Found("split to the rate of a link")),
    ]
}

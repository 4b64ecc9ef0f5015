//! How the size of the model, its layout, the cluster and its racks came about.

use super::explanation::{ExplainedInput, Explanation, InputOrigin};
use super::inputs::{Facts, explained_input, preset_origin, quantity_input};
use crate::cost::Role;
use crate::design::RackReport;
use crate::hardware::{RackSpace, Switch};
use crate::quantity::row::RACKS;
use crate::units::Amount;

/// Adds what a figure of `model` takes.
pub(super) fn explain_model(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let tables = embedding_tables_input(facts);
    match explanation.key.as_ref() {
        "model.parameters" => {
            explanation.with_inputs([layer_elements_input(facts, facts.plan.step.parameters.total)])
        }
        "model.active_parameters" => explanation
            .with_inputs([layer_elements_input(facts, facts.plan.step.parameters.active)]),
        _ => explanation,
    }
    .with_inputs([tables, facts.vocabulary(), facts.hidden_width()])
}

/// What stands in layers, of so many elements in all.
fn layer_elements_input(facts: &Facts<'_>, all: u128) -> ExplainedInput {
    let hidden = u128::from(facts.scenario.workload.model.hidden);
    let elements = Amount::from_count(all - facts.plan.step.parameters.embedding - hidden);
    explained_input(
        "elements of all layers",
        elements,
        InputOrigin::Found("attention, feed-forward, norms"),
    )
}

fn embedding_tables_input(facts: &Facts<'_>) -> ExplainedInput {
    let tables = if facts.scenario.workload.model.tied_embeddings { 1_u32 } else { 2 };
    facts.model_entry("tables", "tied_embeddings", Amount::from_count(tables))
}

/// Adds what a figure of `cluster` takes.
pub(super) fn explain_cluster_figure(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    match explanation.key.as_ref() {
        "cluster.gpus" => {
            let used = Amount::from_count(facts.plan.layout.gpus());
            let used =
                explained_input("GPUs of the layout", used, InputOrigin::Found("t · p · D_p · c"));
            explanation.with_inputs([facts.gpus(), used])
        }
        "cluster.hb_domain_size" => explanation.with_inputs([facts.domain_gpus()]),
        "cluster.hb_domains" => {
            let ranks = Amount::from_count(facts.plan.layout.gpus());
            let ranks = explained_input(
                "ranks of the layout",
                ranks,
                InputOrigin::Found("t · p · D_p · c"),
            );
            let used = Amount::from_count(facts.plan.nodes.used);
            let used = quantity_input("used GPUs of a domain", "cluster.used_per_domain", used);
            explanation.with_inputs([facts.gpus(), facts.domain_gpus(), ranks, used])
        }
        "cluster.used_per_domain" => explanation.with_inputs([facts.domain_gpus()]),
        "cluster.rails" => explanation.with_inputs([facts.domain_nics()]),
        "cluster.planes" => explanation.with_inputs([facts.planes()]),
        "cluster.hb_inside.switches" => explanation.with_inputs(switch_chips_input(facts)),
        "cluster.hb_inside.links" => explanation.with_inputs(hb_links_input(facts)),
        "cluster.hb_inside.all_switches" => {
            explanation.with_inputs([facts.domain_count()]).with_inputs(switch_chips_input(facts))
        }
        "cluster.hb_inside.all_links" => {
            explanation.with_inputs([facts.domain_count()]).with_inputs(hb_links_input(facts))
        }
        _ => explanation,
    }
}

fn switch_chips_input(facts: &Facts<'_>) -> Option<ExplainedInput> {
    let switches = facts.plan.nodes.node.hb_switches?;
    Some(facts.node_entry("switch chips of a domain", "hb_switches", Amount::from_count(switches)))
}

fn hb_links_input(facts: &Facts<'_>) -> Option<ExplainedInput> {
    let links = facts.plan.nodes.node.hb_links?;
    Some(facts.node_entry("links of a domain", "hb_links", Amount::from_count(links)))
}

/// Adds what a figure of `layout` takes.
pub(super) fn explain_layout_figure(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    match explanation.key.as_ref() {
        "layout.tensor" => explanation.with_inputs([facts.tensor()]),
        "layout.pipeline" => explanation.with_inputs([facts.pipeline()]),
        "layout.data" => explanation.with_inputs([
            facts.gpus(),
            facts.tensor(),
            facts.pipeline(),
            facts.context(),
        ]),
        "layout.gpus_training" => {
            let data = Amount::from_count(facts.plan.layout.data);
            let data = quantity_input("replicas", "layout.data", data);
            explanation.with_inputs([facts.tensor(), facts.pipeline(), data, facts.context()])
        }
        "layout.context" => explanation.with_inputs([facts.context()]),
        "layout.expert" => explanation.with_inputs([facts.expert()]),
        "layout.expert_tensor" => {
            let degree = Amount::from_count(facts.plan.layout.expert_tensor);
            let stated = InputOrigin::Spec("parallelism.expert_tensor");
            explanation.with_inputs([explained_input("tensor degree of experts", degree, stated)])
        }
        "layout.interleave" => explanation.with_inputs([facts.interleave()]),
        "layout.micro_batch" => explanation.with_inputs([facts.micro_batch()]),
        "layout.micro_batches" => {
            let replicas = Amount::from_count(facts.plan.layout.data);
            let replicas = quantity_input("replicas D_p", "layout.data", replicas);
            explanation.with_inputs([facts.global_batch_size(), replicas, facts.micro_batch()])
        }
        "layout.zero" => explanation.with_inputs([facts.zero()]),
        "layout.shard" => explanation.with_inputs([facts.zero(), facts.shard_replicas()]),
        _ => explanation,
    }
}

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

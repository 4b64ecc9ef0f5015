//! Inputs that rows of figures name together: those of each layer, model, call or phase, and those
//! whose name depends on the plan. They restate what lower floors computed.

use super::explanation::{ExplainedInput, InputOrigin};
use super::inputs::{Facts, explained_input, found_input, preset_origin, quantity_input};
use super::step_inputs::{call_inputs, host_stage, memory_held, parameter_inputs};
use crate::cost::{Role, electricity_price};
use crate::design::{RackReport, RoutingReport, WorkloadPlan};
use crate::fabric::{SwitchTier, TierName};
use crate::hardware::{Price, RackSpace, Switch};
use crate::memory::OVERHEAD;
use crate::parallel::Zero;
use crate::reliability::Failures;
use crate::step::TrafficKind;
use crate::units::Amount;
use crate::workload::Precision;

/// Reads the inputs of a name; none where the plan has none.
type ReadList = fn(&Facts<'_>) -> Vec<ExplainedInput>;

pub(super) const LISTS: &[(&str, ReadList)] = &[
    // Step.
    ("mean step time", |facts| Vec::from_iter(mean_step_time(facts))),
    ("steps of phases", phase_inputs),
    ("peak of a GPU", peak_input),
    ("visible share of tensor", |facts| {
        let stated = facts.framework.tensor_overlap_visible;
        let measured = facts.calibration.tensor_overlap_visible;
        visible_share(facts, "tensor_overlap_visible", stated, measured)
    }),
    ("visible share of data", |facts| {
        let measured = facts.calibration.data_overlap_visible;
        visible_share(facts, "data_overlap_visible", None, measured)
    }),
    ("visible share of context", |facts| {
        let stated = facts.framework.context_overlap_visible;
        let measured = facts.calibration.context_overlap_visible;
        visible_share(facts, "context_overlap_visible", stated, measured)
    }),
    ("visible share of expert", |facts| {
        let stated = facts.framework.expert_overlap_visible;
        let measured = facts.calibration.expert_overlap_visible;
        visible_share(facts, "expert_overlap_visible", stated, measured)
    }),
    // Memory and traffic.
    ("weights of the rank", |facts| sharded_parameters(facts, Zero::Parameters)),
    ("gradients of the rank", |facts| sharded_parameters(facts, Zero::Gradients)),
    ("states of the rank", |facts| sharded_parameters(facts, Zero::Optimizer)),
    ("states on the host", |facts| {
        let sharded = facts.plan.layout.zero >= Zero::Optimizer;
        parameter_inputs(facts, host_stage(facts), sharded)
    }),
    ("what overhead is made of", overhead_inputs),
    ("tensor calls", |facts| call_inputs(facts, TrafficKind::Tensor)),
    ("pipeline calls", |facts| call_inputs(facts, TrafficKind::Pipeline)),
    ("data calls", |facts| call_inputs(facts, TrafficKind::Data)),
    ("context calls", |facts| call_inputs(facts, TrafficKind::Context)),
    ("expert calls", |facts| call_inputs(facts, TrafficKind::Expert)),
    // Fabric.
    ("ports of a NIC", nic_port_inputs),
    ("ports of leaf switches", |facts| layer_ports(facts, TierName::Leaf)),
    ("ports of spines", |facts| layer_ports(facts, TierName::Spine)),
    ("ports of cores", |facts| layer_ports(facts, TierName::Core)),
    ("uplinks of leaf switches", |facts| uplink_inputs(facts, TierName::Leaf)),
    ("uplinks of spines", |facts| uplink_inputs(facts, TierName::Spine)),
    ("ports of every layer", port_inputs),
    ("most ports down of every layer", most_ports_down),
    ("routed calls", routed_call_inputs),
    // Racks.
    ("what a rack offers", rack_inputs),
    ("room of a machine", machine_room),
    ("models of switch", switch_models_inputs),
    ("power of a rack", |facts| {
        Vec::from_iter(facts.plan.racks.as_ref().and_then(rack_power_input))
    }),
    // Money and failures.
    ("price of a kWh", |facts| {
        let price = electricity_price(&facts.scenario.prices).into_iter();
        let input = |price: Price| {
            let amount = Amount::Money(price.amount);
            explained_input("price of a kWh", amount, InputOrigin::Priced(price))
        };
        price.map(input).collect()
    }),
    ("years of operation", years_input),
    ("tokens of the only workload", |facts| {
        let tokens = facts.figure_input("step.tokens", "tokens of a step");
        let inputs = tokens.into_iter().chain(mean_step_time(facts));
        inputs.filter(|_| facts.plan.workloads.is_empty()).collect()
    }),
    ("tokens of each workload", |facts| facts.plan.workloads.iter().map(workload_tokens).collect()),
    ("fill rate", fill_rate_input),
];

/// What the planner chose by its integer program.
pub(super) const CHOSEN: &str = "chosen by the integer program, docs/formulation.md";

/// The step time, or what phases make of it.
fn mean_step_time(facts: &Facts<'_>) -> Option<ExplainedInput> {
    if facts.plan.phases.is_empty() {
        facts.figure_input("step.time_s", "step time")
    } else {
        facts.figure_input("step.pace_s", "mean step time")
    }
}

fn phase_inputs(facts: &Facts<'_>) -> Vec<ExplainedInput> {
    if facts.plan.phases.is_empty() {
        return Vec::from_iter(facts.figure_input("step.time_s", "step time"));
    }
    let each = facts.plan.phases.iter().flat_map(|phase| {
        let share = format!("share of the steps of \"{}\"", phase.name);
        [
            found_input(share, Amount::Share(phase.share), "of its technique"),
            found_input("one of its steps", Amount::Time(phase.step), "timed like any step"),
        ]
    });
    each.collect()
}

/// Peak in the precision of the run, where the GPU has one.
fn peak_input(facts: &Facts<'_>) -> Vec<ExplainedInput> {
    let precision = facts.scenario.lead_workload().training.precision;
    let entry = match precision {
        Precision::Fp32 => "peak_fp32",
        Precision::Fp16 | Precision::Bf16 => "peak_bf16",
        Precision::Fp8 | Precision::Mxfp8 => "peak_fp8",
        Precision::Nvfp4 => "peak_fp4",
    };
    let peak = facts.gpu.peaks.peak_of_precision(precision).into_iter();
    let origin = || facts.entry_origin("gpu", entry);
    peak.map(|peak| explained_input("peak of a GPU", Amount::Rate(peak), origin())).collect()
}

/// The visible share of a kind of communication, as the stack states it or as it was measured.
fn visible_share(
    facts: &Facts<'_>,
    entry: &'static str,
    stated: Option<f64>,
    measured: f64,
) -> Vec<ExplainedInput> {
    let kind = if stated.is_some() { "framework" } else { "calibration" };
    let share = Amount::Share(stated.unwrap_or(measured));
    vec![explained_input("visible share v", share, facts.entry_origin(kind, entry))]
}

/// Parameters of a rank, sharded from that stage of ZeRO on.
fn sharded_parameters(facts: &Facts<'_>, sharded_from: Zero) -> Vec<ExplainedInput> {
    let sharded = facts.plan.layout.zero >= sharded_from;
    parameter_inputs(facts, facts.plan.memory.stage, sharded)
}

fn overhead_inputs(facts: &Facts<'_>) -> Vec<ExplainedInput> {
    let (Some(step), Some((held, _))) = (facts.step, memory_held(facts, facts.plan.memory.stage))
    else {
        return Vec::new();
    };
    vec![
        explained_input(
            "framework and libraries",
            Amount::Number(OVERHEAD),
            InputOrigin::Assumed("0.3 GiB: within 1 % of measured totals"),
        ),
        found_input(
            "buffers of techniques",
            Amount::Number(step.upkeep.buffer),
            "docs/equations.md §10",
        ),
        found_input(
            "whole parameters at hand",
            Amount::Number(held.at_hand),
            "two layers of what ZeRO-3 shards or the host keeps",
        ),
    ]
}

/// Ports of a NIC: its planes, but where the family takes more.
fn nic_port_inputs(facts: &Facts<'_>) -> Vec<ExplainedInput> {
    let ports = facts.fabric.ports_of_a_nic();
    if ports == facts.fabric.planes {
        return Vec::from_iter(facts.figure_input("fabric.planes", "planes P"));
    }
    let found = "the family of fabric has so many";
    vec![found_input("ports of a NIC", Amount::from_count(ports), found)]
}

fn tiers_of_layer<'a>(
    facts: &Facts<'a>,
    name: TierName,
) -> impl Iterator<Item = &'a SwitchTier> + use<'a> {
    facts.fabric.tiers.iter().filter(move |tier| tier.name == name)
}

/// Ports of the switches of a layer, and how they are divided.
fn layer_ports(facts: &Facts<'_>, name: TierName) -> Vec<ExplainedInput> {
    let ports = |tier: &SwitchTier| {
        [("ports k", tier.radix), ("down", tier.down), ("up", tier.up)].map(|(what, count)| {
            let name = match tier.model.as_str() {
                "" => what.to_owned(),
                model => format!("{what} of {model}"),
            };
            found_input(name, Amount::from_count(count), CHOSEN)
        })
    };
    tiers_of_layer(facts, name).flat_map(ports).collect()
}

/// Switches of a layer and the uplinks that each uses.
fn uplink_inputs(facts: &Facts<'_>, name: TierName) -> Vec<ExplainedInput> {
    let uplinks = |tier: &SwitchTier| {
        [("switches", tier.count), ("down of", u64::from(tier.down)), ("up of", u64::from(tier.up))]
            .map(|(what, count)| {
                found_input(format!("{what} {}", tier.model), Amount::from_count(count), CHOSEN)
            })
    };
    tiers_of_layer(facts, name).flat_map(uplinks).collect()
}

/// Switches and ports of every layer.
fn port_inputs(facts: &Facts<'_>) -> Vec<ExplainedInput> {
    let ports = |tier: &SwitchTier| {
        [
            ("switches", tier.count, CHOSEN),
            ("ports of one", u64::from(tier.radix), CHOSEN),
            ("ports used", tier.ports_used, "counted on the wired fabric"),
        ]
        .map(|(what, count, words)| {
            let name = format!("{what} of {} {}", tier.name.name(), tier.model);
            found_input(name, Amount::from_count(count), words)
        })
    };
    facts.fabric.tiers.iter().flat_map(ports).collect()
}

fn most_ports_down(facts: &Facts<'_>) -> Vec<ExplainedInput> {
    let most = |name: TierName| {
        let ports = tiers_of_layer(facts, name).map(|tier| tier.down).max()?;
        let name = format!("ports down of a {}", name.name());
        Some(found_input(name, Amount::from_count(ports), CHOSEN))
    };
    TierName::ALL.into_iter().filter_map(most).collect()
}

/// The time of each call on its slowest link, and what the step time grants it.
fn routed_call_inputs(facts: &Facts<'_>) -> Vec<ExplainedInput> {
    let Some(RoutingReport::Routed(routed)) = &facts.plan.routing else { return Vec::new() };
    let calls = routed.calls.iter().enumerate();
    let times = calls.flat_map(|(place, call)| {
        [
            ("slowest link of call", "sprayed.time_s", call.sprayed.time),
            ("granted to call", "granted_s", call.granted),
        ]
        .map(|(what, key, time)| {
            let name = format!("{what} {place}: {}", call.label);
            quantity_input(&name, format!("routing.calls.{place}.{key}"), Amount::Time(time))
        })
    });
    times.collect()
}

fn rack_inputs(facts: &Facts<'_>) -> Vec<ExplainedInput> {
    let Some(report) = &facts.plan.racks else { return Vec::new() };
    let stated = |name, most: Option<u32>, key| {
        most.map(|most| explained_input(name, Amount::from_count(most), InputOrigin::Spec(key)))
    };
    let rack = &report.rack;
    [
        stated("units of a rack", Some(rack.units), "limits.rack_units"),
        rack_power_input(report),
        stated("most machines of a rack", rack.machines, "hall.machines_per_rack"),
        stated("most switches of a rack", rack.switches, "hall.switches_per_rack"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// How much power a rack has, by the key that says it.
fn rack_power_input(report: &RackReport) -> Option<ExplainedInput> {
    let key = match report.rack.power {
        Some(limit) if report.rack.fed.is_none_or(|fed| limit <= fed) => "limits.rack_power",
        _ => "hall.rack_power",
    };
    let power = Amount::Power(report.rack.most_power()?);
    Some(explained_input("power of a rack", power, InputOrigin::Spec(key)))
}

/// The units or racks that a machine takes.
fn machine_room(facts: &Facts<'_>) -> Vec<ExplainedInput> {
    let room = facts.node.space.map(|space| {
        let (name, entry, count) = match space {
            RackSpace::Units(units) => {
                ("units of a machine", "rack_units", Amount::from_count(units))
            }
            RackSpace::Racks(racks) => ("racks of a machine", "racks", Amount::from_count(racks)),
        };
        explained_input(name, count, facts.entry_origin("node", entry))
    });
    Vec::from_iter(room)
}

/// The models of switch in use, and the room that one of each takes.
fn switch_models_inputs(facts: &Facts<'_>) -> Vec<ExplainedInput> {
    let room = |switch: &Switch| {
        let Switch { name, .. } = switch;
        let count = facts.fabric.switches_of(name);
        let units = Amount::from_count(switch.rack_units.unwrap_or(0));
        let ports = Amount::from_count(switch.radix(facts.fabric.link));
        let sheet = |what: &str, value, entry| {
            let origin = preset_origin("switch", name, entry);
            explained_input(format!("{what} of {name}"), value, origin)
        };
        let inputs = [
            found_input(format!("switches {name}"), Amount::from_count(count), CHOSEN),
            sheet("units", units, "rack_units"),
            sheet("power", Amount::Power(switch.power), "power"),
            found_input(format!("ports of {name}"), ports, "split to the rate of a link"),
        ];
        (count > 0).then_some(inputs)
    };
    let models = facts.scenario.catalogue.switches.iter().filter_map(room).flatten();
    let cabled = facts.plan.bill.iter().any(|line| line.role == Role::Cable);
    let modules = facts.plan.bill.iter().filter(|line| line.role == Role::Optic);
    let modules = modules.map(|line| {
        let name = if cabled { line.part.as_str() } else { "a transceiver" };
        let origin = preset_origin("optic", &line.part, "power");
        explained_input(format!("power of {name}"), Amount::Power(line.power), origin)
    });
    models.chain(modules).collect()
}

fn years_input(facts: &Facts<'_>) -> Vec<ExplainedInput> {
    let objective = &facts.scenario.objective;
    let years = Amount::Number(objective.present_years());
    let (name, origin) = if objective.discount > 0.0 {
        ("years, at their value of today", InputOrigin::Spec("objective.years, objective.discount"))
    } else {
        ("years", InputOrigin::Spec("objective.years"))
    };
    vec![explained_input(name, years, origin)]
}

/// Tokens of a workload that shares the time with others.
fn workload_tokens(workload: &WorkloadPlan) -> ExplainedInput {
    let rate = workload.share * workload.step.tokens as f64 / workload.step.pace.get();
    let name = format!("tokens a second of {}", workload.name);
    found_input(name, Amount::Number(rate), "share of the time · tokens of a step / mean step time")
}

fn fill_rate_input(facts: &Facts<'_>) -> Vec<ExplainedInput> {
    let stated = &facts.scenario.failures;
    let (share, origin) = match (stated.standby, stated.fill_rate) {
        (None, Some(share)) => (share, InputOrigin::Spec("failures.fill_rate")),
        (None, None) if !facts.plan.prices_machines() => {
            (Failures::FILL_RATE, InputOrigin::Found("what counts where machines have no price"))
        }
        _ => return Vec::new(),
    };
    vec![explained_input("fill rate", Amount::Share(share), origin)]
}

//! What is particular to a plan about a figure: another formula by schedule, technique or machine,
//! and the summands of a sum over its layers, faults, kinds or parts. Inputs stand in the rows.

use super::cost::explain_cost;
use super::explanation::Explanation;
use super::inputs::Facts;
use crate::fabric::{SwitchTier, TierName};
use crate::hardware::RackSpace;
use crate::parallel::Schedule;
use crate::parallel::placement::Locality;
use crate::quantity::row::{
    ALONE, DEMO, Equation, FLEX_DEMO, INTERLEAVED, MESSAGE_DRIVEN, MESSAGES, OFFLOAD, ONE_F_ONE_B,
    OPTIMIZER, RACKS, STAGES, ZERO_BUBBLE,
};
use crate::reliability::FaultYear;
use crate::step::TrafficKind;
use crate::units::{Amount, Seconds};
use crate::workload::Technique;

type Formula = (&'static str, &'static [Equation]);

/// The explanation of a figure with its formula and its summands in this plan.
pub(super) fn adjust_explanation(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    match plan_formula(facts, &explanation.key) {
        Some((formula, equations)) => {
            add_summands(facts, explanation.with_formula(formula, equations))
        }
        None => add_summands(facts, explanation),
    }
}

/// The formula of a figure where this plan has another one than most.
fn plan_formula(facts: &Facts<'_>, key: &str) -> Option<Formula> {
    match key {
        "step.bubble_s" => Some(bubble_formula(facts)),
        "step.optimizer_s" => Some(optimizer_time_formula(facts)),
        "memory.optimizer_bytes" => optimizer_memory_formula(facts),
        "traffic.bytes_by_kind.data" => demo_traffic_formula(facts),
        "traffic.bytes_by_kind.pipeline" => pipeline_traffic_formula(facts),
        "racks.nodes" => match facts.node.space? {
            RackSpace::Racks(_) => Some(("M · racks of a machine", &[RACKS])),
            RackSpace::Units(_) => None,
        },
        _ => None,
    }
}

fn bubble_formula(facts: &Facts<'_>) -> Formula {
    match facts.plan.layout.schedule {
        _ if facts.plan.layout.pipeline < 2 => ("none: one stage", &[STAGES]),
        Schedule::ZeroBubble => ("(T_sum − T_max) · max(0, 1 − 2W/T_max)", &[ZERO_BUBBLE, STAGES]),
        Schedule::Independent => ("none: stages wait for nobody", &[ALONE, STAGES]),
        Schedule::InTurn => ("m · (T_sum − T_max)", &[ALONE, STAGES]),
        Schedule::MessageDriven => ("T_sum − T_max", &[MESSAGE_DRIVEN, STAGES]),
        _ if facts.plan.layout.interleave > 1 => {
            ("(T_sum − T_max) · share of the largest of v chunks", &[INTERLEAVED, STAGES])
        }
        Schedule::GPipe | Schedule::OneFOneB | Schedule::Interleaved => {
            ("T_sum − T_max", &[ONE_F_ONE_B, STAGES])
        }
    }
}

fn optimizer_time_formula(facts: &Facts<'_>) -> Formula {
    if facts.has_technique(Technique::Offload) {
        (
            "beyond the reduction of gradients, piece by piece beside it: update of the parameters \
             of the rank, and their states down and up the link to the host",
            &[OPTIMIZER, OFFLOAD],
        )
    } else if facts.has_technique(Technique::Demo) {
        (
            "bytes a parameter · parameters that the rank owns / reachable memory bandwidth + 12·s \
             FLOPs of a parameter's transforms",
            &[OPTIMIZER, DEMO],
        )
    } else if facts.plan.step.time.optimizer > Seconds::ZERO {
        ("bytes that it moves / (memory bandwidth · share of it)", &[OPTIMIZER])
    } else {
        ("none: the machine is ideal but for its matrix multiplications", &[OPTIMIZER])
    }
}

fn optimizer_memory_formula(facts: &Facts<'_>) -> Option<Formula> {
    if facts.has_technique(Technique::Offload) {
        Some(("none on the GPU but a bucket, which is overhead: the host keeps them", &[OFFLOAD]))
    } else if facts.has_technique(Technique::Demo) {
        Some(("bytes of states · (φ/n + φ_e/n_e): one momentum, not two moments", &[DEMO]))
    } else {
        None
    }
}

fn demo_traffic_formula(facts: &Facts<'_>) -> Option<Formula> {
    facts.has_technique(Technique::Demo).then_some((
        "Σ of what is listed: calls · D · times that a GPU sends D; D the rank's largest components, \
         indices and values; across domains only: full gradients inside, the rank's share across",
        &[DEMO, FLEX_DEMO],
    ))
}

fn pipeline_traffic_formula(facts: &Facts<'_>) -> Option<Formula> {
    if facts.has_technique(Technique::Sil) {
        Some((
            "Σ of what is listed: calls · D · times that a GPU sends D; none between stages, \
             activations once where they are handed over",
            &[ALONE],
        ))
    } else if facts.has_technique(Technique::NarrowPipeline) {
        Some((
            "Σ of what is listed: calls · D · times that a GPU sends D; one byte for an element \
             of a message",
            &[MESSAGES],
        ))
    } else {
        None
    }
}

/// Where a single domain is the whole cluster.
const SINGLE: &str = "1: a single HB domain needs no NIC";
/// Where machines forward nothing, so that a message to another rail takes a spine or stays.
const SPINE_ONLY: &str = "min(σ/φ, 1/q, 1): these machines forward nothing";

/// A figure that is a sum with its summands, which only a plan has.
fn add_summands(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    match explanation.key.as_ref() {
        "step.hardware_flop" => {
            let step = &facts.plan.step;
            explanation.sum([
                ("step.model_flop", Amount::Work(step.model_flops)),
                ("recomputation", Amount::Work(step.hardware_flops - step.model_flops)),
            ])
        }
        "traffic.bytes_by_kind.tensor" => sum_localities(facts, explanation, TrafficKind::Tensor),
        "traffic.bytes_by_kind.pipeline" => {
            sum_localities(facts, explanation, TrafficKind::Pipeline)
        }
        "traffic.bytes_by_kind.data" => sum_localities(facts, explanation, TrafficKind::Data),
        "traffic.bytes_by_kind.context" => sum_localities(facts, explanation, TrafficKind::Context),
        "traffic.bytes_by_kind.expert" => sum_localities(facts, explanation, TrafficKind::Expert),
        "traffic.bytes_by_locality.inside_domain" => {
            sum_kinds(facts, explanation, Locality::InsideDomain)
        }
        "traffic.bytes_by_locality.along_rail" => {
            sum_kinds(facts, explanation, Locality::AlongRail)
        }
        "traffic.bytes_by_locality.across_rails" => {
            sum_kinds(facts, explanation, Locality::AcrossRails)
        }
        "fabric.leafs" => sum_tiers(facts, explanation, TierName::Leaf),
        "fabric.spines" => sum_tiers(facts, explanation, TierName::Spine),
        "fabric.cores" => sum_tiers(facts, explanation, TierName::Core),
        "fabric.switches" => sum_layers(facts, explanation),
        "fabric.transceivers" => {
            let rates = facts.fabric.transceivers_by_rate().into_iter();
            explanation.sum(rates.map(|(rate, count)| {
                (format!("at {:.0}G", rate.as_gigabits()), Amount::from_count(count))
            }))
        }
        "all_to_all.stored_share" | "all_to_all.pipelined_share" => match &facts.plan.nodes {
            nodes if nodes.domains < 2 => explanation.replace_formula(SINGLE),
            nodes if !nodes.node.forwards => explanation.replace_formula(SPINE_ONLY),
            _ => explanation,
        },
        "failures.stops_per_year" => sum_stops(facts, explanation, |_| true),
        "failures.network_stops_per_year" => {
            sum_stops(facts, explanation, |year| year.fault.network)
        }
        "failures.network_days_lost_per_year" => {
            let faults = facts.year.faults.iter();
            let network = faults.filter(|year| year.fault.network);
            explanation
                .sum(network.map(|year| (year.fault.part.clone(), Amount::Days(year.days_lost()))))
        }
        _ => explain_cost(facts, explanation),
    }
}

fn sum_localities(facts: &Facts<'_>, explanation: Explanation, kind: TrafficKind) -> Explanation {
    let bytes = |locality| Amount::Volume(facts.plan.traffic.bytes_at(kind, locality));
    explanation.sum(Locality::ALL.map(|locality| (locality_text(locality), bytes(locality))))
}

fn sum_kinds(facts: &Facts<'_>, explanation: Explanation, locality: Locality) -> Explanation {
    let bytes = |kind| Amount::Volume(facts.plan.traffic.bytes_at(kind, locality));
    explanation.sum(TrafficKind::ALL.map(|kind| (kind.name(), bytes(kind))))
}

const fn locality_text(locality: Locality) -> &'static str {
    match locality {
        Locality::InsideDomain => "inside domains",
        Locality::AlongRail => "along rails",
        Locality::AcrossRails => "across rails",
    }
}

/// Switches of each model of a layer.
fn sum_tiers(facts: &Facts<'_>, explanation: Explanation, name: TierName) -> Explanation {
    let alike = facts.fabric.tiers.iter().enumerate().filter(|(_, tier)| tier.name == name);
    let count = |(place, tier): (usize, &SwitchTier)| {
        (format!("fabric.tiers.{place}.count"), Amount::from_count(tier.count))
    };
    explanation.sum(alike.map(count))
}

fn sum_layers(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let count = |name| facts.fabric.switches_in_tier(name);
    let layers =
        TierName::ALL.into_iter().filter(|name| count(*name) > 0 || *name == TierName::Leaf);
    explanation.sum(layers.map(|name| (layer_key(name), Amount::from_count(count(name)))))
}

const fn layer_key(name: TierName) -> &'static str {
    match name {
        TierName::Leaf => "fabric.leafs",
        TierName::Spine => "fabric.spines",
        TierName::Core => "fabric.cores",
        TierName::SuperCore => "super-cores",
    }
}

/// Stops a year by fault.
fn sum_stops(
    facts: &Facts<'_>,
    explanation: Explanation,
    counts: fn(&FaultYear) -> bool,
) -> Explanation {
    let faults = facts.year.faults.iter();
    let stopping = faults.filter(|year| year.has_restart() && counts(year));
    explanation.sum(
        stopping.map(|year| {
            (year.fault.part.clone(), Amount::Number(year.fault.rate_of_any().events()))
        }),
    )
}

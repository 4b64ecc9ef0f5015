//! Inputs that the planner finds on the way, one row each, called by their names. They restate what
//! lower floors computed.

use super::explanation::InputOrigin;
use super::inputs::{Facts, Input, RowOrigin, found_value, spec_key};
use super::step_inputs::{host_stage, memory_held};
use crate::fabric::TierName;
use crate::parallel::Placement;
use crate::quantity::row::{
    count_amount, memory_amount, number_amount, share_amount, time_amount, volume_amount,
    word_amount,
};
use crate::reliability::poisson_cdf;
use crate::step::ParameterUpkeep;
use crate::timing::{TokenWork, optimizer_bytes, work_of_a_token};
use crate::units::{Amount, Bytes, Seconds};
use crate::workload::Technique;

/// What a field of the facts holds.
macro_rules! found {
    ($name:literal, $words:expr, $amount:ident, $($field:tt)+) => {
        found_value($name, $words, |facts| $amount(facts.$($field)+))
    };
}

const DEGREES: &str = "t · p · D_p · c";
const ELEMENTS: &str = "attention, feed-forward, norms";
const MATRICES: &str = "counted on the model, docs/equations.md §1.4";
const SCORES: &str = "counted on the model, docs/equations.md §2.4";
const SCANS: &str = "counted on the model, docs/equations.md §2.7";
const PACES: &str = "one micro-batch without its messages";
const CHUNKS: &str = "layers of the slowest stage over v, rounded up, over its layers";
const MOVED: &str = "states, weights and gradients of the rank that holds most";
const QUANTILE: &str =
    "quantile of measured over predicted time, by constants that had not seen the source";
const KERNELS: &str = "counted on the kernels of all stages";
const CLOS: &str = "timed the same way, in the fastest layout, rank order and placement";
const UPKEEP: &str = "by number format, framework and techniques";
const KEPT: &str = "Σ over the stage's layers, docs/equations.md §5.2";
const RAILS: &str = "1 − Σ over rails: (GPUs on it / K)²; (K − 1)/K on rails of their own";
const UPLINKS: &str = "max(1, (M − m)/(M − 1)/ρ); 1 where a leaf's border does not matter";
const UNDER_A_LEAF: &str = "ports down of a leaf, where a rail has several leaf switches";
const ALONE: &str = "Σ N·λ·T of what takes one domain and leaves no other way";

pub(super) const FOUND: &[Input] = &[
    // Cluster, model and step.
    found!("GPUs of the layout", DEGREES, count_amount, plan.layout.gpus()),
    found_value("HB domains M", "GPUs over those of a domain, rounded up", |facts| {
        count_amount(facts.plan.nodes.domains)
    }),
    found_value("HB domains M with ports", "HB domains, and spare ones that have ports", |facts| {
        count_amount(facts.plan.nodes.cabled)
    }),
    found_value("elements of all layers", ELEMENTS, |facts| {
        elements_of_layers(facts, facts.plan.step.parameters.total)
    }),
    found_value("elements of active layers", ELEMENTS, |facts| {
        elements_of_layers(facts, facts.plan.step.parameters.active)
    }),
    found!("micro-batches m", "G over D_p and b", count_amount, plan.step.micro_batches),
    found_value("bytes of an activation w", "follows from the number format", |facts| {
        count_amount(facts.scenario.lead_workload().training.precision.activation_bytes())
    }),
    found_value(
        "Σ kernels of the slowest stage",
        "one micro-batch, timed kernel by kernel",
        |facts| {
            let step = &facts.plan.step;
            time_amount(step.time.compute / step.micro_batches.max(1) as f64)
        },
    ),
    found!("through all stages T_sum", PACES, time_amount, plan.step.time.paces.sum),
    found!("on the slowest stage T_max", PACES, time_amount, plan.step.time.paces.slowest),
    found!("its weight gradients W", PACES, time_amount, plan.step.time.paces.weight_gradient),
    found_value("share of the largest of v chunks", CHUNKS, |facts| {
        share_amount(facts.plan.step.time.paces.largest_chunk)
    }),
    Input {
        key: "link of offloaded states",
        name: "link to the host, one way",
        origin: RowOrigin::Varying(|facts| facts.entry_origin("node", "host_link")),
        read: |facts| {
            let offload = facts.has_technique(Technique::Offload);
            offload.then_some(Amount::Bandwidth(facts.gpu.host_link))
        },
    },
    found_value("bytes that it moves", MOVED, |facts| {
        let workload = facts.scenario.lead_workload().for_product(facts.node);
        let bytes = optimizer_bytes(&workload.framework, facts.step?);
        volume_amount(Bytes::new(bytes as u128))
    }),
    found_value("other parts of the step", "the step without it", |facts| {
        let time = &facts.plan.step.time;
        time_amount(Seconds::from_f64(time.total_time().get() - time.stragglers.get()))
    }),
    Input {
        key: "low end",
        ..found!("share of the interval's end", QUANTILE, number_amount, plan.step.interval.low)
    },
    Input {
        key: "high end",
        ..found!("share of the interval's end", QUANTILE, number_amount, plan.step.interval.high)
    },
    found_value("matrix elements that a token meets", MATRICES, |facts| {
        number_amount(token_work(facts).matrices)
    }),
    found_value("FLOPs of attention scores of a token, forward", SCORES, |facts| {
        number_amount(token_work(facts).scores)
    }),
    found_value("FLOPs of scans of a token, forward", SCANS, |facts| {
        number_amount(token_work(facts).scans).filter(|_| token_work(facts).scans > 0.0)
    }),
    found_value("recomputed FLOPs / FLOPs of the forward and backward kernels", KERNELS, |facts| {
        let step = &facts.plan.step;
        number_amount((step.hardware_flops - step.model_flops) / step.model_flops)
    }),
    found_value("least step time on a full-bisection Clos", CLOS, |facts| {
        clos_pace(facts).filter(|_| facts.plan.phases.is_empty())
    }),
    found_value("least mean step time on a full-bisection Clos", CLOS, |facts| {
        clos_pace(facts).filter(|_| !facts.plan.phases.is_empty())
    }),
    // Memory.
    found_value("bytes of a weight on the GPU", UPKEEP, |facts| {
        upkeep_amount(facts, |upkeep| upkeep.weight)
    }),
    found_value("bytes of states on the GPU", UPKEEP, |facts| {
        upkeep_amount(facts, |upkeep| upkeep.state)
    }),
    found_value("bytes of states on the host", UPKEEP, |facts| {
        upkeep_amount(facts, |upkeep| upkeep.host)
    }),
    found_value("bytes of weights there", UPKEEP, |facts| {
        upkeep_amount(facts, |upkeep| upkeep.streamed)
    }),
    found_value("micro-batches in flight", "by the schedule", |facts| {
        number_amount(memory_held(facts, facts.plan.memory.stage)?.1)
    }),
    found_value("micro-batches in flight there", "by the schedule", |facts| {
        number_amount(memory_held(facts, host_stage(facts))?.1)
    }),
    found_value("kept of each", KEPT, |facts| {
        number_amount(memory_held(facts, facts.plan.memory.stage)?.0.kept)
    }),
    found_value("transient", KEPT, |facts| {
        number_amount(memory_held(facts, facts.plan.memory.stage)?.0.transient)
    }),
    found_value("kept of each there", KEPT, |facts| {
        number_amount(memory_held(facts, host_stage(facts))?.0.offloaded)
    }),
    found_value("allocated", "weights to overhead together", |facts| {
        memory_amount(facts.plan.memory.allocated_bytes())
    }),
    // Fabric and racks.
    found!("links", "of all classes together", count_amount, fabric.link_count()),
    found!("copper links", "counted on the fabric", count_amount, fabric.copper_links()),
    found_value("ports down of all leaf switches", "Σ leaf switches · down", |facts| {
        let leafs = facts.fabric.tiers.iter().filter(|tier| tier.name == TierName::Leaf);
        count_amount(leafs.map(|tier| tier.count * u64::from(tier.down)).sum::<u64>())
    }),
    Input {
        key: "trees",
        name: "trees",
        origin: RowOrigin::Varying(|facts| {
            let one = facts.fabric.kind.joins_rails();
            InputOrigin::Found(if one { "the rails share one" } else { "one a rail" })
        }),
        read: |facts| {
            count_amount(if facts.fabric.kind.joins_rails() { 1 } else { facts.node.nics })
        },
    },
    found_value("of what leaves a domain, for other rails φ", RAILS, |facts| {
        let placement = Placement::with_packed_domains(facts.node.gpus, facts.node.nics);
        share_amount(placement.cross_rail_share())
    }),
    found!("HB domains under a leaf m", UNDER_A_LEAF, count_amount, fabric.leaf_domains?),
    found_value("slowdown by the uplinks of leaf switches q", UPLINKS, |facts| {
        number_amount(facts.plan.all_to_all.uplinks)
    }),
    found_value("racks of the other networks", "placed in the hall, docs/halls.md", |facts| {
        count_amount(facts.plan.racks.as_ref()?.others)
    }),
    // Money and failures.
    Input {
        key: "hours of a year",
        name: "hours of a year",
        origin: RowOrigin::Varying(|_| InputOrigin::Constant("365 days of 24 hours")),
        read: |_| number_amount(8760.0),
    },
    spec_key("failures.checkpoint_seconds", "checkpoint s", |facts| {
        time_amount(facts.scenario.failures.checkpoint_save_time())
    }),
    spec_key("failures.restart_minutes", "restart r", |facts| {
        time_amount(facts.scenario.failures.restart_time())
    }),
    spec_key("failures.swap_hours", "carrying cables h", |facts| {
        let by_hand = facts.year.standby.is_by_hand();
        by_hand.then_some(Amount::Time(facts.scenario.failures.cable_swap_time()))
    }),
    Input {
        key: "between checkpoints τ",
        name: "between checkpoints τ",
        origin: RowOrigin::Varying(|facts| match facts.scenario.failures.interval_minutes {
            Some(_) => InputOrigin::Spec("failures.interval_minutes"),
            None => InputOrigin::Found("loses least: √(2·s/Λ)"),
        }),
        read: |facts| time_amount(facts.year.interval),
    },
    Input {
        key: "spare machines",
        name: "spare machines S",
        origin: RowOrigin::Varying(standby_origin),
        read: |facts| count_amount(facts.year.standby.domains),
    },
    found!("domains broken m", "Σ N·λ·T·domains", number_amount, year.broken),
    found!("lost to checkpoints", "e^(−Λ·r) · s/(τ + s)", share_amount, year.saving),
    found!("lost to work done again", "the rest of what stops take", share_amount, year.rework),
    found!("lost to restarts", "1 − e^(−Λ·r)", share_amount, year.restarting),
    found_value(
        "speed lost until repairs Σ δ",
        "of what nothing replaces, while it runs",
        |facts| share_amount(facts.year.pace_lost()),
    ),
    found_value("lost to waiting for spares", "more are broken than are spare", |facts| {
        share_amount(facts.year.waiting)
    }),
    found!("broken alone m", ALONE, number_amount, year.alone),
    found_value("enough spares", "share of the time: P(Poisson(m) ≤ S)", |facts| {
        let year = facts.year;
        share_amount(poisson_cdf(year.standby.domains, year.alone))
    }),
    found_value("part", "its loss takes most until the repair", |facts| {
        let worst = facts.year.worst_fault();
        word_amount(worst.map_or("none".to_owned(), |worst| worst.fault.part.clone()))
    }),
];

/// What stands in layers, of so many elements in all.
fn elements_of_layers(facts: &Facts<'_>, all: u128) -> Option<Amount> {
    let hidden = u128::from(facts.model.hidden);
    count_amount(all - facts.plan.step.parameters.embedding - hidden)
}

fn token_work(facts: &Facts<'_>) -> TokenWork {
    work_of_a_token(facts.model, facts.framework)
}

fn clos_pace(facts: &Facts<'_>) -> Option<Amount> {
    let report = &facts.plan.step;
    let slowdown = if report.slowdown > 0.0 { report.slowdown } else { 1.0 };
    time_amount(report.pace / slowdown)
}

/// Bytes of a parameter, as the step keeps them.
fn upkeep_amount(facts: &Facts<'_>, bytes: fn(&ParameterUpkeep) -> f64) -> Option<Amount> {
    number_amount(bytes(&facts.step?.upkeep))
}

fn standby_origin(facts: &Facts<'_>) -> InputOrigin {
    let stated = &facts.scenario.failures;
    match (stated.standby, stated.fill_rate) {
        (Some(_), _) => InputOrigin::Spec("failures.standby"),
        (None, None) if facts.plan.prices_machines() => {
            InputOrigin::Found("as many as make tokens cheapest")
        }
        (None, _) => InputOrigin::Found("the fewest that suffice for the fill rate"),
    }
}

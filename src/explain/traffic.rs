//! Explains the traffic of a step: bytes by kind and by locality, pairs. The matrix itself is
//! built in `traffic`.

use super::equation::{
    ALONE, COLLECTIVES, CONTEXT, DATA, DEMO, EXPERT, Equation, FLEX_DEMO, HIERARCHICAL, MESSAGES,
    TENSOR, TIED,
};
use super::facts::{Facts, quantity};
use super::ledger::calls;
use super::{Amount, Explanation, Input};
use crate::step::TrafficKind;
use crate::traffic::Locality;
use crate::workload::Technique;

pub(super) fn explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    let mut all = vec![total(facts), pairs(facts), idle_pairs(facts), idle_share(facts)];
    all.extend(TrafficKind::ALL.map(|kind| of_kind(facts, kind)));
    all.extend(Locality::ALL.map(|locality| of_locality(facts, locality)));
    all.push(largest(facts));
    all
}

fn total(facts: &Facts<'_>) -> Explanation {
    let traffic = &facts.plan.traffic;
    Explanation::new(
        "traffic.total_bytes",
        "bytes that all GPUs send in one step",
        Amount::Volume(traffic.total),
        "sum over the kinds of parallelism",
        &[TENSOR, MESSAGES, DATA, EXPERT, CONTEXT],
    )
    .sum(TrafficKind::ALL.map(|kind| (kind_key(kind), Amount::Volume(traffic.kind(kind)))))
}

fn pairs(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "traffic.pairs",
        "ordered pairs of different GPUs",
        Amount::count(facts.plan.traffic.pairs),
        "N · (N − 1)",
        &[HIERARCHICAL],
    )
    .from([facts.gpus()])
}

fn idle_pairs(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "traffic.idle_pairs",
        "ordered pairs that say nothing to each other in a step",
        Amount::count(facts.plan.traffic.idle_pairs),
        "pairs − pairs that at least one communication of the step joins",
        &[HIERARCHICAL],
    )
    .from([all_pairs(facts)])
    .from(degrees(facts))
}

fn idle_share(facts: &Facts<'_>) -> Explanation {
    let idle = Amount::count(facts.plan.traffic.idle_pairs);
    Explanation::new(
        "traffic.idle_pair_share",
        "share of the pairs that say nothing to each other",
        Amount::Share(facts.plan.traffic.idle_share()),
        "idle pairs / pairs",
        &[HIERARCHICAL],
    )
    .from([quantity("idle pairs", "traffic.idle_pairs", idle), all_pairs(facts)])
}

fn of_kind(facts: &Facts<'_>, kind: TrafficKind) -> Explanation {
    let traffic = &facts.plan.traffic;
    let (meaning, formula, equations) = words(kind);
    let (formula, equations) = changed(facts, kind).unwrap_or((formula, equations));
    let parts =
        Locality::ALL.map(|locality| (place(locality), Amount::Volume(traffic.at(kind, locality))));
    let result = Amount::Volume(traffic.kind(kind));
    Explanation::new(kind_key(kind), meaning, result, formula, equations)
        .from(inputs(facts, kind))
        .sum(parts)
}

fn of_locality(facts: &Facts<'_>, locality: Locality) -> Explanation {
    let traffic = &facts.plan.traffic;
    let (key, meaning) = match locality {
        Locality::InsideDomain => {
            ("traffic.bytes_by_locality.inside_domain", "bytes that stay inside an HB domain")
        }
        Locality::AlongRail => {
            ("traffic.bytes_by_locality.along_rail", "bytes between GPUs on the same rail")
        }
        Locality::AcrossRails => (
            "traffic.bytes_by_locality.across_rails",
            "bytes between domains and rails: forwarded, or through a spine",
        ),
    };
    let parts =
        TrafficKind::ALL.map(|kind| (kind.name(), Amount::Volume(traffic.at(kind, locality))));
    let result = Amount::Volume(traffic.locality(locality));
    let formula = "sum over the kinds of parallelism, of the pairs that lie so";
    Explanation::new(key, meaning, result, formula, &[HIERARCHICAL])
        .from([facts.domain()])
        .from(degrees(facts))
        .sum(parts)
}

fn largest(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "traffic.max_pair_bytes",
        "bytes of the ordered pair that exchanges most",
        Amount::Volume(facts.plan.traffic.largest_pair),
        "the largest entry of the traffic matrix, all kinds added up",
        &[COLLECTIVES, HIERARCHICAL],
    )
    .from(degrees(facts))
}

const fn kind_key(kind: TrafficKind) -> &'static str {
    match kind {
        TrafficKind::Tensor => "traffic.bytes_by_kind.tensor",
        TrafficKind::Pipeline => "traffic.bytes_by_kind.pipeline",
        TrafficKind::Data => "traffic.bytes_by_kind.data",
        TrafficKind::Context => "traffic.bytes_by_kind.context",
        TrafficKind::Expert => "traffic.bytes_by_kind.expert",
    }
}

const fn place(locality: Locality) -> &'static str {
    match locality {
        Locality::InsideDomain => "inside domains",
        Locality::AlongRail => "along rails",
        Locality::AcrossRails => "across rails",
    }
}

/// What a technique makes of a kind of traffic: formula and equations.
fn changed(facts: &Facts<'_>, kind: TrafficKind) -> Option<(&'static str, &'static [Equation])> {
    match kind {
        TrafficKind::Data if facts.has(Technique::Demo) => Some((
            "Σ of what is listed: calls · D · times that a GPU sends D; D the rank's largest components, \
             indices and values; across domains only: full gradients inside, the rank's share across",
            &[DEMO, FLEX_DEMO],
        )),
        TrafficKind::Pipeline if facts.has(Technique::Sil) => Some((
            "Σ of what is listed: calls · D · times that a GPU sends D; none between stages, \
                 activations once where they are handed over",
            &[ALONE],
        )),
        TrafficKind::Pipeline if facts.has(Technique::NarrowPipeline) => Some((
            "Σ of what is listed: calls · D · times that a GPU sends D; one byte for an element \
                 of a message",
            &[MESSAGES],
        )),
        _ => None,
    }
}

/// Meaning, formula and equations of a kind of traffic.
const fn words(kind: TrafficKind) -> (&'static str, &'static str, &'static [Equation]) {
    match kind {
        TrafficKind::Tensor => (
            "bytes of shards of matrices (tensor parallelism)",
            "Σ of what is listed: calls · D · times that a GPU sends D; D = w·b·(s/c)·h, two \
             all-reduces a layer and pass, or as scatter and gather",
            &[TENSOR, COLLECTIVES],
        ),
        TrafficKind::Pipeline => (
            "bytes from stage to stage (pipeline parallelism)",
            "Σ of what is listed: calls · D · times that a GPU sends D; D = w·b·(s/c)·h, over t \
             where the message is split",
            &[MESSAGES],
        ),
        TrafficKind::Data => (
            "bytes of gradients and parameters (data parallelism, tied embedding)",
            "Σ of what is listed: calls · D · times that a GPU sends D; D = bytes of a gradient, or \
             of a gathered parameter, · parameters of the rank; n = D_p·c",
            &[DATA, TIED, COLLECTIVES, HIERARCHICAL],
        ),
        TrafficKind::Context => (
            "bytes of keys and values (context parallelism)",
            "Σ of what is listed: calls · D · times that a GPU sends D; of keys and values D = \
             2·w·b·s·g·d/t",
            &[CONTEXT],
        ),
        TrafficKind::Expert => (
            "bytes of tokens on their way to experts (expert parallelism)",
            "Σ of what is listed: calls · D · times that a GPU sends D; D = w·tokens·k·h of an \
             all-to-all, w·tokens·h of an exchange that sends a token once to each place",
            &[EXPERT],
        ),
    }
}

fn inputs(facts: &Facts<'_>, kind: TrafficKind) -> Vec<Input> {
    let framework = &facts.scenario.workload.framework;
    let model = &facts.scenario.workload.model;
    let mut inputs = match kind {
        TrafficKind::Data => vec![
            facts.data(),
            facts.context(),
            facts.zero(),
            facts.framework(
                "bytes of a gradient",
                "gradient_bytes",
                Amount::count(framework.gradient_bytes),
            ),
            facts.framework(
                "bytes of a gathered parameter",
                "parameter_bytes",
                Amount::count(framework.parameter_bytes),
            ),
        ],
        TrafficKind::Tensor | TrafficKind::Pipeline => vec![facts.hidden(), facts.recompute()],
        TrafficKind::Context => vec![
            facts.model("key and value heads g", "kv_heads", Amount::count(model.kv_heads)),
            facts.model("width of a head d", "head_dim", Amount::count(model.head_dim)),
            facts.context(),
        ],
        TrafficKind::Expert => {
            let moe = model
                .moe
                .as_ref()
                .map(|moe| facts.model("experts of a token k", "top_k", Amount::count(moe.top_k)));
            [facts.hidden(), facts.expert()].into_iter().chain(moe).collect()
        }
    };
    if kind == TrafficKind::Pipeline {
        inputs.extend([facts.pipeline(), facts.interleave()]);
        let split = Amount::on(framework.scatter_pipeline);
        inputs.push(facts.framework("messages split over t", "scatter_pipeline", split));
    }
    if kind != TrafficKind::Data {
        inputs.extend([
            facts.element(),
            facts.micro_batch(),
            facts.micro_batches(),
            facts.sequence(),
        ]);
    }
    inputs.extend([facts.layers(), facts.tensor(), facts.gpus()]);
    inputs.extend(calls(facts, kind));
    inputs
}

fn all_pairs(facts: &Facts<'_>) -> Input {
    quantity("pairs", "traffic.pairs", Amount::count(facts.plan.traffic.pairs))
}

fn degrees(facts: &Facts<'_>) -> [Input; 5] {
    [facts.tensor(), facts.pipeline(), facts.data(), facts.context(), facts.expert()]
}

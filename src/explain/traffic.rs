//! How bytes and link loads came about.

use super::explanation::{ExplainedInput, Explanation, InputOrigin};
use super::inputs::{Facts, explained_input, quantity_input, switch_input};
use super::step_inputs::call_inputs;
use crate::design::{CallReport, HotLink, LoadReport, RoutingReport};
use crate::parallel::placement::Locality;
use crate::quantity::row::{ALONE, DEMO, Equation, FLEX_DEMO, LEAF_CUT, MESSAGES, ROUTED};
use crate::step::TrafficKind;
use crate::units::{Amount, Bytes};
use crate::workload::Technique;

/// Adds what a figure of `traffic` takes.
pub(super) fn explain_traffic(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    match explanation.key.as_ref() {
        "traffic.pairs" => explanation.with_inputs([facts.gpus()]),
        "traffic.idle_pairs" => {
            explanation.with_inputs([all_pairs(facts)]).with_inputs(degree_inputs(facts))
        }
        "traffic.idle_pair_share" => {
            let idle = Amount::from_count(facts.plan.traffic.idle_pairs);
            explanation.with_inputs([
                quantity_input("idle pairs", "traffic.idle_pairs", idle),
                all_pairs(facts),
            ])
        }
        "traffic.bytes_by_kind.tensor" => {
            explain_bytes_of_kind(facts, explanation, TrafficKind::Tensor)
        }
        "traffic.bytes_by_kind.pipeline" => {
            explain_bytes_of_kind(facts, explanation, TrafficKind::Pipeline)
        }
        "traffic.bytes_by_kind.data" => {
            explain_bytes_of_kind(facts, explanation, TrafficKind::Data)
        }
        "traffic.bytes_by_kind.context" => {
            explain_bytes_of_kind(facts, explanation, TrafficKind::Context)
        }
        "traffic.bytes_by_kind.expert" => {
            explain_bytes_of_kind(facts, explanation, TrafficKind::Expert)
        }
        "traffic.bytes_by_locality.inside_domain" => {
            explain_bytes_of_locality(facts, explanation, Locality::InsideDomain)
        }
        "traffic.bytes_by_locality.along_rail" => {
            explain_bytes_of_locality(facts, explanation, Locality::AlongRail)
        }
        "traffic.bytes_by_locality.across_rails" => {
            explain_bytes_of_locality(facts, explanation, Locality::AcrossRails)
        }
        "traffic.max_pair_bytes" => explanation.with_inputs(degree_inputs(facts)),
        _ => explanation,
    }
}

fn explain_bytes_of_kind(
    facts: &Facts<'_>,
    explanation: Explanation,
    kind: TrafficKind,
) -> Explanation {
    let traffic = &facts.plan.traffic;
    let explanation = match technique_formula(facts, kind) {
        Some((formula, equations)) => explanation.with_formula(formula, equations),
        None => explanation,
    };
    let parts = Locality::ALL.map(|locality| {
        (locality_text(locality), Amount::Volume(traffic.bytes_at(kind, locality)))
    });
    explanation.with_inputs(traffic_inputs(facts, kind)).sum(parts)
}

fn explain_bytes_of_locality(
    facts: &Facts<'_>,
    explanation: Explanation,
    locality: Locality,
) -> Explanation {
    let traffic = &facts.plan.traffic;
    let parts = TrafficKind::ALL
        .map(|kind| (kind.name(), Amount::Volume(traffic.bytes_at(kind, locality))));
    explanation.with_inputs([facts.domain_gpus()]).with_inputs(degree_inputs(facts)).sum(parts)
}

const fn locality_text(locality: Locality) -> &'static str {
    match locality {
        Locality::InsideDomain => "inside domains",
        Locality::AlongRail => "along rails",
        Locality::AcrossRails => "across rails",
    }
}

/// What a technique makes of a kind of traffic: formula and equations.
fn technique_formula(
    facts: &Facts<'_>,
    kind: TrafficKind,
) -> Option<(&'static str, &'static [Equation])> {
    match kind {
        TrafficKind::Data if facts.has_technique(Technique::Demo) => Some((
            "Σ of what is listed: calls · D · times that a GPU sends D; D the rank's largest components, \
             indices and values; across domains only: full gradients inside, the rank's share across",
            &[DEMO, FLEX_DEMO],
        )),
        TrafficKind::Pipeline if facts.has_technique(Technique::Sil) => Some((
            "Σ of what is listed: calls · D · times that a GPU sends D; none between stages, \
                 activations once where they are handed over",
            &[ALONE],
        )),
        TrafficKind::Pipeline if facts.has_technique(Technique::NarrowPipeline) => Some((
            "Σ of what is listed: calls · D · times that a GPU sends D; one byte for an element \
                 of a message",
            &[MESSAGES],
        )),
        _ => None,
    }
}

fn traffic_inputs(facts: &Facts<'_>, kind: TrafficKind) -> Vec<ExplainedInput> {
    let framework = &facts.scenario.workload.framework;
    let model = &facts.scenario.workload.model;
    let mut inputs = match kind {
        TrafficKind::Data => vec![
            facts.data_parallel(),
            facts.context(),
            facts.zero(),
            facts.framework_setting(
                "bytes of a gradient",
                "gradient_bytes",
                Amount::from_count(framework.gradient_bytes),
            ),
            facts.framework_setting(
                "bytes of a gathered parameter",
                "parameter_bytes",
                Amount::from_count(framework.parameter_bytes),
            ),
        ],
        TrafficKind::Tensor | TrafficKind::Pipeline => {
            vec![facts.hidden_width(), facts.recompute()]
        }
        TrafficKind::Context => vec![
            facts.model_entry(
                "key and value heads g",
                "kv_heads",
                Amount::from_count(model.kv_heads),
            ),
            facts.model_entry("width of a head d", "head_dim", Amount::from_count(model.head_dim)),
            facts.context(),
        ],
        TrafficKind::Expert => {
            let moe = model.moe.as_ref().map(|moe| {
                facts.model_entry("experts of a token k", "top_k", Amount::from_count(moe.top_k))
            });
            [facts.hidden_width(), facts.expert()].into_iter().chain(moe).collect()
        }
    };
    if kind == TrafficKind::Pipeline {
        inputs.extend([facts.pipeline(), facts.interleave()]);
        let split = switch_input(framework.scatter_pipeline);
        inputs.push(facts.framework_setting("messages split over t", "scatter_pipeline", split));
    }
    if kind != TrafficKind::Data {
        inputs.extend([
            facts.bytes_per_activation(),
            facts.micro_batch(),
            facts.micro_batches(),
            facts.sequence_length(),
        ]);
    }
    inputs.extend([facts.layers(), facts.tensor(), facts.gpus()]);
    inputs.extend(call_inputs(facts, kind));
    inputs
}

fn all_pairs(facts: &Facts<'_>) -> ExplainedInput {
    quantity_input("pairs", "traffic.pairs", Amount::from_count(facts.plan.traffic.pairs))
}

fn degree_inputs(facts: &Facts<'_>) -> [ExplainedInput; 5] {
    [facts.tensor(), facts.pipeline(), facts.data_parallel(), facts.context(), facts.expert()]
}

pub(super) fn routing_explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    let Some(RoutingReport::Routed(routed)) = &facts.plan.routing else { return Vec::new() };
    let calls = routed
        .calls
        .iter()
        .enumerate()
        .flat_map(|(place, report)| explain_routed_call(place, report));
    let loads = routed
        .loads
        .iter()
        .enumerate()
        .flat_map(|(place, report)| explain_link_load(place, report));
    calls.chain(loads).collect()
}

/// Adds what a figure of `routing` takes.
pub(super) fn explain_routing(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let Some(RoutingReport::Routed(routed)) = &facts.plan.routing else { return explanation };
    if explanation.key != "routing.worst_ratio" {
        return explanation;
    }
    routed.calls.iter().enumerate().fold(explanation, |explanation, (place, call)| {
        let time = |what: &str, key: &str, time| {
            let key = format!("routing.calls.{place}.{key}");
            let origin = InputOrigin::Quantity(key.into());
            explained_input(format!("{what} {place}: {}", call.label), Amount::Time(time), origin)
        };
        explanation.with_inputs([
            time("slowest link of call", "sprayed.time_s", call.sprayed.time),
            time("granted to call", "granted_s", call.granted),
        ])
    })
}

/// `routing.calls.0.granted_s` and its like.
fn explain_routed_call(place: usize, call: &CallReport) -> Vec<Explanation> {
    let key = |text: &str| format!("routing.calls.{place}.{text}");
    let what = match call.workload.as_str() {
        "" => call.label.to_owned(),
        workload => format!("{} of {workload}", call.label),
    };
    let granted = Amount::Time(call.granted);
    let mut all = vec![
        Explanation::new(
            key("messages"),
            format!("messages between HB domains: {what}"),
            Amount::from_count(call.messages),
            "counted on the wired fabric",
            &[ROUTED],
        ),
        Explanation::new(
            key("forwarded_bytes"),
            format!("bytes that HB domains pass on to another rail: {what}"),
            Amount::Volume(call.forwarded),
            "bytes for another rail · (1 − min(1, σ/φ))",
            &[ROUTED],
        ),
        Explanation::new(
            key("granted_s"),
            format!("time on the network that the step time assumes: {what}"),
            granted.clone(),
            "V / B_S · max(1, q/u)",
            &[LEAF_CUT],
        ),
        Explanation::new(
            key("oversubscription_seen"),
            format!("slowest link above the leaf switches over the busiest NIC: {what}"),
            Amount::Number(call.seen),
            "time of the slowest link between leaf switches and spines / time of the busiest NIC",
            &[ROUTED],
        ),
    ];
    let mut hot = |text: &str, manner: &'static str, hot: &HotLink| {
        let explanation = Explanation::new(
            key(&format!("{text}.time_s")),
            format!("slowest link, {manner}: {what}"),
            Amount::Time(hot.time),
            "the most of: bytes on a link / its rate",
            &[ROUTED],
        );
        let held = quantity_input("assumed", key("granted_s"), granted.clone());
        all.push(explanation.with_inputs([held]));
    };
    hot("sprayed", "messages spread over all shortest paths", &call.sprayed);
    if let Some(adaptive) = &call.adaptive {
        hot("adaptive", "each message on the emptiest way", adaptive);
    }
    if let Some(hashed) = &call.hashed {
        hot("hashed", "each message hashed onto one way", hashed);
    }
    all
}

/// `routing.loads.0.most_bytes` and its like.
fn explain_link_load(place: usize, load: &LoadReport) -> Vec<Explanation> {
    let key = |text: &str| format!("routing.loads.{place}.{text}");
    let what = match load.workload.as_str() {
        "" => load.class.to_owned(),
        workload => format!("{}, {workload}", load.class),
    };
    let links = Amount::from_count(load.links);
    let of_links = quantity_input("links", key("links"), links.clone());
    let sent = Amount::Volume(Bytes::new(load.mean.count() * u128::from(load.links)));
    let sent = explained_input(
        "bytes of a step",
        sent,
        InputOrigin::Found("routed over the wired fabric"),
    );
    vec![
        Explanation::new(
            key("links"),
            format!("links of the class: {what}"),
            links,
            "counted on the wired fabric",
            &[ROUTED],
        ),
        Explanation::new(
            key("link_gbit_per_s"),
            format!("rate of each: {what}"),
            Amount::Link(load.rate),
            "NIC bandwidth / planes, times the ports that a link joins",
            &[ROUTED],
        ),
        Explanation::new(
            key("mean_bytes"),
            format!("bytes of a step on a link on average: {what}"),
            Amount::Volume(load.mean),
            "bytes of a step / links, in the fuller direction of each",
            &[ROUTED],
        )
        .with_inputs([sent, of_links]),
        Explanation::new(
            key("most_bytes"),
            format!("bytes of a step on the busiest link: {what}"),
            Amount::Volume(load.most),
            "the most over all links, in the fuller direction of each",
            &[ROUTED],
        ),
    ]
}

//! Explains the traffic of a step: bytes by kind and by locality, pairs. The matrix itself is
//! built in `traffic`.

use super::explanation::{ExplainedInput, Explanation};
use super::facts::{Facts, quantity_input, switch_input};
use super::ledger::call_inputs;
use crate::parallel::placement::Locality;
use crate::quantity::equation::{ALONE, DEMO, Equation, FLEX_DEMO, MESSAGES};
use crate::step::TrafficKind;
use crate::units::Amount;
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

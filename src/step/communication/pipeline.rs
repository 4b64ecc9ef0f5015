//! Pipeline parallelism: activations to the next chunk of layers, their gradients back.

use super::call::{Cadence, Collective, Communication, Element, Hiding, Moment, TrafficKind};
use super::source::CommunicationInputs;
use crate::parallel::Group;
use crate::step::Pass;
use crate::units::Bytes;

/// Messages between stages, the gathers that split messages need, and the tied embedding.
pub(super) fn pipeline_parallel_calls(source: &CommunicationInputs<'_>) -> Vec<Communication> {
    if source.layout.pipeline < 2 {
        return Vec::new();
    }
    let mut all = pipeline_messages(source);
    all.extend(message_gathers(source));
    all.extend(tied_embedding(source));
    all
}

/// One message per micro-batch and border of two chunks in each direction, N·h elements. With
/// interleaving, the last stage's chunks feed the first stage's next ones. Split over the
/// tensor-parallel group where activations are split anyway or the framework scatters them.
fn pipeline_messages(source: &CommunicationInputs<'_>) -> Vec<Communication> {
    let split = source.framework.scatter_pipeline || source.layout.sequence_parallel;
    let parts = if split { u128::from(source.layout.tensor) } else { 1 };
    let payload = source.activation_payload().equal_share(parts);
    let hiding = if source.framework.overlap_pipeline { Hiding::Block } else { Hiding::Exposed };
    [
        (Collective::ShiftUp, Pass::Forward, "activations to the next stage"),
        (Collective::ShiftDown, Pass::Backward, "gradients to the previous stage"),
    ]
    .into_iter()
    .map(|(collective, pass, label)| Communication {
        kind: TrafficKind::Pipeline,
        label,
        group: Group::Pipeline,
        collective,
        by: source.algorithms_of_kind(TrafficKind::Pipeline),
        payload: vec![payload],
        element: Element::activation_element(source.training.precision),
        moment: Moment::Border,
        cadence: Cadence::PerBoundary { pass },
        hiding,
        messages: Vec::new(),
    })
    .collect()
}

/// A scattered message is put together again inside the receiving tensor-parallel group
/// (arXiv 2104.04473 §4.1), unless sequence parallelism wants it split.
fn message_gathers(source: &CommunicationInputs<'_>) -> Vec<Communication> {
    let layout = source.layout;
    if !source.framework.scatter_pipeline || layout.sequence_parallel || layout.tensor < 2 {
        return Vec::new();
    }
    [(Pass::Forward, "activations gathered"), (Pass::Backward, "gradients gathered")]
        .into_iter()
        .map(|(pass, label)| Communication {
            kind: TrafficKind::Pipeline,
            label,
            group: Group::Tensor,
            collective: Collective::AllGather,
            by: source.algorithms_of_kind(TrafficKind::Pipeline),
            payload: vec![source.activation_payload().padded_to(u128::from(layout.tensor))],
            element: Element::activation_element(source.training.precision),
            moment: Moment::Border,
            cadence: Cadence::PerArrival { pass },
            hiding: Hiding::Exposed,
            messages: Vec::new(),
        })
        .collect()
}

/// The first and the last stage hold the same matrix where embedding and LM head are tied, or where
/// layers on the last one predict further tokens, and add up their gradients of it once per step
/// (arXiv 2104.04473 §2.2; Megatron-Core, `finalize_model_grads.py`).
fn tied_embedding(source: &CommunicationInputs<'_>) -> Option<Communication> {
    let elements = source.stages.first()?.tied_elements;
    (elements > 0).then(|| Communication {
        kind: TrafficKind::Pipeline,
        label: "gradients of the tied embedding reduced",
        group: Group::Pipeline,
        collective: Collective::EndsAllReduce,
        by: source.algorithms_of_kind(TrafficKind::Pipeline),
        payload: vec![
            Bytes::new(elements * u128::from(source.framework.gradient_bytes)).padded_to(2),
        ],
        element: Element::from_byte_width(
            source.framework.gradient_bytes,
            source.training.precision,
        ),
        cadence: Cadence::PerStep,
        moment: Moment::Tied,
        hiding: Hiding::Exposed,
        messages: Vec::new(),
    })
}

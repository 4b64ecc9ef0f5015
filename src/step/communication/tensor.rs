//! Tensor parallelism: sums and gathers of activations between shards of a matrix.

use super::call::{Cadence, Collective, Communication, Element, Hiding, Moment, TrafficKind};
use super::source::CommunicationInputs;
use crate::parallel::Group;
use crate::step::{BlockKind, Pass};
use crate::units::Bytes;
use crate::workload::{Algorithms, FeedForward, Layer, Mixer};

/// Width of a sum or maximum of logits in the loss: fp32.
const LOSS_BYTES: u128 = 4;
/// Values per token that the loss reduces over the vocabulary's shards: the largest logit, the
/// target's logit, the sum of exponentials (arXiv 1909.08053 §3).
const LOSS_VALUES: u128 = 3;

/// Two all-reduces of the activations per layer and pass (Megatron-LM, arXiv 1909.08053 §3), or an
/// all-gather before and a reduce-scatter after each half of the layer with sequence parallelism
/// (arXiv 2205.05198 §4.2.2), which also gathers the inputs once more for the weight gradient. Full
/// recomputation repeats the forward ones. Blocks side by side have one input and one sum (PaLM,
/// arXiv 2204.02311 §2).
pub(super) fn tensor_parallel_calls(source: &CommunicationInputs<'_>) -> Vec<Communication> {
    if source.layout.tensor < 2 {
        return Vec::new();
    }
    let calls = Calls::new(source);
    let mut all: Vec<Communication> =
        source.layer_kinds().flat_map(|layer| layer_calls(source, &calls, layer)).collect();
    if source.framework.embedding {
        all.extend(vocabulary_calls(source, &calls));
    }
    all
}

/// What one call looks like.
struct Calls {
    /// Sums travel in the format of activations.
    reduced: Bytes,
    /// What feeds a matrix multiplication is gathered in its narrow format.
    gathered: Bytes,
    elements: [Element; 2],
    by: Algorithms,
    hiding: Hiding,
}

impl Calls {
    fn new(source: &CommunicationInputs<'_>) -> Self {
        let parts = u128::from(source.layout.tensor);
        Self {
            reduced: source.activation_payload().padded_to(parts),
            gathered: source
                .residual_bytes(source.training.precision.operand_bytes())
                .padded_to(parts),
            elements: [
                Element::activation_element(source.training.precision),
                Element::Float(source.training.precision),
            ],
            by: source.algorithms_of_kind(TrafficKind::Tensor),
            hiding: if source.framework.overlap_tensor { Hiding::Block } else { Hiding::Exposed },
        }
    }

    /// A call whose payload is as wide as activations are.
    fn with_activation_payload(&self, call: Communication) -> Communication {
        call.with_payload(vec![self.reduced]).with_element(self.elements[0])
    }

    fn tensor_call(
        &self,
        collective: Collective,
        block: BlockKind,
        pass: Pass,
        times: u32,
        label: &'static str,
    ) -> Communication {
        let gathers = collective == Collective::AllGather;
        Communication {
            kind: TrafficKind::Tensor,
            label,
            group: Group::Tensor,
            collective,
            by: self.by,
            payload: vec![if gathers { self.gathered } else { self.reduced }],
            element: self.elements[usize::from(gathers)],
            cadence: Cadence::PerBlock { block, pass, times },
            moment: if gathers { Moment::Inputs } else { Moment::Outputs },
            hiding: self.hiding,
            messages: Vec::new(),
        }
    }
}

/// Mixer and feed-forward block, a pair each; a recurrence is split by heads as attention is
/// (Megatron-Core, `mamba_mixer.py`). Routed experts take tokens that are split over the tensor
/// group, so only a shared expert still needs a pair; without sequence parallelism the split is
/// undone by a gather.
fn layer_calls(
    source: &CommunicationInputs<'_>,
    calls: &Calls,
    layer: Layer,
) -> Vec<Communication> {
    let shared = source.model.moe.as_ref().is_some_and(|moe| moe.shared_experts > 0);
    let routed = layer.network() == Some(FeedForward::Experts);
    let block = BlockKind::Layer(layer);
    let networks = match layer.network() {
        Some(FeedForward::Dense) if !source.model.parallel_blocks => 1,
        Some(FeedForward::Experts) if shared && !source.model.parallel_blocks => 1,
        _ => 0,
    };
    let times = u32::from(layer.mixer().is_some()) + networks;
    let mut all = match layer.mixer() {
        Some(Mixer::Attention) => head_gathers(source, calls, block),
        _ => Vec::new(),
    };
    for pass in source.passes_in_order() {
        if times == 0 && source.layout.sequence_parallel {
            break;
        }
        if source.layout.sequence_parallel {
            let label = "block inputs gathered";
            all.push(calls.tensor_call(Collective::AllGather, block, pass, times, label));
            let label = "block outputs reduced and scattered";
            all.push(calls.tensor_call(Collective::ReduceScatter, block, pass, times, label));
        } else {
            if times > 0 {
                let label = "block outputs reduced";
                all.push(calls.tensor_call(Collective::AllReduce, block, pass, times, label));
            }
            if routed {
                let label = "outputs of routed experts gathered";
                let gather = calls.tensor_call(Collective::AllGather, block, pass, 1, label);
                all.push(calls.with_activation_payload(gather).with_moment(Moment::Rejoin));
            }
        }
    }
    if times > 0 && source.layout.sequence_parallel {
        let label = "block inputs gathered again for the weight gradient";
        let again = calls.tensor_call(Collective::AllGather, block, Pass::Backward, times, label);
        all.push(Communication { hiding: Hiding::Block, ..again.with_moment(Moment::Again) });
    }
    all
}

/// Ranks that outnumber the key and value heads can't each compute whole heads: queries, keys and
/// values are gathered, and each rank takes those of its heads (Megatron-Core, `attention.py`);
/// backward their gradients are scattered. Latent attention has keys for every head.
fn head_gathers(
    source: &CommunicationInputs<'_>,
    calls: &Calls,
    block: BlockKind,
) -> Vec<Communication> {
    let model = source.model;
    if model.latent_attention.is_some() || model.kv_heads >= u64::from(source.layout.tensor) {
        return Vec::new();
    }
    let gate = if model.attention_gate { model.heads } else { 0 };
    let width = u128::from((model.heads + gate + 2 * model.kv_heads) * model.head_dim);
    let element = u128::from(source.training.precision.activation_bytes());
    let whole = Bytes::new(source.micro_batch_tokens() * width * element);
    let payload = vec![whole.padded_to(u128::from(source.layout.tensor))];
    let call = |(pass, collective, label)| {
        let call = calls.tensor_call(collective, block, pass, 1, label);
        let call = call
            .with_payload(payload.clone())
            .with_element(calls.elements[0])
            .with_moment(Moment::Heads);
        Communication { hiding: Hiding::Exposed, ..call }
    };
    let forward = |pass: &Pass| *pass != Pass::Backward;
    let gathers = source.passes_in_order().into_iter().filter(forward).map(|pass| {
        (pass, Collective::AllGather, "queries, keys and values of shared heads gathered")
    });
    let label = "gradients of queries, keys and values scattered";
    let scatter = (Pass::Backward, Collective::ReduceScatter, label);
    gathers.chain([scatter]).map(call).collect()
}

/// Embedding and LM head, both split by rows of the vocabulary: the embedding's output is summed,
/// the head's input spread, and backward the reverse; the loss sums over the shards.
fn vocabulary_calls(source: &CommunicationInputs<'_>, calls: &Calls) -> Vec<Communication> {
    use BlockKind::{Embedding, Head};
    let mut all = Vec::new();
    if source.layout.sequence_parallel {
        let scatter = Collective::ReduceScatter;
        let gather = Collective::AllGather;
        let wide = |call: Communication| calls.with_activation_payload(call);
        all.push(calls.tensor_call(
            scatter,
            Embedding,
            Pass::Forward,
            1,
            "embedding output reduced",
        ));
        let label = "gradient of the embedding gathered";
        all.push(wide(calls.tensor_call(gather, Embedding, Pass::Backward, 1, label)));
        all.push(wide(calls.tensor_call(
            gather,
            Head,
            Pass::Forward,
            1,
            "input of the head gathered",
        )));
        let label = "input of the head gathered again for the weight gradient";
        let again = wide(calls.tensor_call(gather, Head, Pass::Backward, 1, label));
        all.push(Communication { hiding: Hiding::Block, ..again.with_moment(Moment::Again) });
        let label = "gradient of the head's input reduced";
        all.push(calls.tensor_call(scatter, Head, Pass::Backward, 1, label));
    } else {
        let reduce = Collective::AllReduce;
        all.push(calls.tensor_call(
            reduce,
            Embedding,
            Pass::Forward,
            1,
            "embedding output reduced",
        ));
        let label = "gradient of the head's input reduced";
        all.push(calls.tensor_call(reduce, Head, Pass::Backward, 1, label));
    }
    let scalars = Bytes::new(source.micro_batch_tokens() * LOSS_VALUES * LOSS_BYTES);
    let label = "loss reduced over the vocabulary";
    let loss = calls.tensor_call(Collective::AllReduce, Head, Pass::Forward, 1, label);
    let payload = vec![scalars.padded_to(u128::from(source.layout.tensor))];
    let loss = loss.with_payload(payload).with_moment(Moment::Loss);
    all.push(
        loss.with_element(Element::from_byte_width(LOSS_BYTES as u64, source.training.precision)),
    );
    all
}

//! Tensor parallelism: sums and gathers of activations between shards of a matrix.

use super::call::{Cadence, Collective, Communication, Element, Hiding, Moment, TrafficKind};
use super::source::CommunicationInputs;
use crate::parallel::Group;
use crate::step::{BlockKind, Pass, PipelineStage};
use crate::units::Bytes;
use crate::workload::{Algorithms, FeedForward, LatentAttention, Layer, Mixer, RecomputeModule};

/// Width of a sum or maximum of logits in the loss: fp32.
const LOSS_BYTES: u128 = 4;
/// Values per token that the loss reduces over the vocabulary's shards: the largest logit, the
/// target's logit, the sum of exponentials (arXiv 1909.08053 §3).
const LOSS_VALUES: u128 = 3;

/// Two all-reduces of the activations per layer and pass (Megatron-LM, arXiv 1909.08053 §3), or an
/// all-gather before and a reduce-scatter after each half of the layer with sequence parallelism
/// (arXiv 2205.05198 §4.2.2), which also gathers the inputs once more for the weight gradient. Full
/// recomputation repeats the forward ones. Blocks side by side have one input and one sum (PaLM,
/// arXiv 2204.02311 §2). Latent attention has compressed inputs.
pub(super) fn tensor_parallel_calls(source: &CommunicationInputs<'_>) -> Vec<Communication> {
    if source.layout.tensor < 2 {
        return Vec::new();
    }
    let calls = Calls::new(source);
    let mut all: Vec<Communication> =
        source.layer_kinds().flat_map(|layer| layer_calls(source, &calls, layer)).collect();
    if source.framework.embedding {
        all.extend(vocabulary_calls(source, &calls));
        all.extend(projection_calls(source, &calls));
    }
    all.extend(sum_of_replicated_gradients(source));
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
    let networks_that_gather = match layer.network() {
        Some(FeedForward::Dense) => 1,
        Some(FeedForward::Experts) if shared => 1,
        _ => 0,
    };
    let networks = if source.model.parallel_blocks { 0 } else { networks_that_gather };
    let outputs = u32::from(layer.mixer().is_some()) + networks;
    let (mut all, latent) = match (layer.mixer(), &source.model.latent_attention) {
        (Some(Mixer::Attention), None) => (head_gathers(source, calls, block), None),
        (Some(Mixer::Attention), Some(latent)) => (Vec::new(), Some(latent)),
        _ => (Vec::new(), None),
    };
    // Beside latent attention a feed-forward block gathers whole inputs for itself, in parallel or not.
    let inputs = if latent.is_some() { networks_that_gather } else { outputs };
    let enters = |collective, pass, again| {
        latent.into_iter().flat_map(move |latent| {
            compressed_calls(source, calls, latent, collective, block, pass, again)
        })
    };
    for pass in source.passes_in_order() {
        // Backward the gradients of outputs come in, and those of inputs leave.
        let backward = pass == Pass::Backward;
        let (into, out_of) = if backward { (outputs, inputs) } else { (inputs, outputs) };
        if source.layout.sequence_parallel {
            let label = "block inputs gathered";
            let collective =
                if backward { Collective::ReduceScatter } else { Collective::AllGather };
            all.extend(enters(collective, pass, false));
            all.push(calls.tensor_call(Collective::AllGather, block, pass, into, label));
            let label = "block outputs reduced and scattered";
            all.push(calls.tensor_call(Collective::ReduceScatter, block, pass, out_of, label));
        } else {
            if backward {
                all.extend(enters(Collective::AllReduce, pass, false));
            }
            let label = "block outputs reduced";
            all.push(calls.tensor_call(Collective::AllReduce, block, pass, out_of, label));
            if routed {
                let label = "outputs of routed experts gathered";
                let gather = calls.tensor_call(Collective::AllGather, block, pass, 1, label);
                all.push(calls.with_activation_payload(gather).with_moment(Moment::Rejoin));
            }
        }
    }
    let modules = match layer.network() {
        Some(FeedForward::Dense) => &[RecomputeModule::Mlp][..],
        Some(FeedForward::Experts) => &[RecomputeModule::Moe, RecomputeModule::SharedExperts],
        None => &[],
    };
    if modules.iter().any(|module| source.recomputes_module(*module)) {
        let (times, pass) = (networks_that_gather, Pass::Recompute);
        let all_of = |collective, label| calls.tensor_call(collective, block, pass, times, label);
        if source.layout.sequence_parallel {
            all.push(all_of(Collective::AllGather, "block inputs gathered"));
            all.push(all_of(Collective::ReduceScatter, "block outputs reduced and scattered"));
        } else {
            all.push(all_of(Collective::AllReduce, "block outputs reduced"));
            if routed && source.recomputes_module(RecomputeModule::Moe) {
                let label = "outputs of routed experts gathered";
                let gather = calls.tensor_call(Collective::AllGather, block, pass, 1, label);
                all.push(calls.with_activation_payload(gather).with_moment(Moment::Rejoin));
            }
        }
    }
    if source.gathers_recomputed_inputs() {
        let label = "block inputs gathered for what is recomputed";
        all.push(calls.tensor_call(Collective::AllGather, block, Pass::Recompute, inputs, label));
    }
    if source.gathers_inputs_again() {
        all.extend(enters(Collective::AllGather, Pass::Backward, true));
        let label = "block inputs gathered again for the weight gradient";
        let again = calls.tensor_call(Collective::AllGather, block, Pass::Backward, inputs, label);
        all.push(Communication { hiding: Hiding::Block, ..again.with_moment(Moment::Again) });
    }
    all.retain(|call| !matches!(call.cadence, Cadence::PerBlock { times: 0, .. }));
    all
}

/// What enters latent attention: each rank compresses its own tokens, and the compressed ones are
/// gathered for its heads; backward their gradients are summed. Queries that are not compressed take
/// whole inputs (Megatron-Core, `multi_latent_attention.py`).
fn compressed_calls(
    source: &CommunicationInputs<'_>,
    calls: &Calls,
    latent: &LatentAttention,
    collective: Collective,
    block: BlockKind,
    pass: Pass,
    again: bool,
) -> Vec<Communication> {
    let label = match collective {
        Collective::AllGather if again => {
            "compressed inputs gathered again for the weight gradient"
        }
        Collective::AllGather => "compressed inputs of attention gathered",
        Collective::ReduceScatter => "gradients of compressed inputs reduced and scattered",
        _ => "gradients of compressed inputs reduced",
    };
    let queries = if latent.q_lora == 0 { source.model.hidden } else { latent.q_lora };
    let precision = source.training.precision;
    let [wide, narrow] = [precision.activation_bytes() as f64, precision.operand_bytes()];
    let call = |width: u64, bytes: f64| {
        let payload = source.bytes_of_tokens(width, bytes);
        let hiding = if again { Hiding::Block } else { Hiding::Exposed };
        Communication {
            payload: vec![payload.padded_to(u128::from(source.layout.tensor))],
            hiding,
            ..calls.tensor_call(collective, block, pass, 1, label)
        }
    };
    let operand = if collective == Collective::AllGather { narrow } else { wide };
    let queries = call(queries, operand);
    let queries = if again { queries.with_moment(Moment::Again) } else { queries };
    let mut all = vec![queries, call(latent.kv_lora, operand).with_moment(Moment::Heads)];
    if source.layout.sequence_parallel && !again {
        let rotary = call(latent.qk_rope, wide).with_element(calls.elements[0]);
        all.push(rotary.with_moment(Moment::Heads));
    }
    all
}

/// Gradients of matrices that every rank of the group holds whole, each of its own tokens, are summed
/// once a step (Megatron-Core, `finalize_model_grads.py`).
fn sum_of_replicated_gradients(source: &CommunicationInputs<'_>) -> Option<Communication> {
    let width = source.framework.gradient_bytes;
    let elements = |stage: &PipelineStage| -> u128 {
        let layers = stage.layers().filter_map(|(kind, count)| Some((kind.layer()?, count)));
        layers
            .map(|(kind, count)| u128::from(count) * source.model.replicated_parameters(kind))
            .sum()
    };
    let bytes = |stage| Bytes::new(elements(stage) * u128::from(width));
    let parts = u128::from(source.layout.tensor);
    let payload: Vec<Bytes> =
        source.stages.iter().map(|stage| bytes(stage).padded_to(parts)).collect();
    let some = source.layout.sequence_parallel && payload.iter().any(|bytes| !bytes.is_zero());
    some.then(|| Communication {
        kind: TrafficKind::Tensor,
        label: "gradients of matrices that each rank holds whole reduced",
        group: Group::Tensor,
        collective: Collective::AllReduce,
        by: source.algorithms_of_kind(TrafficKind::Tensor),
        payload,
        element: Element::from_byte_width(width, source.training.precision),
        cadence: Cadence::PerStep,
        moment: Moment::Tied,
        hiding: Hiding::Exposed,
        messages: Vec::new(),
    })
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

/// The projection before layers that predict further tokens, split by its outputs, which are
/// gathered; with sequence parallelism its inputs of 2h are gathered too, and ranks keep their own
/// tokens of what comes out (Megatron-Core, `multi_token_prediction.py`).
fn projection_calls(source: &CommunicationInputs<'_>, calls: &Calls) -> Vec<Communication> {
    use Pass::{Backward, Forward};
    if source.model.mtp_layers == 0 {
        return Vec::new();
    }
    let call = |collective, pass, label| {
        calls.tensor_call(collective, BlockKind::Projection, pass, 1, label)
    };
    let twice = |call: Communication| {
        let payload = call.payload.iter().map(|bytes| *bytes * 2_u128).collect();
        call.with_payload(payload)
    };
    let [gather, scatter] = [Collective::AllGather, Collective::ReduceScatter];
    let label = "outputs of the projection gathered";
    let outputs = calls.with_activation_payload(call(gather, Forward, label));
    let mut all = vec![outputs.with_moment(Moment::Outputs)];
    if source.layout.sequence_parallel {
        all.push(twice(call(gather, Forward, "inputs of the projection gathered")));
        let label = "gradients of the projection's outputs gathered";
        all.push(calls.with_activation_payload(call(gather, Backward, label)));
        let label = "inputs of the projection gathered again for the weight gradient";
        let again = twice(call(gather, Backward, label));
        if source.gathers_inputs_again() {
            all.push(Communication { hiding: Hiding::Block, ..again.with_moment(Moment::Again) });
        }
        let label = "gradients of the projection's inputs reduced and scattered";
        all.push(twice(call(scatter, Backward, label)));
    } else {
        let label = "gradients of the projection's inputs reduced";
        all.push(twice(call(Collective::AllReduce, Backward, label)));
    }
    all
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
        if source.gathers_inputs_again() {
            all.push(Communication { hiding: Hiding::Block, ..again.with_moment(Moment::Again) });
        }
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
